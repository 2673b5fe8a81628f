"""Responses of orders: list, detail, and the results of submit, pay, receive and buy again."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.approvals.models import Approval
from apps.approvals.selectors.waiting import may_urge
from apps.approvals.shared_serializers import AmendmentSerializer, QuestionSerializer
from apps.calendar.selectors import WorkingCalendar, get_working_calendar
from apps.catalog.selectors.pictures import build_media_url
from apps.common.api.serializers import (
    AnswerSerializer,
    MoneyField,
    PersonSerializer,
    RecordedPersonSerializer,
    TimelineRowSerializer,
)
from apps.dimensions.enums import DimensionKind
from apps.orders.claims import OpenedReturn
from apps.orders.enums import EVENT_NAMES, OrderStatus
from apps.orders.models import Order, OrderLine, Payment, Shipment, ShipmentLine
from apps.orders.selectors.access import is_owed_online, list_allowed_actions, pay_by
from apps.orders.selectors.allocations import list_order_allocations
from apps.orders.selectors.earmarks import list_earmark_reservations
from apps.orders.shared_serializers import TrackingSerializer
from apps.orders.snapshots import format_address


class OrderAmountsSerializer(serializers.Serializer[Order]):
    Goods = MoneyField(source="goods_amount")
    Freight = MoneyField(source="freight_amount")
    Tax = MoneyField(source="tax_amount")
    Total = MoneyField(source="total_amount")


class OrderLineSerializer(serializers.Serializer[OrderLine]):
    Id = serializers.CharField(source="pk")
    ProductCode = serializers.CharField(source="product_code")
    Name = serializers.CharField()
    CustomerCode = serializers.CharField(source="customer_code")
    Brand = serializers.CharField(source="brand")
    Model = serializers.CharField(source="model_code")
    Unit = serializers.CharField(source="unit")
    ImageUrl = serializers.CharField()
    Quantity = serializers.IntegerField(source="quantity")
    CancelledQuantity = serializers.IntegerField(source="cancelled_quantity")
    CancellingQuantity = serializers.IntegerField(source="cancelling_quantity")
    ShippedQuantity = serializers.IntegerField(source="shipped_quantity")
    ReceivedQuantity = serializers.IntegerField(source="received_quantity")
    ReturningQuantity = serializers.IntegerField(source="returning_quantity")
    ReturnedQuantity = serializers.IntegerField(source="returned_quantity")
    AppliedQuantity = serializers.IntegerField(source="applied_quantity")
    InvoicedQuantity = serializers.IntegerField(source="invoiced_quantity")
    UnitPrice = MoneyField(source="unit_price_incl_tax")
    MallPrice = MoneyField(source="market_price")
    Amount = MoneyField(source="amount_incl_tax")
    TaxRate = serializers.DecimalField(source="tax_rate", max_digits=4, decimal_places=2)
    Tax = MoneyField(source="tax_amount")
    RequisitionNo = serializers.CharField(
        source="requisition_no", help_text="来自同事的采购申请，否则为空"
    )
    AskedBy = serializers.CharField(source="asked_by", help_text="申请人")
    CostCenter = serializers.CharField(source="cost_center")

    def to_representation(self, line: OrderLine) -> dict[str, Any]:
        """Return the line. The fields are written out for speed, because they take most of the
        time of a list page (make bench BENCH=orders).
        """
        return {
            "Id": str(line.pk),
            "ProductCode": line.product_code,
            "Name": line.customer_name or line.name,
            "CustomerCode": line.customer_code,
            "Brand": line.brand,
            "Model": line.model_code,
            "Unit": line.unit,
            "ImageUrl": build_media_url(line.image),
            "Quantity": line.quantity,
            "CancelledQuantity": line.cancelled_quantity,
            "CancellingQuantity": line.cancelling_quantity,
            "ShippedQuantity": line.shipped_quantity,
            "ReceivedQuantity": line.received_quantity,
            "ReturningQuantity": line.returning_quantity,
            "ReturnedQuantity": line.returned_quantity,
            "AppliedQuantity": line.applied_quantity,
            "InvoicedQuantity": line.invoiced_quantity,
            "UnitPrice": str(line.unit_price_incl_tax),
            "MallPrice": str(line.market_price),
            "Amount": str(line.amount_incl_tax),
            "TaxRate": str(line.tax_rate),
            "Tax": str(line.tax_amount),
            "RequisitionNo": line.requisition_no,
            "AskedBy": line.asked_by,
            "CostCenter": line.cost_center,
        }


class OrderRowSerializer(serializers.Serializer[Order]):
    """A row of the list. `context["actor"]` is the reader."""

    OrderNo = serializers.CharField(source="order_no")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    ApprovalStatus = serializers.CharField(source="approval_status")
    ApprovalStatusText = serializers.CharField(source="get_approval_status_display")
    InvoiceStatus = serializers.CharField(source="invoicing_status")
    InvoiceStatusText = serializers.CharField(source="get_invoicing_status_display")
    SettlementStatus = serializers.CharField(source="settlement_status")
    SettlementStatusText = serializers.CharField(source="get_settlement_status_display")
    AfterSalesStatus = serializers.CharField(source="after_sales_status")
    AfterSalesStatusText = serializers.CharField(source="get_after_sales_status_display")
    PaymentKind = serializers.CharField(source="payment_kind")
    PaymentKindText = serializers.CharField(source="get_payment_kind_display")
    Amounts = OrderAmountsSerializer(source="*")
    CreatedAt = serializers.DateTimeField(source="submitted_at")
    Requester = PersonSerializer(source="requester")
    Department = serializers.CharField(source="department.name", default="")
    PurchaseOrderNo = serializers.CharField(source="purchase_order_no")
    Lines = OrderLineSerializer(source="lines.all", many=True)
    AllowedActions = serializers.SerializerMethodField()
    AwaitsPayment = serializers.SerializerMethodField()

    def get_AllowedActions(self, order: Order) -> list[str]:
        """Return the codes of the actions that the actor may take now."""
        lines = order.lines.all()
        return list_allowed_actions(
            actor=self.context["actor"],
            order=order,
            has_goods_on_way=_has_goods_on_way(lines),
            has_goods_to_return=_has_goods_to_return(lines),
        )

    def get_AwaitsPayment(self, order: Order) -> bool:
        """Return whether the order waits for its online payment (待支付)."""
        return is_owed_online(order)


def _has_goods_on_way(lines: Any) -> bool:
    return any(line.received_quantity < line.shipped_quantity for line in lines)


def _has_goods_to_return(lines: Any) -> bool:
    """Return whether received pieces are in no return yet. The deadline is checked on the
    application page, not here.
    """
    return any(
        line.received_quantity > line.returning_quantity + line.returned_quantity for line in lines
    )


class ShipmentLineSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="order_line_id")
    ProductCode = serializers.CharField(source="order_line.product_code")
    Name = serializers.SerializerMethodField()
    Brand = serializers.CharField(source="order_line.brand")
    Quantity = serializers.IntegerField(source="quantity")
    ReceivedQuantity = serializers.IntegerField(source="received_quantity")

    def get_Name(self, line: ShipmentLine) -> str:
        """Return the customer's name of the product, as on the order line."""
        return str(line.order_line.customer_name or line.order_line.name)


