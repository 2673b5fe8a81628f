"""Lock budgets in the order of their keys, after order and approval (docs/architecture.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.budgets.errors import BudgetNotFound, BudgetTreeMoved
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_tree import with_parents
from apps.budgets.selectors.budgets import list_visible_budgets, may_manage
from apps.common.errors import Forbidden

if TYPE_CHECKING:
    from apps.org.models import Account


def lock_budgets(*, budget_ids: set[int]) -> dict[int, Budget]:
    """Lock the budgets and return those that exist by key. The caller checks the rights."""
    return {
        row.pk: row
        for row in Budget.objects.filter(pk__in=budget_ids).order_by("pk").select_for_update()
    }


def lock_budget_paths(*, budget_ids: set[int]) -> dict[int, Budget]:
    """Lock the budgets and all budgets above them, in the order of their keys, and return them
    by key. One query.

    Raises:
        BudgetTreeMoved: the parent of one of them was changed while this transaction waited.
    """
    rows = {
        row.pk: row
        for row in with_parents(Budget.objects.filter(pk__in=budget_ids))
        .select_related("category", "dimension")
        .order_by("pk")
        .select_for_update(of=("self",))
    }
    if any(row.parent_id is not None and row.parent_id not in rows for row in rows.values()):
        raise BudgetTreeMoved
    return rows


def lock_managed_budgets(*, actor: Account, budget_ids: set[int]) -> dict[int, Budget]:
    """Lock the budgets that the actor wants to change and return them by key.

    Raises:
        BudgetNotFound: the actor cannot see one of them.
        Forbidden: the actor can see them but not change them.
    """
    visible_budgets = list_visible_budgets(actor=actor).filter(pk__in=budget_ids).order_by("pk")
    rows = {row.pk: row for row in visible_budgets.select_for_update(of=("self",))}
    if len(rows) != len(budget_ids):
        raise BudgetNotFound
    if not all(may_manage(actor, row.enterprise_id) for row in rows.values()):
        raise Forbidden("您可以查看预算，但不能维护，请联系贵司管理员或财务")
    return rows
