"""GET /api/Approval/{ApprovalId}/Decision. It reads orders, so it belongs to this app and not
to approvals.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.approvals.shared_serializers import (
    AmendmentSerializer,
    ApprovalSerializer,
    BoxQuery,
    CopySerializer,
    RemarkSerializer,
)
from apps.catalog.selectors.pictures import build_media_url
from apps.common.api.access import Access
from apps.common.api.serializers import AnswerSerializer, MoneyField, RecordedPersonSerializer
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.orders.api.serializers import BatchOrderSerializer, OrderAllocationSerializer
from apps.orders.selectors.allocations import list_order_allocations
from apps.orders.selectors.batches import BatchApproval
from apps.orders.selectors.decision import DecidedOrder, Decision, DecisionLine, get_decision
from apps.orders.snapshots import format_address
from apps.org.menus import MenuCode


class LastBoughtSerializer(AnswerSerializer):
    """The last purchase of the product by the enterprise before this order."""

    At = serializers.DateTimeField(source="order.submitted_at")
    Quantity = serializers.IntegerField(source="quantity")
    UnitPrice = MoneyField(source="unit_price_incl_tax")


class DecisionLineSerializer(AnswerSerializer):
    """A line with its price, the market price at the time of the order, and the last purchase."""

    Id = serializers.CharField(source="line.pk")
    ProductCode = serializers.CharField(source="line.product_code")
    Name = serializers.SerializerMethodField()
    MallName = serializers.CharField(source="line.name", help_text="商城的商品名称")
    Brand = serializers.CharField(source="line.brand")
    ImageUrl = serializers.SerializerMethodField()
    Unit = serializers.CharField(source="line.unit")
    Quantity = serializers.IntegerField(source="line.quantity")
    MinQuantity = serializers.IntegerField(source="line.product.min_quantity")
    StepQuantity = serializers.IntegerField(source="line.product.step_quantity")
    UnitPrice = MoneyField(source="line.unit_price_incl_tax")
    MallPrice = MoneyField(source="line.market_price")
    Amount = MoneyField(source="line.amount_incl_tax")
    RequisitionNo = serializers.CharField(source="line.requisition_no")
    AskedBy = serializers.CharField(source="line.asked_by")
    CostCenter = serializers.CharField(source="line.cost_center")
    Last = LastBoughtSerializer(source="last", allow_null=True)

    def get_Name(self, row: DecisionLine) -> str:
        """Return the customer's name of the product, as on the order line."""
        return row.line.customer_name or row.line.name

    def get_ImageUrl(self, row: DecisionLine) -> str:
        """Return the URL of the picture."""
        return build_media_url(row.line.image)


class BudgetParentSerializer(AnswerSerializer):
    """A budget above, with the order counted in."""

    Name = serializers.CharField(source="name")
    Policy = serializers.CharField(source="policy")
    Available = MoneyField(source="available")


class BudgetEffectSerializer(AnswerSerializer):
    """可用 without the order, the amount of the order, and 可用 with the order."""

    Name = serializers.CharField(source="reservation.budget.name")
    PeriodFrom = serializers.DateField(source="reservation.budget.period_from")
    PeriodTo = serializers.DateField(source="reservation.budget.period_to")
    Amount = MoneyField(source="reservation.budget.amount")
    Before = MoneyField(source="before")
    Taken = MoneyField(source="charged_amount")
    After = MoneyField(source="after")
    Parents = BudgetParentSerializer(source="parents", many=True, help_text="上级预算，由近及远")


class EarmarkEffectSerializer(AnswerSerializer):
    """An earmarked budget that lines of the order use, or a budget above one: 可用 without the
    order, the amount of its lines, and 可用 with the order.
    """

    Name = serializers.CharField(source="budget.name")
    EarmarkText = serializers.CharField(source="budget.earmark_text", help_text="限定范围")
    UsedName = serializers.CharField(
        source="used_name", help_text="本行是上级预算时，商品直接计入的专项预算；否则为空"
    )
    Amount = MoneyField(source="budget.amount")
    Before = MoneyField(source="before")
    Taken = MoneyField(source="charged_amount")
    After = MoneyField(source="budget.available")


class RequesterMonthSerializer(AnswerSerializer):
    """The other orders of the requester in the month of this order."""

    Orders = serializers.IntegerField(source="orders")
    Amount = MoneyField(source="amount")
    InApproval = serializers.IntegerField(source="in_approval")


