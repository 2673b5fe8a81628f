"""Fields and serializers of invoices that several modules or higher apps use."""

from __future__ import annotations

from datetime import date
from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import PeriodFields
from apps.invoices.enums import InvoiceKind, InvoiceMarkKind, InvoiceStatus
from apps.invoices.selectors.invoices import InvoiceFilter


class MonthField(serializers.CharField):
    """Parses 2026-11 to the first day of the month, and an empty text to None."""

    default_error_messages = {"invalid": "月份格式应为 2026-11"}

    def to_internal_value(self, data: Any) -> date | None:  # type: ignore[override]
        value = super().to_internal_value(data)
        if not value:
            return None
        try:
            month = date.fromisoformat(f"{value}-01") if len(value) == 7 else None
        except ValueError:
            month = None
        if month is None or not 1970 <= month.year <= 2999:
            self.fail("invalid")
        return month


def build_text_field(length: int, label: str = "", **kwargs: Any) -> serializers.CharField:
    """Return an optional text field."""
    messages: dict[str, Any] = {"max_length": f"{label}最多 {length} 个字"}
    return serializers.CharField(
        max_length=length,
        required=False,
        allow_blank=True,
        default="",
        error_messages=messages,
        **kwargs,
    )


class InvoiceFilterFields(PeriodFields):
    """The filters of the list of invoices."""

    Keyword = build_text_field(60, help_text="发票号码、申请单号或订单号")
    Status = serializers.ChoiceField(
        choices=InvoiceStatus.choices, required=False, allow_blank=True, default=""
    )
    Kind = serializers.ChoiceField(
        choices=InvoiceKind.choices, required=False, allow_blank=True, default=""
    )
    OrderNo = build_text_field(24)
    ApplicationNo = build_text_field(24)
    IsRed = serializers.BooleanField(required=False, allow_null=True, default=None)
    Mark = serializers.ChoiceField(
        choices=[
            *InvoiceMarkKind.choices,
            *((f"-{value}", f"未登记{label}") for value, label in InvoiceMarkKind.choices),
        ],
        required=False,
        allow_blank=True,
        default="",
        help_text="处理状态；前加“-”为已开具而未登记该状态的发票",
    )

    @staticmethod
    def build_filter(query: dict[str, Any]) -> InvoiceFilter:
        """Return the filter for the selector."""
        return InvoiceFilter(
            keyword=query["Keyword"],
            status=query["Status"],
            kind=query["Kind"],
            order_no=query["OrderNo"],
            application_no=query["ApplicationNo"],
            is_red=query["IsRed"],
            mark=query["Mark"],
            since=query["From"],
            until=query["To"],
        )
