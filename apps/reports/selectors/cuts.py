"""Group the facts of a report into rows: by order, product, department, purchaser, brand, category
or budget. 明细 is not grouped. The department report has subtotals along the tree of departments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Case, Count, F, FloatField, Max, OrderBy, Q, QuerySet, Sum, When
from django.db.models import Window as Over
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Cast

from apps.common.money import ZERO
from apps.org.enums import DataScope
from apps.org.models import Department
from apps.reports.enums import ReportName
from apps.reports.models import ReportOrderDay
from apps.reports.periods import Windows
from apps.reports.selectors.question import (
    MatchingFacts,
    build_window_condition,
    build_windows_condition,
)
from apps.reports.selectors.savings import MARKET, OFF_AGREEMENT, ON_AGREEMENT, SavingsFigures
from apps.reports.selectors.summary import compute_growth_percent

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class DepartmentTree:
    """The parents and positions of the group's departments. `root` is the topmost department that
    the actor sees: 0 for all, None if the actor sees only own orders.
    """

    parents: dict[int, int | None]
    positions: dict[int, int]
    root: int | None

    def list_ancestors(self, department_id: int | None) -> list[int]:
        """Return the departments above one that the actor sees, the nearest first."""
        if self.root is None or department_id is None or department_id == self.root:
            return []
        ancestor_ids: list[int] = []
        parent_id = self.parents.get(department_id)
        while parent_id is not None and parent_id not in ancestor_ids:
            ancestor_ids.append(parent_id)
            if parent_id == self.root:
                return ancestor_ids
            parent_id = self.parents.get(parent_id)
        return ancestor_ids if self.root == 0 else []

    def get_sort_key(self, department_id: int | None) -> list[tuple[int, int]]:
        """Return the sort key of a department: the positions from the top down to it."""
        if department_id is None:
            return []
        path = [*reversed(self.list_ancestors(department_id)), department_id]
        return [(self.positions.get(pk, 0), pk) for pk in path]


def get_department_tree(*, actor: Account, menu: str) -> DepartmentTree:
    """Return the tree from the topmost department that the actor sees in a report. The root is 0
    if the actor sees all departments, and None if the actor sees only own orders. One query.
    """
    scope = actor.get_data_scope(menu)
    root: int | None = 0
    if scope == DataScope.DEPARTMENT:
        root = actor.department_id
    elif scope not in (DataScope.GROUP, DataScope.ENTERPRISE):
        root = None
    rows = list(Department.objects.order_by().values_list("pk", "parent_id", "position"))
    return DepartmentTree(
        parents={pk: parent for pk, parent, _ in rows},
        positions={pk: position for pk, _, position in rows},
        root=root,
    )


# The columns that identify a row. In the department report, each enterprise has its own row for
# orders without a department.
KEY_COLUMNS: dict[str, tuple[str, ...]] = {
    ReportName.ORDER: ("order_id",),
    ReportName.PRODUCT: ("product_id",),
    ReportName.DEPARTMENT: ("enterprise_id", "department_id"),
    ReportName.PURCHASER: ("requester_id",),
    ReportName.BRAND: ("order_line__brand_key",),
    # 0 is the freight.
    ReportName.SAVINGS: ("category_id_l1",),
    ReportName.BUDGET: ("budget_id",),
}
# Reports about goods. They group facts; the others group the sums by order and day.
GOODS_REPORTS = (ReportName.PRODUCT, ReportName.BRAND, ReportName.SAVINGS)
# Reports with comparison columns. A key that has facts only in a comparison period is a row too.
# Without it, the rows would not sum to the totals of that period.
COMPARED_REPORTS = (
    ReportName.PRODUCT,
    ReportName.DEPARTMENT,
    ReportName.PURCHASER,
    ReportName.BRAND,
    ReportName.SAVINGS,
    ReportName.BUDGET,
)
# Sorted in Python: the facts hold no names, and the databases sort Chinese differently.
BY_NAME = ("name", "-name")
# Sorted in Python: COUNT(DISTINCT) in the same statement as the sums makes the database sort all
# facts on disk.
BY_ORDERS = ("orders", "-orders")
# The order of the department tree, only in the department report.
BY_TREE = "tree"
SUMS = {"sum_amount": "amount", "sum_tax": "tax_amount", "sum_quantity": "quantity"}
Key = tuple[int | None, ...]
RowValues = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedRow(SavingsFigures):
    """A row's key and its sums, in 元, 含税. `orders` is the number of orders in the period.
    `last_day` is None if the key has facts in the comparison periods only. The amounts of savings
    are zero outside the savings report, and `subtotal`, the amount with all subdepartments, is zero
    outside the department report.
    """

    key: Key
    tax: Decimal
    quantity: int
    last_day: date | None
    orders: int
    previous: Decimal
    year_before: Decimal
    subtotal: Decimal

    @property
    def net(self) -> Decimal:
        return self.amount - self.tax

    @property
    def percent_of_previous(self) -> Decimal | None:
        """Growth against the previous period in percent."""
        return compute_growth_percent(self.amount, self.previous)

    @property
    def percent(self) -> Decimal | None:
        """Growth against the same period one year earlier in percent."""
        return compute_growth_percent(self.amount, self.year_before)


def get_source(matching: MatchingFacts, report: str) -> QuerySet[Any]:
    """Return the rows to group: facts for reports about goods, sums by order and day for the
    others.
    """
    return matching.facts if report in GOODS_REPORTS else matching.sums


def count_rows(matching: MatchingFacts, report: str, windows: Windows) -> int:
    """Return the number of rows in a period."""
    now = matching.restrict_to(windows.window)
    if report in KEY_COLUMNS:
        return (
            get_source(matching, report)
            .filter(_build_days_condition(report, windows))
            .values(*KEY_COLUMNS[report])
            .distinct()
            .count()
        )
    if now.sums.model is ReportOrderDay:
        return now.sums.aggregate(facts=Sum("facts"))["facts"] or 0
    return now.facts.count()


def count_orders(current_facts: MatchingFacts) -> int:
    """Return the number of orders in a window."""
    return current_facts.sums.values("order_id").distinct().count()


def _build_days_condition(report: str, windows: Windows) -> Q:
    """Return the condition on the days that produce rows."""
    return (
        build_windows_condition(windows)
        if report in COMPARED_REPORTS
        else build_window_condition(windows.window)
    )


def build_grouped_query(
    matching: MatchingFacts, report: str, windows: Windows, sort: str
) -> QuerySet[Any]:
    """Return the rows of a period as dictionaries, in the requested order. For `BY_NAME` and
    `BY_ORDERS` they are unordered; the caller sorts them.
    """
    keys, days = KEY_COLUMNS[report], _build_days_condition(report, windows)
    now: dict[str, Any] = (
        {"filter": build_window_condition(windows.window)} if report in COMPARED_REPORTS else {}
    )
    sums: dict[str, Any] = {name: Sum(field, default=0, **now) for name, field in SUMS.items()}
    sums["last"] = Max("day", **now)
    if report in COMPARED_REPORTS:
        sums["previous"] = Sum("amount", default=0, filter=build_window_condition(windows.previous))
        sums["before"] = Sum(
            "amount", default=0, filter=build_window_condition(windows.year_before)
        )
    if report == ReportName.SAVINGS:
        sums["market"] = Sum(MARKET, default=0, filter=build_window_condition(windows.window))
        for name, kind in (("agreed", ON_AGREEMENT), ("off_agreement", OFF_AGREEMENT)):
            sums[name] = Sum(
                "amount", default=0, filter=build_window_condition(windows.window) & kind
            )
    rows: QuerySet[Any] = get_source(matching, report).filter(days).values(*keys).annotate(**sums)
    if sort in (*BY_NAME, *BY_ORDERS, BY_TREE):
        return rows.order_by()
    return rows.order_by(
        _build_order_by(sort, report), *(F(key).desc(nulls_last=True) for key in keys)
    )


def get_page_with_total(
    rows: QuerySet[Any], page: slice, total: Callable[[], int]
) -> tuple[list[RowValues], int]:
    """Return (page of `build_grouped_query`, total number of rows) in one query. A page beyond the
    last row calls `total` for a second query.
    """
    values = list(rows.annotate(total=Over(Count("*")))[page])
    return values, values[0]["total"] if values else total()


def list_rows_by_name(
    rows: QuerySet[Any], report: str, sort: str, labels: Callable[[list[Key]], Sequence[str]]
) -> list[RowValues]:
    """Return all rows of a period, sorted by the names of their keys: digits, letters, then
    Chinese by pinyin.
    """
    values = list(rows)
    names = labels([tuple(row[key] for key in KEY_COLUMNS[report]) for row in values])
    # GB18030 encodes the common characters in pinyin order.
    order = sorted(
        range(len(values)),
        key=lambda at: names[at].casefold().encode("gb18030", "replace"),
        reverse=sort == "-name",
    )
    return [values[at] for at in order]


def list_rows_by_tree(rows: list[RowValues], tree: DepartmentTree) -> list[RowValues]:
    """Return the rows of the department report in the order of the tree, a department before its
    subdepartments. A department with rows below it is a row even without own facts, so that each
    subtotal stands above its parts.
    """
    values = {(row["enterprise_id"], row["department_id"]): row for row in rows}
    for enterprise, department in list(values):
        for above in tree.list_ancestors(department):
            keys = {"enterprise_id": enterprise, "department_id": above}
            values.setdefault((enterprise, above), _build_empty_row(keys))

    def place(row: RowValues) -> tuple[Any, ...]:
        department = row["department_id"]
        return row["enterprise_id"] or 0, department is None, tree.get_sort_key(department)

    return sorted(values.values(), key=place)


def set_subtotals(rows: list[RowValues], tree: DepartmentTree) -> None:
    """Set `subtotal` of each row: its amount with those of the rows below it."""
    sums: dict[Key, Decimal] = {}
    for row in rows:
        for pk in (row["department_id"], *tree.list_ancestors(row["department_id"])):
            key = row["enterprise_id"], pk
            sums[key] = sums.get(key, ZERO) + row["sum_amount"]
    for row in rows:
        row["subtotal"] = sums[row["enterprise_id"], row["department_id"]]


def with_unused_budgets(rows: list[RowValues], budget_ids: Iterable[int]) -> list[RowValues]:
    """Return the rows of the budget report, and after them the budgets without purchases."""
    used_budget_ids = {row["budget_id"] for row in rows}
    return [
        *rows,
        *(_build_empty_row({"budget_id": pk}) for pk in budget_ids if pk not in used_budget_ids),
    ]


def _build_empty_row(keys: dict[str, int | None]) -> RowValues:
    empty = dict.fromkeys(("sum_amount", "sum_tax", "previous", "before"), ZERO)
    return {**keys, **empty, "sum_quantity": 0, "last": None}


def list_rows_by_orders(
    matching: MatchingFacts, report: str, windows: Windows, sort: str
) -> list[RowValues]:
    """Return all rows of a period, sorted by the number of orders, then by amount. Two queries."""
    key_columns = KEY_COLUMNS[report]
    facts_in_window = get_source(matching, report).filter(build_window_condition(windows.window))
    order_counts = _count_orders_by_key(facts_in_window, key_columns)

    def get_sort_key(row: RowValues) -> tuple[Any, ...]:
        """Return the number of orders and the amount, then the key for a stable order."""
        key = tuple(row[column] for column in key_columns)
        return order_counts.get(key, 0), row["sum_amount"], *(part or 0 for part in key)

    return sorted(
        build_grouped_query(matching, report, windows, sort),
        key=get_sort_key,
        reverse=sort == "-orders",
    )


def _count_orders_by_key(current_facts: QuerySet[Any], keys: tuple[str, ...]) -> dict[Key, int]:
    """Return the number of orders of each key."""
    rows = current_facts.values_list(*keys).annotate(orders=Count("order_id", distinct=True))
    return {tuple(row[: len(keys)]): row[len(keys)] for row in rows}


def _build_order_by(sort: str, report: str) -> OrderBy:
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
    if report in COMPARED_REPORTS:
        by |= {"previous": F("previous"), "previouschange": _build_growth_expression("previous")}
        by |= {"lastyear": F("before"), "change": _build_growth_expression("before")}
    if report == ReportName.SAVINGS:
        by |= {"saved": F("market") - F("sum_amount"), "offagreement": F("off_agreement")}
    return OrderBy(by[sort.removeprefix("-")], descending=sort.startswith("-"), nulls_last=True)


def _build_growth_expression(comparison: str) -> Case:
    """Return the ratio of the amount to the comparison amount, or None if that is not above
    zero.
    """
    ratio = Cast(F("sum_amount"), FloatField()) / Cast(F(comparison), FloatField())
    return Case(When(**{f"{comparison}__gt": 0}, then=ratio))


def load_grouped_rows(
    matching: MatchingFacts, report: str, windows: Windows, page: list[RowValues]
) -> list[GroupedRow]:
    """Return the rows of a page with their number of orders. One query."""
    keys = KEY_COLUMNS[report]
    main = keys[-1]
    page_keys = [row[main] for row in page if row[main] is not None]
    on_page = Q(**{f"{main}__in": page_keys})
    if len(page_keys) < len(page):
        on_page |= Q(**{f"{main}__isnull": True})
    now = get_source(matching, report).filter(on_page, build_window_condition(windows.window))
    orders = _count_orders_by_key(now, keys)
    return [_build_grouped_row(tuple(row[key] for key in keys), row, orders) for row in page]


def _build_grouped_row(key: Key, row: RowValues, orders: dict[Key, int]) -> GroupedRow:
    return GroupedRow(
        key=key,
        amount=row["sum_amount"],
        tax=row["sum_tax"],
        quantity=row["sum_quantity"],
        last_day=row["last"],
        orders=orders.get(key, 0),
        previous=row.get("previous", ZERO),
        year_before=row.get("before", ZERO),
        market=row.get("market", ZERO),
        agreed=row.get("agreed", ZERO),
        off_agreement=row.get("off_agreement", ZERO),
        subtotal=row.get("subtotal", ZERO),
    )
