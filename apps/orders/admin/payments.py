"""付款 in the admin, read only."""

from __future__ import annotations

from django.contrib import admin
from unfold.contrib.filters.admin import RangeDateTimeFilter

from apps.office.cells import money_column
from apps.office.read_only import ReadOnlyAdmin
from apps.orders.models import Payment


@admin.register(Payment)
class PaymentAdmin(ReadOnlyAdmin):
    list_display = (
        "payment_no",
        "order",
        "kind",
        money_column("amount", "金额"),
        "status",
        "gateway",
        "paid_at",
    )
    list_filter = ("status", "kind", ("created_at", RangeDateTimeFilter))
    list_select_related = ("order",)
    search_fields = ("payment_no", "order__order_no", "gateway_reference")
