"""Amounts in the back office as people read them: ¥5,424.60."""

from __future__ import annotations

from typing import Any

from apps.common.money import yuan_text as yuan_text


class MoneyColumn:
    """A column, or a field to look at, for the amount `name`; sorts as the amount does, and stands at the right by the end of its class."""

    # The head of a table of rows writes the column's name into its class.
    do_not_call_in_templates = True

    def __init__(self, name: str, label: str) -> None:
        self.name, self.short_description = name, label
        self.admin_order_field: str | None = name
        self.__name__ = f"{name}_money"

    def __call__(self, row: Any) -> str:
        """Return the row's amount, a dash for none."""
        amount = getattr(row, self.name)
        return "—" if amount is None else yuan_text(amount)

    def __str__(self) -> str:
        return self.__name__


def money_column(name: str, label: str) -> MoneyColumn:
    """Return a column, or a field to look at, for the amount of that name."""
    return MoneyColumn(name, label)
