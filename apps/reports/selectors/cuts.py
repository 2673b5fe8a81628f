"""How a report is cut into rows: by order, product, department or purchaser; 明细 is not cut at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, F, FloatField, Max, OrderBy, Q, QuerySet, Sum, When
from django.db.models import Window as Over
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast

from apps.common.money import ZERO
from apps.reports.enums import ReportName
from apps.reports.models import ReportOrderDay
from apps.reports.periods import Compared
from apps.reports.selectors.question import Asked, within, within_all
from apps.reports.selectors.summary import percent_more

# What makes a row; a department is one of its enterprise, and so is having none.
KEYS: dict[str, tuple[str, ...]] = {
    ReportName.ORDER: ("order_id",),
    ReportName.PRODUCT: ("product_id",),
    ReportName.DEPARTMENT: ("enterprise_id", "department_id"),
    ReportName.PURCHASER: ("requester_id",),
}
# Beside the period before and the year before: what was bought then alone is a row as well, or the rows would not sum to those totals.
COMPARED = (ReportName.PRODUCT, ReportName.DEPARTMENT, ReportName.PURCHASER)
# Not by the database: it knows no names here, and each database its own order of Chinese.
BY_NAME = ("name", "-name")
# Nor that: counted in one statement with the sums, orders cost all their facts a sort on the disk.
BY_ORDERS = ("orders", "-orders")
SUMS = {"sum_amount": "amount", "sum_tax": "tax_amount", "sum_quantity": "quantity"}
Key = tuple[int | None, ...]
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CutRow:
    """A row's key and what it comes to; `orders` and the amounts compared with are of the same key. `last_day` None: nothing but those."""

    key: Key
    amount: Decimal
    tax: Decimal
    quantity: int
    last_day: date | None
    orders: int
    previous: Decimal
    year_before: Decimal

    @property
    def net(self) -> Decimal:
        return self.amount - self.tax

    @property
    def percent_of_previous(self) -> Decimal | None:
        """By how many percent it is more than the period before."""
        return percent_more(self.amount, self.previous)

    @property
    def percent(self) -> Decimal | None:
        """By how many percent it is more than a year before."""
        return percent_more(self.amount, self.year_before)


def source_of(asked: Asked, report: str) -> QuerySet[Any]:
    """Return what the rows are cut from: sums by order, where the goods make no row."""
    return asked.facts if report == ReportName.PRODUCT else asked.sums


def cut_total(asked: Asked, report: str, windows: Compared) -> int:
    """Return how many rows there are of a period."""
    now = asked.within(windows.window)
    if report in KEYS:
        return source_of(asked, report).filter(_days(report, windows)).values(*KEYS[report]).distinct().count()
    if now.sums.model is ReportOrderDay:
        return now.sums.aggregate(facts=Sum("facts"))["facts"] or 0
    return now.facts.count()


def orders_total(now: Asked) -> int:
    """Return how many orders there are in a window."""
    return now.sums.values("order_id").distinct().count()


def _days(report: str, windows: Compared) -> Q:
    """Return the days of which there are rows."""
    return within_all(windows) if report in COMPARED else within(windows.window)


def cut_rows(asked: Asked, report: str, windows: Compared, sort: str) -> QuerySet[Any]:
    """Return the rows of a period, as dictionaries in the order asked: -amount, tax, change …; in none for `BY_NAME`, `BY_ORDERS`."""
    keys, days = KEYS[report], _days(report, windows)
    now: dict[str, Any] = {"filter": within(windows.window)} if report in COMPARED else {}
    sums: dict[str, Any] = {name: Sum(field, default=0, **now) for name, field in SUMS.items()}
    sums["last"] = Max("day", **now)
    if report in COMPARED:
        sums["previous"] = Sum("amount", default=0, filter=within(windows.previous))
        sums["before"] = Sum("amount", default=0, filter=within(windows.year_before))
    rows: QuerySet[Any] = source_of(asked, report).filter(days).values(*keys).annotate(**sums)
    if sort in (*BY_NAME, *BY_ORDERS):
        return rows.order_by()
    return rows.order_by(_by(sort, report), *(F(key).desc(nulls_last=True) for key in keys))


