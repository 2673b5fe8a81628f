"""The lines of a return on its page."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.aftersales.models import ReturnLine
from apps.office.cells import money_column
from apps.office.read_only import ReadOnlyInline


class ReturnLineInline(ReadOnlyInline):
    model = ReturnLine
    fields = (
        "no",
        "goods",
        "quantity",
        "is_opened",
        "accepted_quantity",
        "finding",
        "finding_note",
        "to_shelf",
        money_column("amount_incl_tax", "退款金额（含税）"),
        money_column("tax_amount", "其中税额"),
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ReturnLine]:
        queryset: QuerySet[ReturnLine] = super().get_queryset(request)
        return queryset.select_related("order_line")

    @admin.display(description="商品")
    def goods(self, line: ReturnLine) -> str:
        return f"{line.order_line.product_code} {line.order_line.name}"
