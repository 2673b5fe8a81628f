"""A complete report: summary, charts and a page of rows, all from the same facts."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db.models import F, OrderBy, QuerySet
from django.db.models.expressions import CombinedExpression

from apps.common.money import ZERO
from apps.reports.enums import ReportName
from apps.reports.errors import ColumnUnsortable
from apps.reports.models import ReportFact
from apps.reports.periods import Windows
from apps.reports.selectors import names
from apps.reports.selectors.budget_report import (
    BudgetActual,
    BudgetTotals,
    get_report_budgets,
    sum_report_budgets,
)
from apps.reports.selectors.charts import MAX_PARTS, Charts, get_charts
from apps.reports.selectors.cuts import (
    BY_NAME,
    BY_ORDERS,
    BY_TREE,
    COMPARED_REPORTS,
    KEY_COLUMNS,
    DepartmentTree,
    RowValues,
    build_grouped_query,
    count_orders,
    count_rows,
    get_department_tree,
    get_page_with_total,
    list_rows_by_name,
    list_rows_by_orders,
    list_rows_by_tree,
    load_grouped_rows,
    set_subtotals,
    with_unused_budgets,
)
from apps.reports.selectors.matching import get_matching_facts
from apps.reports.selectors.question import (
    MENU_OF,
    MatchingFacts,
    ReportQuestion,
)
from apps.reports.selectors.savings import Savings, get_savings
from apps.reports.selectors.summary import Summary, get_summary

if TYPE_CHECKING:
    from apps.org.models import Account

# Default sort order of a report.
SORT_OF: dict[str, str] = {
    ReportName.ORDER: "-day",
    ReportName.ORDER_DETAIL: "-day",
    ReportName.DEPARTMENT: BY_TREE,
}
LARGEST_FIRST = "-amount"
# Sort words of every report, and additional ones of reports with comparison columns. A leading
# "-" sorts in descending order.
SORTED_BY = ("amount", "quantity", "tax", "net", "day")
COMPARED_BY = ("name", "orders", "previous", "previouschange", "lastyear", "change")
SAVINGS_BY = ("saved", "offagreement")
BUDGET_BY = ("overrun", "usedpercent")


@dataclass(frozen=True, slots=True)
class RowNames:
    """The names of the keys on a page."""

    paths: dict[int, str]
    enterprises: dict[int, str]
    orders: dict[int, Any]
    products: dict[int, Any]
    people: dict[int, Any]
    categories: dict[int, str]
    brands: dict[int, str]
    budgets: dict[int, str]
    # The budgets that the actor sees on 预算余额. The other budgets have a name only.
    actuals: dict[int, BudgetActual]

    def get_budget_name(self, key: int | None) -> str:
        """Return the name of a budget; None is 未使用预算."""
        return names.NO_BUDGET if key is None else self.budgets[key]

    def get_department_name(self, key: int | None) -> str:
        """Return the path of a department; None is 未归属部门."""
        return self.paths.get(key, "") if key else names.NO_DEPARTMENT

    def get_brand_name(self, key: int | None) -> str:
        """Return the name of a brand; None is the freight."""
        return names.FREIGHT if key is None else self.brands.get(key, names.OTHER_BRAND)

    def get_category_name(self, key: int | None) -> str:
        """Return the name of a first-level category; 0 is the freight."""
        return self.categories.get(key, names.OTHER_CATEGORY) if key else names.FREIGHT


@dataclass(frozen=True, slots=True)
class RowContext:
    """What the rows of a report need besides the facts: the paths of departments, the tree of the
    department report (else None), and the budgets of the budget report (else None).
    """

    paths: dict[int, str]
    tree: DepartmentTree | None
    budgets: dict[int, BudgetActual] | None

    @property
    def is_listed(self) -> bool:
        """Whether the report has rows without facts, so that only the list tells their number."""
        return self.tree is not None or self.budgets is not None


@dataclass(frozen=True, slots=True)
class Report:
    """A report. `charts` is None if the caller did not request charts. `rows` are `GroupedRow`, or
    facts in 明细.
    """

    name: str
    question: ReportQuestion
    windows: Windows
    summary: Summary
    orders: int
    charts: Charts | None
    # Only in the savings report, together with the charts.
    savings: Savings | None
    # Only in the budget report, together with the charts.
    budgets: BudgetTotals | None
    total: int
    rows: list[Any]
    row_names: RowNames


def get_report(
    *,
    actor: Account,
    name: str,
    question: ReportQuestion,
    sort: str,
    page: slice,
    with_charts: bool,
) -> Report:
    """Return a report: a page of rows in the requested order, with the totals of all rows.

    Raises:
        ValidationFailed: the days of the question make no valid period, or the sort column is
            unknown.
    """
    windows, sort = question.get_windows(), sort_of(name, sort)
    matching = get_matching_facts(actor=actor, report=name, question=question)
    now = matching.restrict_to(windows.window)
    context = get_row_context(actor, name, question, matching, windows)
    rows, total = get_page_of_rows(matching, name, windows, sort, page, context)
    return Report(
        name=name,
        question=question,
        windows=windows,
        summary=get_summary(matching, windows),
        orders=total if name == ReportName.ORDER else count_orders(now),
        charts=get_charts(
            now, name, paths=context.paths, largest=_get_largest_rows(name, sort, page, rows, total)
        )
        if with_charts
        else None,
        savings=get_savings(now.facts) if with_charts and name == ReportName.SAVINGS else None,
        budgets=sum_report_budgets([*context.budgets.values()])
        if with_charts and context.budgets is not None
        else None,
        total=total,
        rows=rows,
        row_names=get_row_names(name, rows, context),
    )


def sort_of(name: str, sort: str) -> str:
    """Return the sort word of a report, or its default if `sort` is empty.

    Raises:
        ValidationFailed: the report has no such sort column.
    """
    sort_words = (*SORTED_BY, *COMPARED_BY) if name in COMPARED_REPORTS else SORTED_BY
    if name == ReportName.SAVINGS:
        sort_words = (*sort_words, *SAVINGS_BY)
    if name == ReportName.BUDGET:
        sort_words = (*sort_words, *BUDGET_BY)
    if name == ReportName.DEPARTMENT and sort == BY_TREE:
        return sort
    if sort.removeprefix("-") not in ("", *sort_words):
        raise ColumnUnsortable
    return sort or SORT_OF.get(name, LARGEST_FIRST)


def _get_largest_rows(
    name: str, sort: str, page: slice, rows: list[Any], total: int
) -> list[Any] | None:
    """Return the rows with the highest amounts if the page already contains the top ten, else
    None.
    """
    if name not in KEY_COLUMNS or sort != LARGEST_FIRST or page.start:
        return None
    purchased_rows = [row for row in rows if row.key[0] is not None and row.last_day is not None]
    return purchased_rows if len(purchased_rows) >= MAX_PARTS or len(rows) == total else None


def get_page_of_rows(
    matching: MatchingFacts,
    name: str,
    windows: Windows,
    sort: str,
    page: slice,
    context: RowContext,
) -> tuple[list[Any], int]:
    """Return (slice of the rows, total number of rows)."""
    total = partial(count_rows, matching, name, windows)
    if name == ReportName.ORDER_DETAIL:
        return list(
            list_detail_rows(matching.restrict_to(windows.window).facts, sort)[page]
        ), total()
    rows = list_rows(matching, name, windows, sort, context)
    if isinstance(rows, list):
        values, number = rows[page], len(rows)
    else:
        values, number = get_page_with_total(rows, page, total)
    return load_grouped_rows(matching, name, windows, values), number


def get_row_context(
    actor: Account,
    name: str,
    question: ReportQuestion,
    matching: MatchingFacts,
    windows: Windows,
) -> RowContext:
    """Return what the rows need. One query, and one more in the department and budget reports."""
    tree, budgets = None, None
    if name == ReportName.DEPARTMENT:
        tree = get_department_tree(actor=actor, menu=MENU_OF[name])
    if name == ReportName.BUDGET:
        budgets = get_report_budgets(
            actor=actor, question=question, matching=matching, windows=windows
        )
    return RowContext(names.get_department_paths(), tree, budgets)


def list_rows(
    matching: MatchingFacts,
    name: str,
    windows: Windows,
    sort: str,
    context: RowContext,
) -> QuerySet[Any] | list[RowValues]:
    """Return the grouped rows of a report in the requested order. The rows of the department
    report have subtotals. The budget report also has its budgets without purchases, at the end.
    """
    if sort in BY_ORDERS:
        rows: QuerySet[Any] | list[RowValues] = list_rows_by_orders(matching, name, windows, sort)
    else:
        is_by_figure = sort.removeprefix("-") in BUDGET_BY
        rows = build_grouped_query(matching, name, windows, LARGEST_FIRST if is_by_figure else sort)
        if sort in BY_NAME:
            rows = list_rows_by_name(
                rows, name, sort, partial(names.list_labels, name, context.paths)
            )
    if context.budgets is not None:
        return _sort_by_figure(with_unused_budgets(list(rows), context.budgets), context, sort)
    if context.tree is None:
        return rows
    sorted_rows = list_rows_by_tree(list(rows), context.tree) if sort == BY_TREE else list(rows)
    set_subtotals(sorted_rows, context.tree)
    return sorted_rows


def _sort_by_figure(rows: list[RowValues], context: RowContext, sort: str) -> list[RowValues]:
    """Return the rows of the budget report in the order of a figure of their budgets; rows without
    the figure are last. Equal ones stay in their order, and so do all with another sort word.
    """
    word = sort.removeprefix("-")
    if word not in BUDGET_BY:
        return rows
    budgets = context.budgets or {}

    def get_figure(row: RowValues) -> Decimal | None:
        actual = budgets.get(row["budget_id"] or 0)
        if actual is None:
            return None
        return actual.overrun if word == "overrun" else actual.used_percent

    known = [row for row in rows if get_figure(row) is not None]
    known.sort(key=lambda row: get_figure(row) or ZERO, reverse=sort.startswith("-"))
    return [*known, *(row for row in rows if get_figure(row) is None)]


def list_detail_rows(current_facts: QuerySet[ReportFact], sort: str) -> QuerySet[ReportFact]:
    """Return a window's facts in the requested order, with their related rows. Ties follow the
    primary key in the same direction.
    """
    facts = current_facts.select_related("order", "order_line", "enterprise", "requester", "budget")
    sort_column, sign = sort.removeprefix("-"), "-" if sort.startswith("-") else ""
    order_by_column: dict[str, F | CombinedExpression] = {
        "amount": F("amount"),
        "quantity": F("quantity"),
        "tax": F("tax_amount"),
        "net": F("amount") - F("tax_amount"),
        "day": F("day"),
    }
    return facts.order_by(
        OrderBy(order_by_column[sort_column], descending=bool(sign)),
        *([f"{sign}at"] if sort_column == "day" else []),
        f"{sign}id",
    )


def get_row_names(name: str, rows: list[Any], context: RowContext) -> RowNames:
    """Return the names of the rows' keys. One query for each kind of key in the report."""
    keys = [row.key[-1] for row in rows if row.key[-1] is not None] if name in KEY_COLUMNS else []
    levels = (
        {pk for row in rows for pk in (row.category_id_l1, row.category_id_l3)}
        if name == ReportName.ORDER_DETAIL
        else set()
    )
    if name == ReportName.SAVINGS:
        levels = set(keys)
    return RowNames(
        paths=context.paths,
        enterprises=names.get_enterprise_names() if name == ReportName.DEPARTMENT else {},
        orders=names.get_orders_by_key(keys) if name == ReportName.ORDER else {},
        products=names.get_products_by_key(keys) if name == ReportName.PRODUCT else {},
        people=names.get_people_by_key(keys) if name == ReportName.PURCHASER else {},
        categories=names.get_category_names(levels - {0}) if levels else {},
        brands=names.get_brand_names(keys) if name == ReportName.BRAND else {},
        budgets=names.get_budget_names(keys) if name == ReportName.BUDGET else {},
        actuals=context.budgets or {},
    )
