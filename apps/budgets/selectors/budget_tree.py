"""The tree of budgets: the path from a budget up to its topmost parent, and the budgets below it.

The use of a budget is part of the figures of every budget above it. The database walks the tree in
one recursive query.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.core.exceptions import EmptyResultSet
from django.db.models import Q
from django.db.models.expressions import RawSQL

from apps.budgets.models import Budget
from apps.common.compiled_queries import AnyOf

if TYPE_CHECKING:
    from django.db.models import QuerySet

# The most levels of a tree. A move locks one row per level.
MAX_LEVELS = 8

# UNION removes repeated rows, so that a damaged tree with a cycle ends as well.
UPWARDS = """
    WITH RECURSIVE walked(id, parent_id) AS (
        {start}
        UNION
        SELECT parent.id, parent.parent_id
        FROM budgets_budget parent JOIN walked ON parent.id = walked.parent_id
    )
    SELECT id FROM walked
"""
DOWNWARDS = """
    WITH RECURSIVE start(id, parent_id) AS ({start}), walked(id) AS (
        SELECT child.id FROM budgets_budget child JOIN start ON child.parent_id = start.id
        UNION
        SELECT child.id FROM budgets_budget child JOIN walked ON child.parent_id = walked.id
    )
    SELECT id FROM walked
"""


def _build_tree_condition(sql: str, budgets: QuerySet[Budget], *, lookup: str) -> Q:
    """Return the condition on the budgets that a recursive query reaches from these. `sql` walks
    up or down; {start} in it stands for the query of the first rows. `lookup` is `any_of` if it
    reaches few budgets, otherwise `in`.
    """
    try:
        start, params = budgets.order_by().values("pk", "parent_id").query.sql_with_params()
    except EmptyResultSet:
        return Q(pk__in=[])
    return Q((f"pk__{lookup}", RawSQL(sql.format(start=start), params)))  # noqa: S611


def build_upwards_condition(budgets: QuerySet[Budget]) -> Q:
    """Return the condition for these budgets and all budgets above them."""
    return _build_tree_condition(UPWARDS, budgets, lookup=AnyOf.lookup_name)


def build_below_condition(budgets: QuerySet[Budget]) -> Q:
    """Return the condition for all budgets below one of these budgets, on any level."""
    return _build_tree_condition(DOWNWARDS, budgets, lookup="in")


def with_parents(budgets: QuerySet[Budget]) -> QuerySet[Budget]:
    """Return these budgets and all budgets above them. One query, on any number of levels."""
    rows: QuerySet[Budget] = Budget.objects.filter(build_upwards_condition(budgets))
    return rows


def get_budget_path(budget: Budget, rows: Mapping[int, Budget]) -> list[Budget]:
    """Return the budget and its parents, upwards. `rows` are budgets by key that include the
    parents; the path ends at a parent that is missing.
    """
    path = [budget]
    while (above := rows.get(path[-1].parent_id or 0)) is not None and above not in path:
        path.append(above)
    return path


def get_path(budget: Budget) -> list[Budget]:
    """Return the budget and its parents, upwards, as they are in the database. At most one
    query; none without a parent.
    """
    if budget.parent_id is None:
        return [budget]
    rows = {row.pk: row for row in with_parents(Budget.objects.filter(pk=budget.pk))}
    return get_budget_path(budget, rows)
