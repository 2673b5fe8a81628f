"""Amounts in the back office as people read them: ¥5,424.60."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin

from apps.common.money import yuan_text as yuan_text


def money_column(name: str, label: str) -> Callable[[Any], str]:
    """Return a column, or a field to look at, for the amount of that name; sorts as the amount does."""

    @admin.display(description=label, ordering=name)
    def shown(row: Any) -> str:
        amount = getattr(row, name)
        return "—" if amount is None else yuan_text(amount)

    shown.__name__ = name
    return shown
