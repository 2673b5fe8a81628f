"""Bring the facts of some orders to what their rows say: from an event, from a rebuild, twice or late, it comes to the same."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import transaction

from apps.orders.models import Order
from apps.reports.models import ReportFact
from apps.reports.selectors.fact_sources import facts_of

# What names a fact; what it says are all its other columns.
KEY = ("kind", "source_id")
SAID = tuple(
    field.attname for field in ReportFact._meta.concrete_fields if field.attname not in {"id", "group_id", *KEY}
)  # fmt: skip


@transaction.atomic
def facts_keep(order_ids: Collection[int]) -> int:
    """Write, change and take away facts of these orders, of one group; return how many rows that moved.

    The orders are locked first, by key: of two that keep the same order at once the later reads what the earlier has written.
    """
    rows = Order.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=order_ids)
    orders = list(rows.select_related("budget_reservation").order_by("pk"))
    held = {(row.kind, row.source_id): row for row in ReportFact.objects.filter(order__in=order_ids).order_by()}
    new, changed = [], []
    for fact in facts_of(orders):
        present = held.pop((fact.kind, fact.source_id), None)
        if present is None:
            new.append(fact)
        elif _said(present) != _said(fact):
            fact.pk = present.pk
            changed.append(fact)
    ReportFact.objects.bulk_create(new, batch_size=500)
    ReportFact.objects.bulk_update(changed, list(_names()), batch_size=200)
    if held:
        ReportFact.objects.filter(pk__in=[row.pk for row in held.values()]).delete()
    return len(new) + len(changed) + len(held)


def _said(fact: ReportFact) -> tuple[Any, ...]:
    return tuple(getattr(fact, name) for name in SAID)


def _names() -> tuple[str, ...]:
    return tuple(field.name for field in ReportFact._meta.concrete_fields if field.attname in SAID)
