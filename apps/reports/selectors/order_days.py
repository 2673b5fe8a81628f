"""Sum the facts of orders by order, basis and day. Most reports read these sums instead of the
facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from apps.common.money import ZERO
from apps.reports.models import ReportFact, ReportOrderDay
from apps.reports.models.columns import OrderColumns

SUMMED = ("quantity", "amount", "tax_amount")
NOTHING: dict[str, Any] = {"facts": 0, "quantity": 0, "amount": ZERO, "tax_amount": ZERO}
# The columns that both tables share, except the summed ones.
COMMON = tuple(
    field.attname  # type: ignore[union-attr]
    for field in OrderColumns._meta.get_fields()
    if field.name not in SUMMED
)


def days_of(facts: Iterable[ReportFact]) -> list[ReportOrderDay]:
    """Return the sums, unsaved. A day whose facts sum to zero also has a row."""
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
