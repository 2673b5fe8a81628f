"""Which budgets a person may use and see."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from typing import TYPE_CHECKING

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.utils import timezone

from apps.budgets.awaiting import OPENED
from apps.budgets.enums import FIGURE_KINDS, BudgetOwner
from apps.budgets.errors import BudgetNotFound
from apps.budgets.models import Budget, BudgetEntry
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import department_subtree_ids, scope_filter
from apps.org.selectors.department_chain import department_chain

if TYPE_CHECKING:
    from apps.org.models import Account


def usable_by(actor: Account) -> Q:
    """Return the condition of the budgets that the actor orders on, of any period."""
    return (
        Q(owner_type=BudgetOwner.ACCOUNT, account=actor)
        | Q(owner_type=BudgetOwner.DEPARTMENT, department_id__in=[row.pk for row in department_chain(account=actor)])
        | Q(owner_type=BudgetOwner.ENTERPRISE, enterprise_id=actor.enterprise_id)
    )


NEAREST_FIRST = Case(
    When(owner_type=BudgetOwner.ACCOUNT, then=Value(0)),
    When(owner_type=BudgetOwner.DEPARTMENT, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


def budgets_usable(*, actor: Account, on: date | None = None) -> QuerySet[Budget]:
    """Return the budgets that the actor may order on at a day, today when left out: his own, his departments', his enterprise's."""
    day = on or timezone.localdate()
    queryset: QuerySet[Budget] = Budget.objects.filter(usable_by(actor), period_from__lte=day, period_to__gte=day)
    return queryset.order_by(NEAREST_FIRST, "period_to", "id")


def budgets_visible(*, actor: Account, below: Collection[int] | None = None) -> QuerySet[Budget]:
    """Return the budgets of all periods within the actor's data scope for 预算余额, beside those he may order on.

    `below` are the departments of his subtree where the caller has them already.
    """
    if below is None and actor.department_id and actor.data_scope_of(MenuCode.ASSET_BUDGET) == DataScope.DEPARTMENT:
        below = department_subtree_ids(department_id=actor.department_id)
    in_scope = scope_filter(actor=actor, menu=MenuCode.ASSET_BUDGET, below=below) | scope_filter(
        actor=actor, menu=MenuCode.ASSET_BUDGET, department="account__department", below=below
    )
    queryset: QuerySet[Budget] = Budget.objects.filter(usable_by(actor) | in_scope if in_scope else Q())
    return queryset.select_related("enterprise", "department", "account").order_by("-period_from", "id")


def budgets_seen(actor: Account) -> QuerySet[Budget]:
    """Return the budgets whose history the actor may read."""
    return budgets_visible(actor=actor)


def budget_seen(*, actor: Account, budget_id: int) -> Budget:
    """Return one budget that the actor may see.

    Raises:
        BudgetNotFound: there is none such.
    """
    budget = budgets_visible(actor=actor).filter(pk=budget_id).first()
    if budget is None:
        raise BudgetNotFound
    return budget


def budget_entries(*, actor: Account, budget_id: int, figure: str = "") -> QuerySet[BudgetEntry]:
    """Return the ledger of a budget, newest first; with `figure` the rows that make up this figure.

    Raises:
        BudgetNotFound: there is none that the actor may see.
    """
    budget = budget_seen(actor=actor, budget_id=budget_id)
    queryset: QuerySet[BudgetEntry] = BudgetEntry.objects.filter(budget=budget).select_related("actor", "counterpart__budget")
    if figure:
        queryset = queryset.filter(kind__in=FIGURE_KINDS[figure])
    return queryset.order_by("-at", "-id")


def references_closed(*, actor: Account, references: Iterable[str]) -> set[str]:
    """Return those of the references whose order the actor may not open: a row of them shows its sum, not whose it is.

    The ledger must add up for whoever sees the budget, so the row stays; none is asked for where there is no reference.
    """
    closed = {reference for reference in references if reference}
    for opened in OPENED if closed else ():
        closed -= opened(actor, closed)
    return closed


def may_keep(actor: Account, enterprise_id: int) -> bool:
    """Whether the actor may make and change budgets of this enterprise: his scope for 预算余额 has all of it, not only his department."""
    scope = actor.data_scope_of(MenuCode.ASSET_BUDGET)
    return scope == DataScope.GROUP or (scope == DataScope.ENTERPRISE and enterprise_id == actor.enterprise_id)


def may_keep_any(actor: Account) -> bool:
    """Whether there is an enterprise whose budgets the actor may keep."""
    return may_keep(actor, actor.enterprise_id or 0)