class ShipmentSerializer(serializers.Serializer[Shipment]):
    ShipmentNo = serializers.CharField(source="shipment_no")
    Carrier = serializers.CharField(source="carrier")
    TrackingNo = serializers.CharField(source="tracking_no")
    ShippedAt = serializers.DateTimeField(source="shipped_at")
    ReceivedAt = serializers.DateTimeField(source="received_at", allow_null=True)
    AutoReceiveAt = serializers.DateTimeField(source="receives_itself_at", allow_null=True)
    Lines = ShipmentLineSerializer(source="lines.all", many=True)
    Tracking = serializers.SerializerMethodField()

    @extend_schema_field(TrackingSerializer(many=True))
    def get_Tracking(self, shipment: Shipment) -> Any:
        """Return the tracking events, newest first."""
        events_by_parcel = self.context["detail"].tracking
        return TrackingSerializer(
            events_by_parcel.get((shipment.carrier, shipment.tracking_no), ()), many=True
        ).data


class PaymentSerializer(serializers.Serializer[Payment]):
    PaymentNo = serializers.CharField(source="payment_no")
    Kind = serializers.CharField(source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Amount = MoneyField(source="amount")
    Refunded = MoneyField(source="refunded_amount", help_text="其中已退回")
    CreatedAt = serializers.DateTimeField(source="created_at")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    PaidAt = serializers.DateTimeField(source="paid_at", allow_null=True)

    def to_representation(self, instance: Payment) -> dict[str, Any]:
        """Return the payment. A payment that staff undid is 已撤销 and shows no refund, because no
        money went to the customer.
        """
        body: dict[str, Any] = super().to_representation(instance)
        return (
            body | {"Refunded": "0.00", "StatusText": "已撤销"}
            if getattr(instance, "is_undone", False)
            else body
        )


class EventSerializer(TimelineRowSerializer):
    """An event of the timeline of an order."""

    kinds = EVENT_NAMES
    states = dict(OrderStatus.choices)


class ApprovalTaskSerializer(serializers.Serializer[Any]):
    Approver = RecordedPersonSerializer(source="approver")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    At = serializers.DateTimeField(source="decided_at", allow_null=True)
    Comment = serializers.CharField(source="comment")


class ApprovalStepSerializer(serializers.Serializer[Any]):
    No = serializers.IntegerField(source="no")
    RuleName = serializers.CharField(source="rule_name")
    Mode = serializers.CharField(source="mode")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="status_text")
    Note = serializers.CharField(source="note")
    Tasks = ApprovalTaskSerializer(source="tasks.all", many=True)


class OrderApprovalSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Status = serializers.CharField(source="status")
    Reasons = serializers.ListField(source="reasons", child=serializers.CharField())
    Steps = ApprovalStepSerializer(source="steps.all", many=True)
    Amendments = AmendmentSerializer(source="amendments.all", many=True)
    Questions = QuestionSerializer(source="open_questions", many=True)
    AllowedActions = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=["urge"])))
    def get_AllowedActions(self, approval: Approval) -> list[str]:
        """Return `urge` if the requester may urge the approvers now."""
        # The holidays matter only after a first urge, so the query is skipped before it.
        calendar = get_working_calendar() if approval.urged_at else WorkingCalendar({})
        return (
            ["urge"]
            if may_urge(actor=self.context["actor"], approval=approval, calendar=calendar)
            else []
        )


class OrderBudgetSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="budget.pk")
    Name = serializers.CharField(source="budget.name")
    Reserved = MoneyField(source="amount")
    Consumed = MoneyField(source="consumed")
    Available = MoneyField(
        source="budget.available", help_text="预算现在可用的余额，本单的预占已扣除"
    )


class OrderEarmarkSerializer(OrderBudgetSerializer):
    """An earmarked budget (专项预算) that lines of the order use."""

    EarmarkText = serializers.CharField(source="budget.earmark_text", help_text="限定范围")


class BatchOrderSerializer(AnswerSerializer):
    """An order of the same submit."""

    OrderNo = serializers.CharField(source="order_no")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Total = MoneyField(source="total_amount")
    Department = serializers.CharField(source="department.name", default="")
    CostCenter = serializers.CharField(source="cost_center")
    Receiver = serializers.CharField(source="address_snapshot.Receiver")
    Address = serializers.SerializerMethodField()

    def get_Address(self, order: Order) -> str:
        """Return the delivery address in one line."""
        return format_address(order.address_snapshot)


