"""Texts in the cells of lists and on read-only pages: two lines, amounts, elapsed time."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince

from apps.common.money import yuan_text as yuan_text


def two_lines(first: object, second: object) -> SafeString:
    """Return `first` above a small `second`. Neither line wraps, so rows fit 1280 pixels."""
    return format_html('<span class="office-two">{}<small>{}</small></span>', first, second)


def elapsed_text(since: datetime, *, depth: int = 2) -> str:
    """Return the time since a moment, as in 4 天 7 小时; under a minute it is 不到 1 分钟.

    `depth` is the number of units.
    """
    now = timezone.now()
    if (now - since).total_seconds() < 60:
        return "不到 1 分钟"
    return timesince(since, now, depth=depth).replace("\xa0", " ").replace("，", " ")


class MoneyColumn:
    """A column or read-only field that shows the amount `name`, as in ¥5,424.60.

    Lists sort it by the amount. The style sheet right-aligns names that end in `_money`.
    """

    # Without this, a template calls the object when it writes the CSS class of the column's head.
    do_not_call_in_templates = True

    def __init__(self, name: str, label: str) -> None:
        self.name, self.short_description = name, label
        self.admin_order_field: str | None = name
        self.__name__ = f"{name}_money"

    def __call__(self, row: Any) -> str:
        """Return the row's amount, or a dash if it has none."""
        amount = getattr(row, self.name)
        return "—" if amount is None else yuan_text(amount)

    def __str__(self) -> str:
        return self.__name__


def money_column(name: str, label: str) -> Any:
    """Return a MoneyColumn. Django's types do not know callables in fieldsets."""
    return MoneyColumn(name, label)