class BatchApprovalSerializer(BatchOrderSerializer):
    """An order of the same submit with its approval."""

    ApprovalId = serializers.CharField(source="approval.pk")
    ApprovalStatus = serializers.CharField(source="approval.status")
    ApprovalStatusText = serializers.CharField(source="approval.get_status_display")
    CanDecide = serializers.BooleanField(source="can_decide", help_text="正等待当前账号审批")

    def to_representation(self, row: BatchApproval) -> dict[str, Any]:
        """Return the fields of the order and of its approval."""
        approval = row.approval
        return {
            **BatchOrderSerializer.answer(row.order),
            "ApprovalId": str(approval.pk),
            "ApprovalStatus": approval.status,
            "ApprovalStatusText": approval.get_status_display(),
            "CanDecide": row.can_decide,
        }


class DecidedOrderSerializer(AnswerSerializer):
    """The order of the approval. The month of `SubmittedAt` is the month of `Month`."""

    OrderNo = serializers.CharField(source="order.order_no")
    SubmittedAt = serializers.DateTimeField(source="order.submitted_at")
    Goods = MoneyField(source="order.goods_amount")
    Freight = MoneyField(source="order.freight_amount")
    PaymentKindText = serializers.CharField(source="order.get_payment_kind_display")
    CostCenter = serializers.CharField(source="order.cost_center")
    Allocations = serializers.SerializerMethodField()
    PurchaseOrderNo = serializers.CharField(source="order.purchase_order_no")
    Remark = serializers.CharField(source="order.remark")
    Lines = DecisionLineSerializer(source="lines", many=True)
    Budget = BudgetEffectSerializer(source="budget", allow_null=True)
    Earmarks = EarmarkEffectSerializer(
        source="earmarks", many=True, help_text="商品另外计入的专项预算；没有时为空"
    )
    Month = RequesterMonthSerializer(source="month")
    Receiver = serializers.CharField(source="order.address_snapshot.Receiver", default="")
    Address = serializers.SerializerMethodField()
    Batch = BatchApprovalSerializer(
        source="batch", many=True, help_text="同一次提交的订单；单独提交时为空"
    )

    @extend_schema_field(OrderAllocationSerializer(many=True))
    def get_Allocations(self, decided: DecidedOrder) -> Any:
        """Return the split over dimensions."""
        return OrderAllocationSerializer.serialize_all(list_order_allocations(decided.order))

    def get_Address(self, decided: DecidedOrder) -> str:
        """Return the delivery address in one line."""
        return format_address(decided.order.address_snapshot)


class StandingInSerializer(AnswerSerializer):
    """A delegation: today `By` may decide in place of `For`, unless `WhyNot` says why not."""

    For = RecordedPersonSerializer(source="delegation.delegator")
    By = RecordedPersonSerializer(source="delegation.delegate")
    WhyNot = serializers.CharField(source="why_not", help_text="空：可以代为审批")


class DecisionSerializer(serializers.Serializer[Decision]):
    """An approval with the data for its decision. `Above` and `Below` are its neighbours in the
    box.
    """

    Approval = serializers.SerializerMethodField()
    Order = DecidedOrderSerializer(source="order", allow_null=True)
    StandIns = StandingInSerializer(source="stand_ins", many=True)
    Amendments = AmendmentSerializer(source="amendments", many=True)
    Copies = CopySerializer(source="copies", many=True)
    Discussion = RemarkSerializer(source="remarks", many=True)
    Above = serializers.CharField(source="beside.above", allow_null=True)
    Below = serializers.CharField(source="beside.below", allow_null=True)

    @extend_schema_field(ApprovalSerializer)
    def get_Approval(self, decision: Decision) -> Any:
        """Return the approval with its chain."""
        return ApprovalSerializer(decision.approval, context=self.context).data


class DecisionViewSet(MallViewSet):
    """The decision page of an approver."""

    access = Access.menu(MenuCode.ORDER_APPROVAL)
    serializer_class = DecisionSerializer
    pagination_class = None
    lookup_url_kwarg = "approval_id"
    lookup_value_regex = DIGITS

    @extend_schema(parameters=[BoxQuery], responses=DecisionSerializer)
    @action(detail=True, methods=["get"], url_path="Decision")
    def decision(self, request: AuthedRequest, approval_id: str) -> Response:
        query = BoxQuery.parse(request)
        filters = BoxQuery.build_filter(
            query, actor=request.user, calendar=BoxQuery.get_calendar(query)
        )
        facts = get_decision(
            actor=request.user, approval_id=int(approval_id), box=query["Box"], filters=filters
        )
        return Response(DecisionSerializer(facts, context={"actor": request.user}).data)
