"""POST /api/Favorite/AddToCart. It belongs to cart, because it writes the cart."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.cart.api.quick_serializers import FillBodySerializer, FilledSerializer
from apps.cart.services.favorites_to_cart import favorites_to_cart
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.search.enums import FavoriteType


class FavoriteCartBodySerializer(FillBodySerializer):
    """The items and their list. With Remove, the added items are removed from the list."""

    Type = serializers.ChoiceField(FavoriteType.choices, default=FavoriteType.FAVORITE)
    Remove = serializers.BooleanField(default=False)


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
        added, refused = favorites_to_cart(
            actor=request.user,
            quantities=body["Items"],
            kind=FavoriteType(body["Type"]),
            leaves=body["Remove"],
        )
        left_out = [
            {
                "ProductCode": code,
                "CustomerProductName": offer.name if offer else "",
                "Message": why,
            }
            for code, offer, why in refused
        ]
        return Ok({"Added": added, "LeftOut": left_out}, message="添加购物车成功" if added else "")
