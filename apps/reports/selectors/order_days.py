"""What the facts of orders add up to, by order, basis and day: most of what a report shows is summed from these instead of the facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from apps.common.money import ZERO
from apps.reports.models import ReportFact, ReportOrderDay
from apps.reports.models.columns import OrderColumns

SUMMED = ("quantity", "amount", "tax_amount")
NOTHING: dict[str, Any] = {"facts": 0, "quantity": 0, "amount": ZERO, "tax_amount": ZERO}
# What the facts of an order have in common: all columns of both tables but what is summed.
COMMON = tuple(field.attname for field in OrderColumns._meta.get_fields() if field.name not in SUMMED)  # type: ignore[union-attr]


def days_of(facts: Iterable[ReportFact]) -> list[ReportOrderDay]:
    """Return the sums, unsaved; a day whose facts come to nothing has one as well."""
    found: dict[tuple[object, ...], ReportOrderDay] = {}
    for fact in facts:
        key = (fact.group_id, fact.order_id, fact.basis, fact.day)
        if key not in found:
            shared: dict[str, Any] = {name: getattr(fact, name) for name in COMMON}
            found[key] = ReportOrderDay(**shared, **NOTHING)
        row = found[key]
        row.facts += 1
        row.quantity += fact.quantity
        row.amount += fact.amount
        row.tax_amount += fact.tax_amount
    return list(found.values())
