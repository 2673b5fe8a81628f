"""POST /api/ProductInquiry/{InquiryNo}/Adopt: quoted catalogue products become cart lines. It
belongs to cart, because it writes the cart.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.cart.services.inquiry_adopt import inquiry_adopt
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer, QuantityField, list_of
from apps.common.api.views import AuthedRequest, MallViewSet

MAX_LINES = 20
MAX_ID = 10**18


class AdoptLineSerializer(BodySerializer):
    Id = serializers.IntegerField(min_value=1, max_value=MAX_ID)
    Quantity = QuantityField()


class AdoptBodySerializer(BodySerializer):
    Lines = list_of(
        AdoptLineSerializer,
        required=False,
        allow_empty=False,
        max_length=MAX_LINES,
        help_text="留空为全部报价商品，按询价数量",
    )

    @staticmethod
    def quantities(body: dict[str, Any]) -> dict[int, int] | None:
        """Return the quantities by line, or None to adopt all lines as requested."""
        lines = body.get("Lines")
        return None if lines is None else {line["Id"]: line["Quantity"] for line in lines}


class AdoptLeftOutSerializer(serializers.Serializer[Any]):
    ProductCode = serializers.CharField(source="product_code")
    Name = serializers.CharField(source="name")
    Message = serializers.CharField(source="message")


class AdoptedSerializer(serializers.Serializer[Any]):
    Added = serializers.IntegerField()
    LeftOut = AdoptLeftOutSerializer(many=True)


class InquiryAdoptViewSet(MallViewSet):
    access = Access.login()
    serializer_class = AdoptedSerializer
    lookup_url_kwarg = "inquiry_no"

    @extend_schema(request=AdoptBodySerializer, responses=AdoptedSerializer)
    @action(detail=True, methods=["post"], url_path="Adopt")
    @idempotent
    def adopt(self, request: AuthedRequest, inquiry_no: str) -> Response:
        body = AdoptBodySerializer.parse(request)
        added, left_out = inquiry_adopt(
            actor=request.user,
            inquiry_no=inquiry_no,
            quantities=AdoptBodySerializer.quantities(body),
        )
        return Ok(
            {"Added": added, "LeftOut": AdoptLeftOutSerializer(left_out, many=True).data},
            message="已采纳报价，商品已加入购物车",
        )
