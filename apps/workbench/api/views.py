"""GET /api/Workbench and POST /api/Workbench/Shortcuts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.budgets.enums import BudgetState
from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import AnswerSerializer, BodySerializer, MoneyField
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.orders.enums import OrderStatus
from apps.orders.selectors.orders import UNPAID
from apps.orders.shared_serializers import RecommendedSerializer
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.workbench.models import SHORTCUTS
from apps.workbench.selectors import Workbench, get_shortcuts, get_workbench
from apps.workbench.services import shortcuts_arrange

S = OrderStatus


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
    State = serializers.ChoiceField(choices=BudgetState.choices, source="state")
    IsUsable = serializers.BooleanField(
        source="is_usable", help_text="本人下单可用；否则是数据范围内看得到的"
    )


class WorkbenchBudgetTotalsSerializer(AnswerSerializer):
    """Totals of the current budgets that the actor may see: all of them, those from 80 % to
    below 100 % used, and those with 100 % or more used.
    """

    Count = serializers.IntegerField(source="count")
    Near = serializers.IntegerField(source="near")
    Full = serializers.IntegerField(source="full")


def _count_field(text: str) -> serializers.IntegerField:
    return serializers.IntegerField(allow_null=True, help_text=f"{text}；没有权限时为空")


class WorkbenchCountsSerializer(serializers.Serializer[Any]):
    PendingApproval = _count_field("待我审批")
    LateApproval = _count_field("待我审批中已超时的")
    LateApprovals = _count_field(
        "数据范围内有审批人超时未处理的审批，供管理审批规则或查看全企业审批的人"
    )
    PeopleWithoutRole = _count_field("已启用而没有角色的账号")
    RulesWithDisabled = _count_field("生效规则中指定了已停用账号的")
    PartlyShipped = _count_field("本人部分发货")
    PendingReceipt = _count_field("本人待收货，不含部分发货")
    PendingPayment = _count_field("本人待支付")
    PendingShipment = _count_field("本人待发货")
    OwnInApproval = _count_field("本人审批中订单")
    ToReview = _count_field("本人待评价的订单")
    QuotedInquiries = serializers.IntegerField(help_text="待我采纳的询价报价")
    TransfersToDecide = _count_field("待我审批的预算调拨")
    ReturnsToSend = _count_field("本人退换货中待寄回的，不含上门取件")
    ReturnsToConfirm = _count_field("本人退换货中待确认的")
    RequisitionsToOrder = _count_field("同事提交、待我采购的申请")
    OrdersToInvoice = _count_field("本企业有商品可申请开票的订单，最多数到 100")


class WorkbenchStateSerializer(serializers.Serializer[Any]):
    Status = serializers.CharField(help_text="订单状态，或 unpaid（待支付，含在待确认之内）")
    Count = serializers.IntegerField()


class WorkbenchMonthSerializer(AnswerSerializer):
    Month = serializers.DateField(source="month", help_text="当月第一天")
    Amount = MoneyField(source="amount", max_digits=20)
    Orders = serializers.IntegerField(source="orders")


class WorkbenchSpendSerializer(AnswerSerializer):
    """Orders of the last twelve months, without orders that are rejected, withdrawn, cancelled
    or in approval.
    """

    Months = WorkbenchMonthSerializer(source="months", many=True)
    Before = MoneyField(
        source="before", max_digits=20, help_text="上月 1 日至 BeforeTo 的采购额，与本月至今相比"
    )
    BeforeTo = serializers.DateField(source="before_to")


class WorkbenchOrderSerializer(serializers.Serializer[Any]):
    OrderNo = serializers.CharField(source="order_no")
    Status = serializers.ChoiceField(choices=OrderStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    CreatedAt = serializers.DateTimeField(source="submitted_at")
    Requester = serializers.CharField(source="requester.nickname")
    Total = MoneyField(source="total_amount")
    FirstName = serializers.CharField(source="first_name")
    FirstBrand = serializers.CharField(source="first_brand")
    LineCount = serializers.IntegerField(source="line_count")


class ShortcutsSerializer(AnswerSerializer):
    Chosen = serializers.ListField(source="chosen", child=serializers.CharField())
    Allowed = serializers.ListField(source="allowed", child=serializers.CharField())
    IsArranged = serializers.BooleanField(source="is_arranged")


class ShortcutsBodySerializer(BodySerializer):
    """The codes of the shortcuts in their order. An empty list restores the default."""

    Codes = serializers.ListField(
        source="codes", child=serializers.CharField(max_length=20), max_length=len(SHORTCUTS)
    )


class WorkbenchSerializer(serializers.Serializer[Any]):
    """The workbench. A value is null if the actor lacks its menu code."""

    Counts = WorkbenchCountsSerializer()
    Scope = serializers.ChoiceField(choices=DataScope.choices, help_text="订单与采购额的数据范围")
    ScopeText = serializers.CharField()
    States = WorkbenchStateSerializer(many=True, allow_null=True)
    Spend = WorkbenchSpendSerializer(allow_null=True)
    Budgets = WorkbenchBudgetSerializer(many=True)
    BudgetTotals = WorkbenchBudgetTotalsSerializer(allow_null=True)
    RecentOrders = WorkbenchOrderSerializer(many=True, allow_null=True)
    FrequentlyBought = RecommendedSerializer(many=True)
    PurchasedCategories = serializers.ListField(
        child=serializers.CharField(), help_text="一级分类，按近期订购次数从多到少"
    )
    Shortcuts = ShortcutsSerializer()


def _serialize_workbench(workbench: Workbench, *, sees_budgets: bool) -> dict[str, Any]:
    """Return the workbench with the keys of the API."""
    orders = workbench.orders
    own: Mapping[str, int] = orders.own if orders else {}
    return {
        "Counts": {
            "PendingApproval": workbench.pending_approval,
            "LateApproval": workbench.late_approval,
            "LateApprovals": workbench.admin_figures.late_approvals,
            "PeopleWithoutRole": workbench.admin_figures.people_without_role,
            "RulesWithDisabled": workbench.admin_figures.rules_with_disabled,
            "PartlyShipped": own.get(S.PARTLY_SHIPPED),
            "PendingReceipt": own.get(S.PENDING_RECEIPT),
            "PendingPayment": own.get(UNPAID),
            "PendingShipment": own.get(S.PENDING_SHIPMENT),
            "OwnInApproval": own.get(S.PENDING_APPROVAL),
            "ToReview": orders.own_to_review if orders else None,
            "QuotedInquiries": workbench.quoted_inquiries,
            "TransfersToDecide": workbench.transfers_to_decide,
            "ReturnsToSend": workbench.returns["returns_to_send"],
            "ReturnsToConfirm": workbench.returns["returns_to_confirm"],
            "RequisitionsToOrder": workbench.requisitions_to_order,
            "OrdersToInvoice": workbench.orders_to_invoice,
        },
        "Scope": workbench.scope,
        "ScopeText": workbench.scope.label,
        "States": orders
        and [{"Status": status, "Count": count} for status, count in orders.open.items()],
        "Spend": orders,
        "Budgets": workbench.gauges.rows,
        "BudgetTotals": workbench.gauges if sees_budgets else None,
        "RecentOrders": workbench.recent_orders,
        "FrequentlyBought": workbench.habits.products,
        "PurchasedCategories": workbench.habits.categories,
        "Shortcuts": workbench.shortcuts,
    }


class WorkbenchViewSet(MallViewSet):
    access = Access.login()
    action_access = {"shortcuts": Access.login().in_person()}
    serializer_class = WorkbenchSerializer
    pagination_class = None

    @extend_schema(responses=WorkbenchSerializer)
    def list(self, request: AuthedRequest) -> Response:
        workbench = get_workbench(actor=request.user)
        sees_budgets = request.user.has_menu_code(MenuCode.ASSET_BUDGET)
        return Response(
            WorkbenchSerializer(_serialize_workbench(workbench, sees_budgets=sees_budgets)).data
        )

    @extend_schema(request=ShortcutsBodySerializer, responses=ShortcutsSerializer)
    @action(detail=False, methods=["post"], url_path="Shortcuts")
    @idempotent
    def shortcuts(self, request: AuthedRequest) -> Response:
        """Save the shortcuts of the own workbench and return them."""
        shortcuts_arrange(actor=request.user, codes=ShortcutsBodySerializer.parse(request)["codes"])
        return Ok(
            ShortcutsSerializer.answer(get_shortcuts(actor=request.user)), message="快捷入口已保存"
        )
