"""Shared fields of the request bodies."""

from __future__ import annotations

from datetime import date
from typing import Any

from rest_framework import serializers


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


def required_text(length: int, label: str, **kwargs: Any) -> serializers.CharField:
    """Return a required text field."""
    missing = f"请填写{label}"
    messages: dict[str, Any] = {
        "required": missing,
        "blank": missing,
        "null": missing,
        "max_length": f"{label}最多 {length} 个字",
    }
    return serializers.CharField(max_length=length, error_messages=messages, **kwargs)
