"""/api/ShoppingCart (section 7 of the specification)."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.cart.api.serializers import (
    CartAddSerializer,
    CartChangeSerializer,
    CartRemoveSerializer,
    CartSelectSerializer,
    CartSerializer,
)
from apps.cart.selectors.cart import cart_count, cart_view
from apps.cart.services.cart_add import cart_add
from apps.cart.services.cart_change import cart_change, cart_clear, cart_remove, cart_select
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet

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
        return self._cart(request)

    @extend_schema(request=CartChangeSerializer, responses=CartSerializer)
    def partial_update(self, request: AuthedRequest, item_id: str) -> Response:
        body = CartChangeSerializer.parse(request)
        cart_change(
            actor=request.user,
            item_id=int(item_id),
            quantity=body.get("Quantity"),
            is_selected=body.get("Selected"),
        )
        return self._cart(request)

    @extend_schema(request=None, responses=OpenApiTypes.INT)
    @action(detail=False, methods=["post"], url_path="Count")
    def count(self, request: AuthedRequest) -> Response:
        return Response(cart_count(actor=request.user))

    @extend_schema(request=CartAddSerializer, responses=OpenApiTypes.INT)
    @action(detail=False, methods=["post"], url_path="AddToCart")
    @idempotent
    def add(self, request: AuthedRequest) -> Response:
        body = CartAddSerializer.parse(request)
        return Ok(cart_add(actor=request.user, quantities=body["Items"]), message=ADDED)

    @extend_schema(request=CartRemoveSerializer, responses=CartSerializer)
    @action(detail=False, methods=["post"], url_path="Remove")
    def remove(self, request: AuthedRequest) -> Response:
        cart_remove(actor=request.user, item_ids=CartRemoveSerializer.parse(request)["Ids"])
        return self._cart(request)

    @extend_schema(request=CartSelectSerializer, responses=CartSerializer)
    @action(detail=False, methods=["post"], url_path="Select")
    def select(self, request: AuthedRequest) -> Response:
        body = CartSelectSerializer.parse(request)
        cart_select(actor=request.user, is_selected=body["Selected"], item_ids=body.get("Ids"))
        return self._cart(request)

    @extend_schema(request=None, responses=CartSerializer)
    @action(detail=False, methods=["post"], url_path="Clear")
    def clear(self, request: AuthedRequest) -> Response:
        cart_clear(actor=request.user)
        return self._cart(request)

    @staticmethod
    def _cart(request: AuthedRequest) -> Response:
        return Response(CartSerializer.answer(cart_view(actor=request.user)))
