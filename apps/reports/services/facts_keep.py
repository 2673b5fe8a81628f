"""Bring the facts of some orders to what their rows say: from an event, from a rebuild, twice or late, it comes to the same."""

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
    """A table of the read model; `key` names a row of it, what a row says are all its other columns."""

    model: Any
    key: tuple[str, ...]

    def said(self) -> dict[str, str]:
        """Return the fields a row says something in, by their columns."""
        fields = self.model._meta.concrete_fields
        return {field.attname: field.name for field in fields if field.attname not in {"id", "group_id", *self.key}}


FACTS = _Kept(ReportFact, ("kind", "source_id"))
ORDER_DAYS = _Kept(ReportOrderDay, ("order_id", "basis", "day"))


@transaction.atomic
def facts_keep(order_ids: Collection[int]) -> int:
    """Write, change and take away facts of these orders, of one group, and their sums by day; return how many facts that moved.

    The orders are locked first, by key: of two that keep the same order at once the later reads what the earlier has written.
    """
    rows = Order.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=order_ids)
    orders = list(rows.select_related("budget_reservation").order_by("pk"))
    facts = list(facts_of(orders))
    _brought(ORDER_DAYS, order_ids, days_of(facts))
    return _brought(FACTS, order_ids, facts)


def _brought(kept: _Kept, order_ids: Collection[int], right: Iterable[Any]) -> int:
    """Make the rows of these orders the right ones; return how many were written, changed and taken away."""
    said = kept.said()
    held = {_values(row, kept.key): row for row in kept.model.objects.filter(order__in=order_ids).order_by()}
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
