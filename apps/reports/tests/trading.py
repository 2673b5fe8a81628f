"""Helpers for report tests: place orders at a time, deliver the outbox, and read the facts."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.common.background.delivery import outbox_deliver
from apps.orders.models import Order
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.reports.models import ReportFact, ReportOrderDay
from apps.reports.selectors.question import ReportQuestion
from apps.reports.selectors.reports import Report, get_report
from demo.load.clock import clock_at

ALL = slice(0, 10_000)


def compute_report(actor: Account, name: str, question: ReportQuestion, sort: str = "") -> Report:
    """Return the report with all its rows and its charts."""
    return get_report(
        actor=actor, name=name, question=question, sort=sort, page=ALL, with_charts=True
    )


def deliver() -> None:
    """Deliver the outbox until it is empty."""
    while outbox_deliver():
        pass


def list_facts(basis: str | None = None) -> list[tuple[str, str, int, Decimal, Decimal]]:
    """Return kind, day, quantity, amount and tax of the facts, oldest first. Amounts are in 元,
    with tax included.
    """
    rows = ReportFact.objects.order_by("at", "kind", "source_id")
    if basis:
        rows = rows.filter(basis=basis)
    return [
        (row.kind, f"{row.day:%m-%d}", row.quantity, row.amount, row.tax_amount) for row in rows
    ]


def dump() -> list[tuple[Any, ...]]:
    """Return all facts and all daily sums with all their columns, in a fixed order."""
    return _build_rows(ReportFact, "kind", "source_id") + _build_rows(
        ReportOrderDay, "order_id", "basis", "day"
    )


def _build_rows(model: Any, *key: str) -> list[tuple[Any, ...]]:
    names = [field.attname for field in model._meta.concrete_fields if field.attname != "id"]
    return list(model.objects.order_by("group_id", *key).values_list(*names))


def buy_at(moment: datetime, account: Account, *wishes: Any, **form: Any) -> Order:
    """Place an order at that moment and return it."""
    with clock_at(moment):
        return place_order(account, *wishes, **form)