def counted(rows: QuerySet[Any], page: slice, total: Callable[[], int]) -> tuple[list[Found], int]:
    """Return a page of `cut_rows` and how many there are; one query, and what `total` asks for a page beyond the last."""
    found = list(rows.annotate(total=Over(Count("*")))[page])
    return found, found[0]["total"] if found else total()


def by_name(rows: QuerySet[Any], report: str, sort: str, labels: Callable[[list[Key]], Sequence[str]]) -> list[Found]:
    """Return all rows of a period by what their keys are called: digits, letters, then Chinese by its sound, as a phone book does."""
    found = list(rows)
    said = labels([tuple(row[key] for key in KEYS[report]) for row in found])
    # GB18030 has the common characters in the order of their pinyin.
    order = sorted(range(len(found)), key=lambda at: said[at].casefold().encode("gb18030", "replace"), reverse=sort == "-name")
    return [found[at] for at in order]


def by_orders(asked: Asked, report: str, windows: Compared, sort: str) -> list[Found]:
    """Return all rows of a period by how many orders they are of, by their amount where those are as many; two queries."""
    keys, now = KEYS[report], source_of(asked, report).filter(within(windows.window))
    orders = _orders_by_key(now, keys)

    def place(row: Found) -> tuple[Any, ...]:
        key = tuple(row[key] for key in keys)
        return orders.get(key, 0), row["sum_amount"], *(part or 0 for part in key)

    return sorted(cut_rows(asked, report, windows, sort), key=place, reverse=sort == "-orders")


def _orders_by_key(now: QuerySet[Any], keys: tuple[str, ...]) -> dict[Key, int]:
    """Return how many orders there are of each key."""
    rows = now.values_list(*keys).annotate(orders=Count("order_id", distinct=True))
    return {tuple(row[: len(keys)]): row[len(keys)] for row in rows}


def _by(sort: str, report: str) -> OrderBy:
    """Orders have the day they were submitted, whatever became of them later; their keys follow it."""
    day = "order_id" if report == ReportName.ORDER else "last"
    by: dict[str, F | CombinedExpression | Case] = {
        "amount": F("sum_amount"),
        "quantity": F("sum_quantity"),
        "tax": F("sum_tax"),
        "net": F("sum_amount") - F("sum_tax"),
        "day": F(day),
    }
    if report in COMPARED:
        by |= {"previous": F("previous"), "previouschange": _grown("previous")}
        by |= {"lastyear": F("before"), "change": _grown("before")}
    return OrderBy(by[sort.removeprefix("-")], descending=sort.startswith("-"), nulls_last=True)


def _grown(than: str) -> Case:
    """By how much a row is more than it was; None where there was nothing to compare with."""
    grown = Cast(F("sum_amount"), FloatField()) / Cast(F(than), FloatField())
    return Case(When(**{f"{than}__gt": 0}, then=grown))


def cut_page(asked: Asked, report: str, windows: Compared, page: list[Found]) -> list[CutRow]:
    """Return a page's rows with their orders; one query."""
    keys = KEYS[report]
    main = keys[-1]
    wanted = [row[main] for row in page if row[main] is not None]
    on_page = Q(**{f"{main}__in": wanted})
    if len(wanted) < len(page):
        on_page |= Q(**{f"{main}__isnull": True})
    now = source_of(asked, report).filter(on_page, within(windows.window))
    orders = _orders_by_key(now, keys)
    return [_row(tuple(row[key] for key in keys), row, orders) for row in page]


def _row(key: Key, row: Found, orders: dict[Key, int]) -> CutRow:
    compared: list[Decimal] = [row.get(name, ZERO) for name in ("previous", "before")]
    return CutRow(key, row["sum_amount"], row["sum_tax"], row["sum_quantity"], row["last"], orders.get(key, 0), *compared)
