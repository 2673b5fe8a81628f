"""Update the facts of orders to match their source rows. Events, rebuilds, and late or repeated
messages give the same result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from apps.orders.models import Order
from apps.reports.models import ReportFact, ReportOrderDay
from apps.reports.selectors.fact_sources import facts_of
from apps.reports.selectors.order_days import days_of


@dataclass(frozen=True, slots=True)
class _Kept:
    """A table of the read model. `key` identifies a row; all other columns are its values."""

    model: Any
    key: tuple[str, ...]

    def said(self) -> dict[str, str]:
        """Return the value columns: attribute name → field name."""
        fields = self.model._meta.concrete_fields
        return {
            field.attname: field.name
            for field in fields
            if field.attname not in {"id", "group_id", *self.key}
        }


FACTS = _Kept(ReportFact, ("kind", "source_id"))
ORDER_DAYS = _Kept(ReportOrderDay, ("order_id", "basis", "day"))


@transaction.atomic
def facts_keep(order_ids: Collection[int]) -> int:
    """Insert, update and delete facts of these orders and their daily sums. All orders belong
    to one group. Return the number of changed facts.

    The orders are locked first, in the order of their keys. If two transactions update the same
    order, the second one reads the result of the first.
    """
    rows = Order.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=order_ids)
    orders = list(rows.select_related("budget_reservation").order_by("pk"))
    facts = list(facts_of(orders))
    _brought(ORDER_DAYS, order_ids, days_of(facts))
    return _brought(FACTS, order_ids, facts)


def _brought(kept: _Kept, order_ids: Collection[int], right: Iterable[Any]) -> int:
    """Make the rows of these orders equal to `right`. Return the number of inserted, updated
    and deleted rows.
    """
    said = kept.said()
    held = {
        _values(row, kept.key): row
        for row in kept.model.objects.filter(order__in=order_ids).order_by()
    }
    new, changed = [], []
    for row in right:
        present = held.pop(_values(row, kept.key), None)
        if present is None:
            new.append(row)
        elif _values(present, said) != _values(row, said):
            row.pk = present.pk
            changed.append(row)
    kept.model.objects.bulk_create(new, batch_size=500)
    kept.model.objects.bulk_update(changed, list(said.values()), batch_size=200)
    if held:
        kept.model.objects.filter(pk__in=[row.pk for row in held.values()]).delete()
    return len(new) + len(changed) + len(held)


def _values(row: Any, names: Iterable[str]) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in names)
