"""/api/ShoppingCart, and two routes of other resources that write the cart: add favorites, and
adopt a quotation.
"""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.cart.api.quick_serializers import FilledSerializer, build_filled_body
from apps.cart.api.serializers import (
    AdoptBodySerializer,
    AdoptedSerializer,
    AdoptLeftOutSerializer,
    CartAddItemSerializer,
    CartAddSerializer,
    CartChangeSerializer,
    CartRemoveSerializer,
    CartSelectSerializer,
    CartSerializer,
    FavoriteCartBodySerializer,
)
from apps.cart.selectors.cart import count_cart_lines, get_cart
from apps.cart.services.cart_add import cart_add, cart_replace, favorites_to_cart
from apps.cart.services.cart_change import cart_change, cart_clear, cart_remove, cart_select
from apps.cart.services.inquiry_adopt import inquiry_adopt
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.search.enums import FavoriteType

ADDED = "添加购物车成功"


class ShoppingCartViewSet(MallViewSet):
    """The cart of the signed-in account. Every change returns the whole cart."""

    access = Access.login()
    serializer_class = CartSerializer
    pagination_class = None
    lookup_url_kwarg = "item_id"
    lookup_value_regex = DIGITS

    @extend_schema(responses=CartSerializer)
    def list(self, request: AuthedRequest) -> Response:
        return self._answer_cart(request)

    @extend_schema(request=CartChangeSerializer, responses=CartSerializer)
    def partial_update(self, request: AuthedRequest, item_id: str) -> Response:
        body = CartChangeSerializer.parse(request)
        cart_change(
            actor=request.user,
            item_id=int(item_id),
            quantity=body.get("Quantity"),
            is_selected=body.get("Selected"),
        )
        return self._answer_cart(request)

    @extend_schema(request=None, responses=OpenApiTypes.INT)
    @action(detail=False, methods=["post"], url_path="Count")
    def count(self, request: AuthedRequest) -> Response:
        return Response(count_cart_lines(actor=request.user))

    @extend_schema(request=CartAddSerializer, responses=OpenApiTypes.INT)
    @action(detail=False, methods=["post"], url_path="AddToCart")
    @idempotent
    def add(self, request: AuthedRequest) -> Response:
        body = CartAddSerializer.parse(request)
        return Ok(cart_add(actor=request.user, quantities=body["Items"]), message=ADDED)

    @extend_schema(request=CartAddItemSerializer, responses=CartSerializer)
    @action(detail=True, methods=["post"], url_path="Replace")
    @idempotent
    def replace(self, request: AuthedRequest, item_id: str) -> Response:
        body = CartAddItemSerializer.parse(request)
        cart_replace(
            actor=request.user,
            item_id=int(item_id),
            code=body["ProductCode"],
            quantity=body["Quantity"],
        )
        return self._answer_cart(request)

    @extend_schema(request=CartRemoveSerializer, responses=CartSerializer)
    @action(detail=False, methods=["post"], url_path="Remove")
    def remove(self, request: AuthedRequest) -> Response:
        cart_remove(actor=request.user, item_ids=CartRemoveSerializer.parse(request)["Ids"])
        return self._answer_cart(request)

    @extend_schema(request=CartSelectSerializer, responses=CartSerializer)
    @action(detail=False, methods=["post"], url_path="Select")
    def select(self, request: AuthedRequest) -> Response:
        body = CartSelectSerializer.parse(request)
        cart_select(actor=request.user, is_selected=body["Selected"], item_ids=body.get("Ids"))
        return self._answer_cart(request)

    @extend_schema(request=None, responses=CartSerializer)
    @action(detail=False, methods=["post"], url_path="Clear")
    def clear(self, request: AuthedRequest) -> Response:
        cart_clear(actor=request.user)
        return self._answer_cart(request)

    @staticmethod
    def _answer_cart(request: AuthedRequest) -> Response:
        return Response(CartSerializer.answer(get_cart(actor=request.user)))


class FavoriteCartViewSet(MallViewSet):
    """Add favorites and recently viewed products to the cart."""

    access = Access.login()
    serializer_class = FilledSerializer
    pagination_class = None

    @extend_schema(request=FavoriteCartBodySerializer, responses=FilledSerializer)
    @action(detail=False, methods=["post"], url_path="AddToCart")
    @idempotent
    def add_to_cart(self, request: AuthedRequest) -> Response:
        """Add the products that can be bought. The others remain in the list; the response
        gives the reasons.
        """
        body = FavoriteCartBodySerializer.parse(request)
        added_count, refusals = favorites_to_cart(
            actor=request.user,
            quantities=body["Items"],
            kind=FavoriteType(body["Type"]),
            is_removing=body["Remove"],
        )
        return Ok(build_filled_body(added_count, refusals), message=ADDED if added_count else "")


class InquiryAdoptViewSet(MallViewSet):
    access = Access.login()
    serializer_class = AdoptedSerializer
    lookup_url_kwarg = "inquiry_no"

    @extend_schema(request=AdoptBodySerializer, responses=AdoptedSerializer)
    @action(detail=True, methods=["post"], url_path="Adopt")
    @idempotent
    def adopt(self, request: AuthedRequest, inquiry_no: str) -> Response:
        body = AdoptBodySerializer.parse(request)
        added_count, left_out = inquiry_adopt(
            actor=request.user,
            inquiry_no=inquiry_no,
            quantities=AdoptBodySerializer.read_quantities(body),
        )
        return Ok(
            {"Added": added_count, "LeftOut": AdoptLeftOutSerializer(left_out, many=True).data},
            message="已采纳报价，商品已加入购物车",
        )
