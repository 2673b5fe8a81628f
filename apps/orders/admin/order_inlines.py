"""Inlines of the order page: lines, shipments, payments and staff notes."""

from __future__ import annotations

from apps.office.cells import money_column
from apps.office.read_only import ReadOnlyInline
from apps.orders.models import OrderLine, OrderNote, Payment, Shipment


class OrderLineInline(ReadOnlyInline):
    model = OrderLine
    fields = (
        "no",
        "product_code",
        "name",
        "quantity",
        "cancelled_quantity",
        "cancelling_quantity",
        "shipped_quantity",
        "received_quantity",
        "unit",
        money_column("unit_price_incl_tax", "单价（含税）"),
        money_column("amount_incl_tax", "金额（含税）"),
    )
    readonly_fields = fields


class ShipmentInline(ReadOnlyInline):
    model = Shipment
    list_select_related = ("shipped_by",)
    show_change_link = True
    fields = ("shipment_no", "carrier", "tracking_no", "shipped_by", "shipped_at", "received_at")
    readonly_fields = fields


class PaymentInline(ReadOnlyInline):
    model = Payment
    fields = ("payment_no", "kind", money_column("amount", "金额"), "status", "paid_at")
    readonly_fields = fields


class NoteInline(ReadOnlyInline):
    model = OrderNote
    list_select_related = ("author",)
    fields = ("written_at", "author", "text")
    readonly_fields = fields
