"""Amounts in the back office as people read them: ¥5,424.60."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.contrib import admin


def yuan_text(amount: Decimal) -> str:
    """Return the amount with thousands separators; its sign stands before the ¥, as the mall writes it."""
    return f"{'-' if amount < 0 else ''}¥{abs(amount):,.2f}"


def money_column(name: str, label: str) -> Callable[[Any], str]:
    """Return a column, or a field to look at, for the amount of that name; sorts as the amount does."""

    @admin.display(description=label, ordering=name)
    def shown(row: Any) -> str:
        amount = getattr(row, name)
        return "—" if amount is None else yuan_text(amount)

    shown.__name__ = name
    return shown
