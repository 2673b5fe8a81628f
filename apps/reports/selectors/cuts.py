"""How a report is cut into rows: by order, product, department or purchaser; 明细 is not cut at all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Max, OrderBy, Q, QuerySet, Sum
from django.db.models import Window as Over

from apps.common.money import ZERO
from apps.reports.enums import ReportName
from apps.reports.models import ReportOrderDay
from apps.reports.periods import Compared
from apps.reports.selectors.question import Asked, within
from apps.reports.selectors.summary import percent_more

# What makes a row; a department is one of its enterprise, and so is having none.
KEYS: dict[str, tuple[str, ...]] = {
    ReportName.ORDER: ("order_id",),
    ReportName.PRODUCT: ("product_id",),
    ReportName.DEPARTMENT: ("enterprise_id", "department_id"),
    ReportName.PURCHASER: ("requester_id",),
}
Key = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class CutRow:
    """A row's key and what it comes to; `orders` and `year_before` are of the same key."""

    key: Key
    amount: Decimal
    tax: Decimal
    quantity: int
    last_day: date
    orders: int
    year_before: Decimal

    @property
    def net(self) -> Decimal:
        return self.amount - self.tax

    @property
    def percent(self) -> Decimal | None:
        """By how many percent it is more than a year before."""
        return percent_more(self.amount, self.year_before)


def source_of(asked: Asked, report: str) -> QuerySet[Any]:
    """Return what the rows are cut from: sums by order, where the goods make no row."""
    return asked.facts if report == ReportName.PRODUCT else asked.sums


def cut_total(now: Asked, report: str) -> int:
    """Return how many rows there are of a window."""
    if report in KEYS:
        return source_of(now, report).values(*KEYS[report]).distinct().count()
    if now.sums.model is ReportOrderDay:
        return now.sums.aggregate(facts=Sum("facts"))["facts"] or 0
    return now.facts.count()


def orders_total(now: Asked) -> int:
    """Return how many orders there are in a window."""
    return now.sums.values("order_id").distinct().count()


def cut_rows(now: Asked, report: str, sort: str) -> QuerySet[Any]:
    """Return the rows of a window, as dictionaries in the order asked: -amount, quantity, -tax, -day …"""
    keys = KEYS[report]
    sums = {"sum_amount": Sum("amount"), "sum_tax": Sum("tax_amount"), "sum_quantity": Sum("quantity"), "last": Max("day")}
    rows = source_of(now, report).values(*keys).annotate(**sums)
    ordered: QuerySet[Any] = rows.order_by(_by(sort), *(F(key).desc(nulls_last=True) for key in keys))
    return ordered


def counted(now: Asked, report: str, rows: QuerySet[Any], page: slice) -> tuple[list[dict[str, Any]], int]:
    """Return a page of `cut_rows` and how many there are; one query, two for a page beyond the last."""
    found = list(rows.annotate(total=Over(Count("*")))[page])
    return found, found[0]["total"] if found else cut_total(now, report)


def _by(sort: str) -> OrderBy:
    name = {"amount": "sum_amount", "quantity": "sum_quantity", "tax": "sum_tax", "day": "last"}[sort.removeprefix("-")]
    return F(name).desc() if sort.startswith("-") else F(name).asc()


def cut_page(asked: Asked, report: str, windows: Compared, page: list[dict[str, Any]]) -> list[CutRow]:
    """Return a page's rows with their orders and what they came to a year before; one query."""
    keys = KEYS[report]
    main = keys[-1]
    wanted = [row[main] for row in page if row[main] is not None]
    on_page = Q(**{f"{main}__in": wanted})
    if len(wanted) < len(page):
        on_page |= Q(**{f"{main}__isnull": True})
    now, before = within(windows.window), within(windows.year_before)
    figures = {"orders": Count("order_id", distinct=True, filter=now), "year_before": Sum("amount", filter=before)}
    beside = source_of(asked, report).filter(on_page, now | before).values_list(*keys).annotate(**figures)
    found = {tuple(row[: len(keys)]): row[len(keys) :] for row in beside}
    return [_row(tuple(row[key] for key in keys), row, found) for row in page]


def _row(key: Key, row: dict[str, Any], found: dict[Key, Any]) -> CutRow:
    orders, year_before = found.get(key, (0, None))
    return CutRow(key, row["sum_amount"], row["sum_tax"], row["sum_quantity"], row["last"], orders, year_before or ZERO)
