"""Which budgets an account may use, see and manage."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from typing import TYPE_CHECKING

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.utils import timezone

from apps.budgets.awaiting import VISIBILITY_CHECKS
from apps.budgets.enums import FIGURE_KINDS, BudgetOwner
from apps.budgets.errors import BudgetNotFound
from apps.budgets.models import Budget, BudgetEntry
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import department_subtree_ids, scope_filter
from apps.org.selectors.departments import department_chain

if TYPE_CHECKING:
    from apps.org.models import Account


def usable_by(actor: Account) -> Q:
    """Return the condition for budgets the actor orders on, of any period."""
    return (
        Q(owner_type=BudgetOwner.ACCOUNT, account=actor)
        | Q(
            owner_type=BudgetOwner.DEPARTMENT,
            department_id__in=[row.pk for row in department_chain(account=actor)],
        )
        | Q(owner_type=BudgetOwner.ENTERPRISE, enterprise_id=actor.enterprise_id)
    )


NEAREST_FIRST = Case(
    When(owner_type=BudgetOwner.ACCOUNT, then=Value(0)),
    When(owner_type=BudgetOwner.DEPARTMENT, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


def budgets_usable(*, actor: Account, on: date | None = None) -> QuerySet[Budget]:
    """Return the budgets the actor may order on at the day `on` (default: today): the own ones,
    those of the departments above, and the enterprise's.
    """
    day = on or timezone.localdate()
    queryset: QuerySet[Budget] = Budget.objects.filter(
        usable_by(actor), period_from__lte=day, period_to__gte=day
    )
    return queryset.order_by(NEAREST_FIRST, "period_to", "id")


def budgets_visible(*, actor: Account, below: Collection[int] | None = None) -> QuerySet[Budget]:
    """Return the budgets of all periods in the actor's data scope of 预算余额, and those the actor
    may order on.

    `below` are the departments of the actor's subtree if the caller has loaded them.
    """
    if (
        below is None
        and actor.department_id
        and actor.data_scope_of(MenuCode.ASSET_BUDGET) == DataScope.DEPARTMENT
    ):
        below = department_subtree_ids(department_id=actor.department_id)
    in_scope = scope_filter(actor=actor, menu=MenuCode.ASSET_BUDGET, below=below) | scope_filter(
        actor=actor, menu=MenuCode.ASSET_BUDGET, department="account__department", below=below
    )
    queryset: QuerySet[Budget] = Budget.objects.filter(
        usable_by(actor) | in_scope if in_scope else Q()
    )
    return queryset.select_related("enterprise", "department", "account").order_by(
        "-period_from", "id"
    )


def list_budgets_with_history(actor: Account) -> QuerySet[Budget]:
    """Return the budgets whose change history the actor may read."""
    return budgets_visible(actor=actor)


def budget_get(*, actor: Account, budget_id: int) -> Budget:
    """Return one visible budget.

    Raises:
        BudgetNotFound: the actor cannot see such a budget.
    """
    budget = budgets_visible(actor=actor).filter(pk=budget_id).first()
    if budget is None:
        raise BudgetNotFound
    return budget


def budget_entries(*, actor: Account, budget_id: int, figure: str = "") -> QuerySet[BudgetEntry]:
    """Return the ledger of a budget, newest first. `figure` limits it to the entries of that
    figure.

    Raises:
        BudgetNotFound: the actor cannot see such a budget.
    """
    budget = budget_get(actor=actor, budget_id=budget_id)
    queryset: QuerySet[BudgetEntry] = BudgetEntry.objects.filter(budget=budget).select_related(
        "actor", "counterpart__budget"
    )
    if figure:
        queryset = queryset.filter(kind__in=FIGURE_KINDS[figure])
    return queryset.order_by("-at", "-id")


def filter_hidden_references(*, actor: Account, references: Iterable[str]) -> set[str]:
    """Return the references whose order the actor may not open. Their ledger rows show only the
    amount.

    The rows stay in the ledger, because it must add up for everybody who sees the budget.
    """
    closed = {reference for reference in references if reference}
    for opened in VISIBILITY_CHECKS if closed else ():
        closed -= opened(actor, closed)
    return closed


def may_manage(actor: Account, enterprise_id: int) -> bool:
    """Return whether the actor may create and change budgets of the enterprise: the data scope
    of 预算余额 must include the whole enterprise.
    """
    scope = actor.data_scope_of(MenuCode.ASSET_BUDGET)
    return scope == DataScope.GROUP or (
        scope == DataScope.ENTERPRISE and enterprise_id == actor.enterprise_id
    )


def may_manage_any(actor: Account) -> bool:
    """Return whether the actor may manage budgets of any enterprise."""
    return may_manage(actor, actor.enterprise_id or 0)
