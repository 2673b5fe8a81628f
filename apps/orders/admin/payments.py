"""付款 and 发货单 in the back office: to look at."""

from __future__ import annotations

from django.contrib import admin

from apps.common.admin.looking import LookingAdmin, LookingInline
from apps.orders.models import Payment, Shipment, ShipmentLine


@admin.register(Payment)
class PaymentAdmin(LookingAdmin):
    list_display = ("payment_no", "order", "kind", "amount", "status", "gateway", "paid_at")
    list_filter = ("status", "kind", "gateway")
    list_select_related = ("order",)
    search_fields = ("payment_no", "order__order_no", "gateway_reference")
    date_hierarchy = "created_at"


class ShipmentLineInline(LookingInline):
    model = ShipmentLine
    fields = ("order_line", "quantity", "received_quantity")


@admin.register(Shipment)
class ShipmentAdmin(LookingAdmin):
    inlines = (ShipmentLineInline,)
    list_display = ("shipment_no", "order", "carrier", "tracking_no", "shipped_at", "received_at")
    list_filter = ("carrier",)
    list_select_related = ("order",)
    search_fields = ("shipment_no", "tracking_no", "order__order_no")
    date_hierarchy = "shipped_at"
