"""Group the facts of a report into rows: by order, product, department or purchaser. 明细 is not
grouped.
"""

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

# Columns that identify a row. Departments, and orders without one, are separate per enterprise.
KEYS: dict[str, tuple[str, ...]] = {
    ReportName.ORDER: ("order_id",),
    ReportName.PRODUCT: ("product_id",),
    ReportName.DEPARTMENT: ("enterprise_id", "department_id"),
    ReportName.PURCHASER: ("requester_id",),
}
# Reports with comparison columns. A key with facts in a comparison period only is also a row;
# otherwise the rows would not sum to the totals of that period.
COMPARED = (ReportName.PRODUCT, ReportName.DEPARTMENT, ReportName.PURCHASER)
# Sorted in Python: the facts hold no names, and the databases sort Chinese differently.
BY_NAME = ("name", "-name")
# Sorted in Python: COUNT(DISTINCT) in the same statement as the sums makes the database sort all
# facts on disk.
BY_ORDERS = ("orders", "-orders")
SUMS = {"sum_amount": "amount", "sum_tax": "tax_amount", "sum_quantity": "quantity"}
Key = tuple[int | None, ...]
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CutRow:
    """A row's key and its sums, in 元, 含税. `orders` is the number of orders in the period.
    `last_day` is None if the key has facts in the comparison periods only.
    """

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
        """Growth against the previous period in percent."""
        return percent_more(self.amount, self.previous)

    @property
    def percent(self) -> Decimal | None:
        """Growth against the same period one year earlier in percent."""
        return percent_more(self.amount, self.year_before)


def source_of(asked: Asked, report: str) -> QuerySet[Any]:
    """Return the rows to group: facts for the product report, sums by order and day for the
    others.
    """
    return asked.facts if report == ReportName.PRODUCT else asked.sums


def cut_total(asked: Asked, report: str, windows: Compared) -> int:
    """Return the number of rows in a period."""
    now = asked.within(windows.window)
    if report in KEYS:
        return (
            source_of(asked, report)
            .filter(_days(report, windows))
            .values(*KEYS[report])
            .distinct()
            .count()
        )
    if now.sums.model is ReportOrderDay:
        return now.sums.aggregate(facts=Sum("facts"))["facts"] or 0
    return now.facts.count()


def orders_total(now: Asked) -> int:
    """Return the number of orders in a window."""
    return now.sums.values("order_id").distinct().count()


def _days(report: str, windows: Compared) -> Q:
    """Return the condition on the days that produce rows."""
    return within_all(windows) if report in COMPARED else within(windows.window)


def cut_rows(asked: Asked, report: str, windows: Compared, sort: str) -> QuerySet[Any]:
    """Return the rows of a period as dictionaries, in the requested order. For `BY_NAME` and
    `BY_ORDERS` they are unordered; the caller sorts them.
    """
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
    """Return a page of `cut_rows` and the total number of rows in one query. A page beyond the
    last row calls `total` for a second query.
    """
    found = list(rows.annotate(total=Over(Count("*")))[page])
    return found, found[0]["total"] if found else total()


def by_name(
    rows: QuerySet[Any], report: str, sort: str, labels: Callable[[list[Key]], Sequence[str]]
) -> list[Found]:
    """Return all rows of a period, sorted by the names of their keys: digits, letters, then
    Chinese by pinyin.
    """
    found = list(rows)
    said = labels([tuple(row[key] for key in KEYS[report]) for row in found])
    # GB18030 encodes the common characters in pinyin order.
    order = sorted(
        range(len(found)),
        key=lambda at: said[at].casefold().encode("gb18030", "replace"),
        reverse=sort == "-name",
    )
    return [found[at] for at in order]


def by_orders(asked: Asked, report: str, windows: Compared, sort: str) -> list[Found]:
    """Return all rows of a period, sorted by the number of orders, then by amount. Two queries."""
    keys, now = KEYS[report], source_of(asked, report).filter(within(windows.window))
    orders = _orders_by_key(now, keys)

    def place(row: Found) -> tuple[Any, ...]:
        key = tuple(row[key] for key in keys)
        return orders.get(key, 0), row["sum_amount"], *(part or 0 for part in key)

    return sorted(cut_rows(asked, report, windows, sort), key=place, reverse=sort == "-orders")


def _orders_by_key(now: QuerySet[Any], keys: tuple[str, ...]) -> dict[Key, int]:
    """Return the number of orders of each key."""
    rows = now.values_list(*keys).annotate(orders=Count("order_id", distinct=True))
    return {tuple(row[: len(keys)]): row[len(keys)] for row in rows}


def _by(sort: str, report: str) -> OrderBy:
    """Return the ORDER BY expression of a sort word. The order report sorts `day` by order key,
    because keys follow the submission time.
    """
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
    """Return the ratio of the amount to the comparison amount, or None if that is not above
    zero.
    """
    grown = Cast(F("sum_amount"), FloatField()) / Cast(F(than), FloatField())
    return Case(When(**{f"{than}__gt": 0}, then=grown))


def cut_page(asked: Asked, report: str, windows: Compared, page: list[Found]) -> list[CutRow]:
    """Return the rows of a page with their number of orders. One query."""
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
    return CutRow(
        key,
        row["sum_amount"],
        row["sum_tax"],
        row["sum_quantity"],
        row["last"],
        orders.get(key, 0),
        *compared,
    )