class OrderAllocationSerializer(AnswerSerializer):
    """A part of a line, or of the freight, for one dimension."""

    LineId = serializers.CharField(
        source="line_id", allow_null=True, help_text="订单行；运费的分摊为空"
    )
    Kind = serializers.ChoiceField(choices=DimensionKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    DimensionId = serializers.CharField(source="dimension_id")
    Code = serializers.CharField(source="code", help_text="下单时的编码")
    Name = serializers.CharField(source="name", help_text="下单时的名称")
    Percent = serializers.DecimalField(
        source="percent",
        max_digits=5,
        decimal_places=2,
        allow_null=True,
        help_text="按比例分摊时的百分比",
    )
    Amount = MoneyField(source="amount")


class OrderDetailSerializer(OrderRowSerializer):
    """One order in detail. `context["detail"]` has the data that is not in the row of the list."""

    Requester = RecordedPersonSerializer(source="requester")
    Enterprise = serializers.CharField(source="enterprise.name")
    DeliveryWish = serializers.CharField(source="delivery_wish")
    DeliveryWishText = serializers.CharField(source="get_delivery_wish_display")
    InvoiceKind = serializers.CharField(source="invoice_kind")
    InvoiceKindText = serializers.CharField(source="get_invoice_kind_display")
    Address = serializers.DictField(source="address_snapshot", child=serializers.CharField())
    InvoiceTitle = serializers.DictField(source="invoice_snapshot", child=serializers.CharField())
    PromisedDays = serializers.IntegerField(source="promised_days")
    CostCenter = serializers.CharField(source="cost_center")
    Allocations = serializers.SerializerMethodField()
    Remark = serializers.CharField(source="remark")
    Budget = OrderBudgetSerializer(source="budget_reservation", allow_null=True)
    Earmarks = serializers.SerializerMethodField(help_text="商品另外计入的专项预算；没有时为空")
    ConfirmedAt = serializers.DateTimeField(source="confirmed_at", allow_null=True)
    ShippedAt = serializers.DateTimeField(source="shipped_at", allow_null=True)
    CompletedAt = serializers.DateTimeField(source="completed_at", allow_null=True)
    Shipments = ShipmentSerializer(source="shipments.all", many=True)
    Payments = PaymentSerializer(source="payments.all", many=True)
    PayBy = serializers.SerializerMethodField()
    Batch = serializers.SerializerMethodField()
    Approval = serializers.SerializerMethodField()
    Timeline = serializers.SerializerMethodField()

    @extend_schema_field(OrderAllocationSerializer(many=True))
    def get_Allocations(self, order: Order) -> Any:
        """Return the split over dimensions."""
        return OrderAllocationSerializer.serialize_all(list_order_allocations(order))

    @extend_schema_field(OrderEarmarkSerializer(many=True))
    def get_Earmarks(self, order: Order) -> Any:
        """Return the earmarked budgets of the lines."""
        return OrderEarmarkSerializer(list_earmark_reservations(order), many=True).data

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_PayBy(self, order: Order) -> Any:
        """Return the time when the unpaid order is cancelled. Null if no online payment is due."""
        due = pay_by(order)
        return serializers.DateTimeField().to_representation(due) if due else None

    @extend_schema_field(BatchOrderSerializer(many=True))
    def get_Batch(self, order: Order) -> Any:
        """Return the orders of the same submit that the actor may see, including this one.
        Empty if it was submitted alone.
        """
        return BatchOrderSerializer.serialize_all(self.context["detail"].batch)

    @extend_schema_field(OrderApprovalSerializer(allow_null=True))
    def get_Approval(self, order: Order) -> Any:
        """Return the latest approval with its chain."""
        approval = self.context["detail"].approval
        return OrderApprovalSerializer(approval, context=self.context).data if approval else None

    @extend_schema_field(EventSerializer(many=True))
    def get_Timeline(self, order: Order) -> Any:
        """Return the events of the order, oldest first."""
        return EventSerializer(self.context["detail"].timeline, many=True).data


class OrderDepartmentSerializer(AnswerSerializer):
    """A department that the actor may order for."""

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    ParentId = serializers.CharField(source="parent_id", allow_null=True)
    CostCenter = serializers.CharField(source="cost_center")


class SubmittedOrderSerializer(AnswerSerializer):
    OrderNo = serializers.CharField(source="order_no")
    Status = serializers.CharField(source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Total = MoneyField(source="total_amount")
    PaymentKind = serializers.CharField(source="payment_kind")


class SubmittedSerializer(SubmittedOrderSerializer):
    """The first order of the submit, and all of its orders."""

    Orders = SubmittedOrderSerializer(many=True)


class PaySerializer(serializers.Serializer[Any]):
    PaymentNo = serializers.CharField()
    Amount = MoneyField()
    PayUrl = serializers.CharField()


class LeftOutSerializer(serializers.Serializer[Any]):
    ProductCode = serializers.CharField(source="product_code")
    Name = serializers.CharField(source="name")
    Brand = serializers.CharField(source="brand")
    Message = serializers.CharField(source="message")


class ReorderedSerializer(serializers.Serializer[Any]):
    Added = serializers.IntegerField(source="added")
    LeftOut = LeftOutSerializer(source="left_out", many=True)


class ClaimedReturnSerializer(serializers.Serializer[OpenedReturn]):
    """A return that a claim opened. `ReturnOrderId` is empty if the actor may not open its
    page.
    """

    ReturnOrderId = serializers.CharField(source="number")
    Text = serializers.CharField(source="text")


class ReceivedSerializer(OrderDetailSerializer):
    """The order after a receipt. `context["opened"]` has the returns that its claims opened."""

    Opened = serializers.SerializerMethodField()

    @extend_schema_field(ClaimedReturnSerializer(many=True))
    def get_Opened(self, _order: Order) -> Any:
        """Return the returns of missing or damaged pieces."""
        return ClaimedReturnSerializer(self.context["opened"], many=True).data
