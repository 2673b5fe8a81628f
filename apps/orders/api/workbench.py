"""GET /api/Workbench, and POST /api/ShoppingCart/YouLike/…: it needs order history, so it lives here (architecture.md)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.catalog.wire import BriefOfferSerializer
from apps.common.api.access import Access
from apps.common.api.serializers import MoneyField
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.orders.api.serializers import OrderRowSerializer
from apps.orders.selectors.recommended import you_like
from apps.orders.selectors.workbench import workbench

MOST = 20


class RecommendedSerializer(BriefOfferSerializer):
    """The spec's recommended product."""


class WorkbenchBudgetSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    OwnerType = serializers.CharField(source="owner_type")
    PeriodFrom = serializers.DateField(source="period_from")
    PeriodTo = serializers.DateField(source="period_to")
    Amount = MoneyField(source="amount")
    Reserved = MoneyField(source="reserved")
    Consumed = MoneyField(source="consumed")
    Available = MoneyField(source="available")


class WorkbenchCountsSerializer(serializers.Serializer[Any]):
    PendingApproval = serializers.IntegerField(source="pending_approval", help_text="待我审批")
    PendingReceipt = serializers.IntegerField(source="pending_receipt", help_text="待收货")
    PendingPayment = serializers.IntegerField(source="pending_payment", help_text="待支付")
    PendingShipment = serializers.IntegerField(source="pending_shipment", help_text="待发货")
    OwnInApproval = serializers.IntegerField(source="own_in_approval", help_text="我的审批中订单")
    QuotedInquiries = serializers.IntegerField(source="quoted_inquiries", help_text="待我采纳的询价报价")


class WorkbenchSerializer(serializers.Serializer[Any]):
    Counts = WorkbenchCountsSerializer(source="*")
    Budgets = WorkbenchBudgetSerializer(source="budgets", many=True)
    RecentOrders = OrderRowSerializer(source="recent_orders", many=True)
    FrequentlyBought = RecommendedSerializer(source="often", many=True)


class WorkbenchViewSet(MallViewSet):
    access = Access.login()
    serializer_class = WorkbenchSerializer
    pagination_class = None

    @extend_schema(responses=WorkbenchSerializer)
    def list(self, request: AuthedRequest) -> Response:
        return Response(WorkbenchSerializer(workbench(actor=request.user), context={"actor": request.user}).data)


class YouLikeViewSet(MallViewSet):
    access = Access.login()
    serializer_class = RecommendedSerializer
    pagination_class = None

    @extend_schema(
        request=None,
        responses=RecommendedSerializer(many=True),
        parameters=[OpenApiParameter("scene", str, "path"), OpenApiParameter("count", int, "path")],
    )
    @action(detail=False, methods=["post"], url_path=r"YouLike/(?P<scene>[^/]{1,20})/(?P<count>[0-9]{1,2})")
    def you_like(self, request: AuthedRequest, scene: str, count: str) -> Response:
        offers = you_like(actor=request.user, count=min(int(count), MOST))
        return Response(RecommendedSerializer(offers, many=True).data)
