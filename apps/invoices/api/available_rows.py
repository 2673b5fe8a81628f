"""Serializers of the available goods and the invoice plan."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import AnswerSerializer, MoneyField, PersonSerializer
from apps.orders.models import Order, OrderLine


class InvoiceAvailableItemSerializer(AnswerSerializer):
    """A goods line (`Kind` line), or the freight of an order (`Kind` freight, no OrderLineId,
    quantity 1).
    """

    Kind = serializers.ChoiceField(choices=[("line", "商品"), ("freight", "运费")])
    OrderLineId = serializers.CharField(allow_null=True)
    OrderNo = serializers.CharField()
    OrderedAt = serializers.DateTimeField()
    PurchaseOrderNo = serializers.CharField()
    Department = serializers.CharField()
    Requester = PersonSerializer()
    InvoiceTitle = serializers.CharField(help_text="下单时选择的抬头")
    InvoiceKind = serializers.CharField(help_text="下单时选择的发票种类")
    ProductCode = serializers.CharField()
    Name = serializers.CharField()
    Model = serializers.CharField()
    Unit = serializers.CharField()
    TaxRate = serializers.CharField()
    UnitPrice = MoneyField()
    ReceivedQuantity = serializers.IntegerField()
    ReturnedQuantity = serializers.IntegerField(help_text="已退与售后中")
    AppliedQuantity = serializers.IntegerField()
    InvoicedQuantity = serializers.IntegerField()
    AvailableQuantity = serializers.IntegerField()
    Amount = MoneyField()

    def to_representation(self, row: OrderLine | Order) -> dict[str, Any]:
        """Return the item."""
        return _freight(row) if isinstance(row, Order) else _line(row)


def _of_order(order: Order) -> dict[str, Any]:
    return {
        "OrderNo": order.order_no,
        "OrderedAt": serializers.DateTimeField().to_representation(order.submitted_at),
        "PurchaseOrderNo": order.purchase_order_no,
        "Department": order.department.name if order.department else "",
        "Requester": {"Id": str(order.requester_id), "Name": order.requester.nickname},
        "InvoiceTitle": order.invoice_snapshot.get("Title", ""),
        "InvoiceKind": order.invoice_kind,
    }


def _line(line: OrderLine) -> dict[str, Any]:
    open_quantity: int = line.open_quantity  # type: ignore[attr-defined]
    return {
        "Kind": "line",
        "OrderLineId": str(line.pk),
        **_of_order(line.order),
        "ProductCode": line.product_code,
        "Name": line.customer_name or line.name,
        "Model": line.model_code,
        "Unit": line.unit,
        "TaxRate": str(line.tax_rate),
        "UnitPrice": str(line.unit_price_incl_tax),
        "ReceivedQuantity": line.received_quantity,
        "ReturnedQuantity": line.returned_quantity + line.returning_quantity,
        "AppliedQuantity": line.applied_quantity,
        "InvoicedQuantity": line.invoiced_quantity,
        "AvailableQuantity": open_quantity,
        "Amount": str(line.unit_price_incl_tax * open_quantity),
    }


def _freight(order: Order) -> dict[str, Any]:
    return {
        "Kind": "freight",
        "OrderLineId": None,
        **_of_order(order),
        "ProductCode": "",
        "Name": "运费",
        "Model": "",
        "Unit": "次",
        "TaxRate": "",
        "UnitPrice": str(order.freight_amount),
        "ReceivedQuantity": 1,
        "ReturnedQuantity": 0,
        "AppliedQuantity": 0,
        "InvoicedQuantity": 0,
        "AvailableQuantity": 1,
        "Amount": str(order.freight_amount),
    }


class InvoiceAvailableTotalsSerializer(AnswerSerializer):
    """Totals of all rows that match the filter, on all pages."""

    Lines = serializers.IntegerField(source="lines", help_text="商品行数")
    Freights = serializers.IntegerField(source="freights", help_text="运费笔数")
    Quantity = serializers.IntegerField(source="quantity")
    Amount = MoneyField(source="amount")


class InvoiceNamedSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")


class InvoiceKindSerializer(serializers.Serializer[Any]):
    Code = serializers.CharField()
    Name = serializers.CharField()
    IsSpecial = serializers.BooleanField(help_text="需要抬头的专票资质")
    IsPaper = serializers.BooleanField(help_text="需要收票地址，否则需要邮箱")


class InvoiceOptionsSerializer(serializers.Serializer[Any]):
    """Options of the page 申请开票."""

    Enterprises = InvoiceNamedSerializer(many=True)
    Departments = InvoiceNamedSerializer(many=True)
    Kinds = InvoiceKindSerializer(many=True)
    Email = serializers.CharField()
    AmountLimit = MoneyField(help_text="平台的单张上限")
    MaxLines = serializers.IntegerField()
    CanKeepTitles = serializers.BooleanField(help_text="可以新增、修改抬头")


class InvoicePlannedLineSerializer(AnswerSerializer):
    OrderNo = serializers.CharField(source="item.order_no")
    OrderLineId = serializers.CharField(source="item.order_line_id", allow_null=True)
    Name = serializers.CharField(source="item.name")
    Model = serializers.CharField(source="item.model_code")
    Unit = serializers.CharField(source="item.unit")
    Quantity = serializers.IntegerField(source="quantity")
    UnitPrice = MoneyField(source="item.unit_price")
    Amount = MoneyField(source="amount")
    Net = MoneyField(source="net")
    TaxRate = serializers.CharField(source="item.tax_rate")
    Tax = MoneyField(source="tax")


class PlannedInvoiceSerializer(serializers.Serializer[Any]):
    No = serializers.IntegerField()
    TitleId = serializers.CharField()
    Title = serializers.CharField()
    TaxNumber = serializers.CharField()
    Amount = MoneyField()
    Net = MoneyField()
    Tax = MoneyField()
    Capitals = serializers.CharField()
    LineCount = serializers.IntegerField()
    OrderNos = serializers.ListField(child=serializers.CharField())
    Lines = InvoicePlannedLineSerializer(many=True, help_text="前 200 行")


class InvoicePlanSerializer(serializers.Serializer[Any]):
    """The planned invoices, exact to the cent. The application sends `Total` back."""

    Enterprise = InvoiceNamedSerializer()
    InvoiceCount = serializers.IntegerField()
    LineCount = serializers.IntegerField()
    Net = MoneyField()
    Tax = MoneyField()
    Total = MoneyField()
    AmountLimit = MoneyField()
    Invoices = PlannedInvoiceSerializer(many=True)
