"""Response of the order trace."""

from __future__ import annotations

from rest_framework import serializers

from apps.common.api.serializers import MoneyField
from apps.orders.enums import TraceKind
from apps.orders.models import OrderLine
from apps.orders.selectors.order_trace import OrderTrace, TracedLine, TraceStep, TraceSum


class TraceStepSerializer(serializers.Serializer[TraceStep]):
    """A document of the trace. `Number` and `Target` are empty if the actor may not open it.
    `Counts` is false for a pending or void document.
    """

    Kind = serializers.ChoiceField(source="kind", choices=TraceKind.choices)
    At = serializers.DateTimeField(source="at")
    Quantity = serializers.IntegerField(source="quantity", allow_null=True)
    Amount = MoneyField(source="amount", allow_null=True)
    Number = serializers.CharField(source="number")
    Target = serializers.CharField(source="target", help_text="单据页面的编号，空为不可查看")
    State = serializers.CharField(source="state")
    Counts = serializers.BooleanField(source="is_counted", help_text="是否计入合计")


class LineQuantitiesSerializer(serializers.Serializer[OrderLine]):
    LineId = serializers.CharField(source="pk")
    ProductCode = serializers.CharField(source="product_code")
    Unit = serializers.CharField(source="unit")
    Quantity = serializers.IntegerField(source="quantity", help_text="订购数量，已减去取消的")
    Cancelled = serializers.IntegerField(source="cancelled_quantity")
    Cancelling = serializers.IntegerField(source="cancelling_quantity")
    Shipped = serializers.IntegerField(source="shipped_quantity")
    Received = serializers.IntegerField(source="received_quantity")
    Returning = serializers.IntegerField(source="returning_quantity")
    Returned = serializers.IntegerField(source="returned_quantity")
    Applied = serializers.IntegerField(source="applied_quantity")
    Invoiced = serializers.IntegerField(source="invoiced_quantity")


class TracedLineSerializer(serializers.Serializer[TracedLine]):
    """A line with its quantities. The freight has no `Line`."""

    Name = serializers.SerializerMethodField()
    Brand = serializers.CharField(source="line.brand", default="", help_text="运费为空")
    Amount = MoneyField(source="amount")
    Line = LineQuantitiesSerializer(source="line", allow_null=True)
    Steps = TraceStepSerializer(source="steps", many=True)

    def get_Name(self, traced: TracedLine) -> str:
        """Return the customer's name of the product."""
        return str(traced.line.customer_name or traced.line.name) if traced.line else "运费"


class TraceSumSerializer(serializers.Serializer[TraceSum]):
    Total = MoneyField(source="total")
    Delivered = MoneyField(source="delivered")
    Returned = MoneyField(source="returned")
    Payable = MoneyField(source="payable", help_text="已签收 − 已退款")
    Invoiced = MoneyField(source="invoiced")
    Uninvoiced = MoneyField(source="uninvoiced", help_text="应结算 − 已开票")
    Stated = MoneyField(source="stated")
    Paid = MoneyField(source="paid")
    Owed = MoneyField(source="owed", help_text="应结算 − 已付，预付时为负")


class OrderTraceSerializer(serializers.Serializer[OrderTrace]):
    OrderNo = serializers.CharField(source="order.order_no")
    Lines = TracedLineSerializer(source="lines", many=True)
    Sum = TraceSumSerializer(source="sum")
