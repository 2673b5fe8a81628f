"""A report whole: summary, charts, and a page of its rows, all of the same facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import F, OrderBy, QuerySet

from apps.reports.enums import ReportName
from apps.reports.models import ReportFact
from apps.reports.periods import Compared
from apps.reports.selectors import names
from apps.reports.selectors.charts import MOST_SHOWN, Charts, charts_of
from apps.reports.selectors.cuts import KEYS, counted, cut_page, cut_rows, cut_total, orders_total
from apps.reports.selectors.question import Asked, ReportQuestion, asked_of
from apps.reports.selectors.summary import Summary, summary_of

if TYPE_CHECKING:
    from apps.org.models import Account

# What a report is sorted by when nothing is asked.
SORT_OF: dict[str, str] = {ReportName.ORDER: "-day", ReportName.ORDER_DETAIL: "-day"}
LARGEST_FIRST = "-amount"


@dataclass(frozen=True, slots=True)
class Named:
    """What the keys of a page are called."""

    paths: dict[int, str]
    enterprises: dict[int, str]
    orders: dict[int, Any]
    products: dict[int, Any]
    people: dict[int, Any]
    categories: dict[int, str]


@dataclass(frozen=True, slots=True)
class Report:
    """An answer; `charts` None where they were not asked for, `rows` are CutRow, or facts in 明细."""

    name: str
    question: ReportQuestion
    windows: Compared
    summary: Summary
    orders: int
    charts: Charts | None
    total: int
    rows: list[Any]
    named: Named


def report_of(*, actor: Account, name: str, question: ReportQuestion, sort: str, page: slice, with_charts: bool) -> Report:
    """Return a report's answer: a page of rows in the order asked, under the totals of all of them.

    Raises:
        ValidationFailed: the days asked for make no period.
    """
    windows = question.windows()
    asked = asked_of(actor=actor, report=name, question=question)
    now = asked.within(windows.window)
    paths = names.department_paths()
    sort = sort or SORT_OF.get(name, LARGEST_FIRST)
    rows, total = page_of_rows(asked, now, name, windows, sort, page)
    # The first page of the largest has the first ten in it, beside the freight.
    is_largest = name in KEYS and sort == LARGEST_FIRST and not page.start and len(rows) > min(MOST_SHOWN, total - 1)
    return Report(
        name=name,
        question=question,
        windows=windows,
        summary=summary_of(asked, windows),
        orders=total if name == ReportName.ORDER else orders_total(now),
        charts=charts_of(now, name, paths=paths, largest=rows if is_largest else None) if with_charts else None,
        total=total,
        rows=rows,
        named=named_of(name, rows, paths),
    )


def page_of_rows(asked: Asked, now: Asked, name: str, windows: Compared, sort: str, page: slice) -> tuple[list[Any], int]:
    """Return a stretch of the rows, and how many there are."""
    if name == ReportName.ORDER_DETAIL:
        return list(detail_rows(now.facts, sort)[page]), cut_total(now, name)
    found, total = counted(now, name, cut_rows(now, name, sort), page)
    return cut_page(asked, name, windows, found), total


def detail_rows(now: QuerySet[ReportFact], sort: str) -> QuerySet[ReportFact]:
    """Return a window's facts with what they name, in the order asked; the newest first among equals."""
    named = now.select_related("order", "order_line", "enterprise", "requester", "budget")
    field = {"amount": "amount", "quantity": "quantity", "tax": "tax_amount", "day": "day"}[sort.removeprefix("-")]
    by: OrderBy = F(field).desc() if sort.startswith("-") else F(field).asc()
    return named.order_by(by, "-id" if sort.startswith("-") else "id")


def named_of(name: str, rows: list[Any], paths: dict[int, str]) -> Named:
    """Return what the rows' keys are called; a query for each kind of key that the report has."""
    keys = [row.key[-1] for row in rows if row.key[-1] is not None] if name in KEYS else []
    levels = {pk for row in rows for pk in (row.category_id_l1, row.category_id_l3)} if name == ReportName.ORDER_DETAIL else set()
    return Named(
        paths=paths,
        enterprises=names.enterprise_names() if name == ReportName.DEPARTMENT else {},
        orders=names.orders_named(keys) if name == ReportName.ORDER else {},
        products=names.products_named(keys) if name == ReportName.PRODUCT else {},
        people=names.people_named(keys) if name == ReportName.PURCHASER else {},
        categories=names.category_names(levels - {0}) if levels else {},
    )
