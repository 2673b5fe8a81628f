"""GET /api/Product/{ProductCode}/Purchases and …/Delivery, and POST /api/ShoppingCart/YouLike. They
read orders and freight, so they belong to this app.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.serializers import AnswerSerializer, MoneyField
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.orders.selectors.freight import list_delivery_estimates
from apps.orders.selectors.purchase_history import get_product_history, list_you_like
from apps.orders.shared_serializers import RecommendedSerializer

MAX_PRODUCTS = 20


class ColleagueSerializer(serializers.Serializer[Any]):
    Name = serializers.CharField(source="name")
    Department = serializers.CharField(source="department")
    IsSelf = serializers.BooleanField(source="is_self")
    Times = serializers.IntegerField(source="times")
    Quantity = serializers.IntegerField(source="quantity")
    LastAt = serializers.DateTimeField(source="last_at")


class PurchasesSerializer(AnswerSerializer):
    """The purchases of a year within the actor's data scope. `Times` counts orders."""

    Times = serializers.IntegerField(source="times")
    People = serializers.IntegerField(source="people")
    Quantity = serializers.IntegerField(source="quantity")
    LastAt = serializers.DateTimeField(source="last_at", allow_null=True)
    Buyers = ColleagueSerializer(source="buyers", many=True)
    Together = RecommendedSerializer(source="together", many=True)


class DeliveryEstimateSerializer(AnswerSerializer):
    """The days from today and the date. `Fee` applies below `FreeFrom`, which is null if
    delivery is never free.
    """

    AddressId = serializers.CharField(source="address.pk")
    Label = serializers.CharField(source="address.label")
    Address = serializers.CharField(source="address.full_text")
    Receiver = serializers.CharField(source="address.receiver")
    IsDefault = serializers.BooleanField(source="address.is_default")
    Days = serializers.IntegerField(source="days")
    ArrivesOn = serializers.DateField(source="arrives_on")
    Fee = MoneyField(source="fee")
    FreeFrom = MoneyField(source="free_from", allow_null=True)


class ProductHistoryViewSet(MallViewSet):
    """Data that the product page loads after its first screen."""

    access = Access.login()
    serializer_class = PurchasesSerializer
    pagination_class = None
    lookup_field = "product_code"
    lookup_value_regex = DIGITS

    @extend_schema(responses=PurchasesSerializer)
    @action(detail=True, methods=["get"], url_path="Purchases")
    def purchases(self, request: AuthedRequest, product_code: str) -> Response:
        return Response(
            PurchasesSerializer.answer(get_product_history(actor=request.user, code=product_code))
        )

    @extend_schema(responses=DeliveryEstimateSerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Delivery")
    def delivery(self, request: AuthedRequest, product_code: str) -> Response:
        return Response(
            DeliveryEstimateSerializer.serialize_all(
                list_delivery_estimates(actor=request.user, code=product_code)
            )
        )


class YouLikeViewSet(MallViewSet):
    access = Access.login()
    serializer_class = RecommendedSerializer
    pagination_class = None

    @extend_schema(
        request=None,
        responses=RecommendedSerializer(many=True),
        parameters=[OpenApiParameter("scene", str, "path"), OpenApiParameter("count", int, "path")],
    )
    @action(
        detail=False,
        methods=["post"],
        url_path=r"YouLike/(?P<scene>[^/]{1,20})/(?P<count>[0-9]{1,2})",
    )
    def you_like(self, request: AuthedRequest, scene: str, count: str) -> Response:
        offers = list_you_like(actor=request.user, count=min(int(count), MAX_PRODUCTS))
        return Response(RecommendedSerializer(offers, many=True).data)
