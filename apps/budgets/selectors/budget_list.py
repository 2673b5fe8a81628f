"""The list of 预算余额: filters, the sums above it, and what each row tells beside its columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import BigIntegerField, Count, ExpressionWrapper, F, Q, QuerySet, Sum
from django.db.models.lookups import GreaterThanOrEqual
from django.utils import timezone

from apps.budgets.awaiting import SOURCES
from apps.budgets.enums import BudgetState, BudgetWhen
from apps.budgets.models import Budget, BudgetReservation
from apps.budgets.selectors.budgets import budgets_visible
from apps.common.money import ZERO
from apps.org.models import Department
from apps.org.selectors.data_scope import department_subtree_ids

if TYPE_CHECKING:
    from apps.org.models import Account

USED = F("reserved") + F("consumed")


def _at_least(percent: int) -> GreaterThanOrEqual:
    """Return the condition that so much of the amount is taken, reckoned in whole 分."""
    used, amount = (ExpressionWrapper(figure, BigIntegerField()) for figure in (USED * 100, F("amount") * percent))
    return GreaterThanOrEqual(used, amount)


FULL, NEAR = Q(_at_least(100)), Q(_at_least(80)) & ~Q(_at_least(100))
STATES: dict[str, Q] = {BudgetState.NORMAL: ~Q(_at_least(80)) & ~FULL, BudgetState.NEAR: NEAR, BudgetState.FULL: FULL}


@dataclass(frozen=True, slots=True)
class BudgetFilters:
    """What narrows the list; "" and None do not. A department has its subtree and the people in it."""

    keyword: str = ""
    owner_type: str = ""
    department_id: int | None = None
    period: str = ""
    policy: str = ""
    state: str = ""
    when: str = ""


@dataclass(frozen=True, slots=True)
class Awaiting:
    """What orders in approval hold of a budget, in 元, and how many they are."""

    amount: Decimal = ZERO
    count: int = 0


@dataclass(frozen=True, slots=True)
class BudgetSums:
    """The sums over a list, in 元, and how many of its budgets are near their end or at it."""

    count: int
    amount: Decimal
    reserved: Decimal
    consumed: Decimal
    held: Decimal
    near: int
    full: int

    @property
    def available(self) -> Decimal:
        """What is left of all."""
        return self.amount - self.reserved - self.consumed - self.held


def budgets_found(*, actor: Account, filters: BudgetFilters) -> QuerySet[Budget]:
    """Return the budgets that the actor sees and the filters let through; the latest period first."""
    rows = budgets_visible(actor=actor)
    for word in filters.keyword.split()[:3]:
        named = Q(department__name__icontains=word) | Q(account__nickname__icontains=word) | Q(enterprise__name__icontains=word)
        rows = rows.filter(Q(name__icontains=word) | named)
    exact = {"owner_type": filters.owner_type, "period": filters.period, "policy": filters.policy}
    rows = rows.filter(**{name: value for name, value in exact.items() if value})
    if filters.department_id is not None:
        below = department_subtree_ids(department_id=filters.department_id)
        rows = rows.filter(Q(department_id__in=below) | Q(account__department_id__in=below))
    if filters.state:
        rows = rows.filter(STATES[filters.state])
    return rows.filter(_when(filters.when))


def _when(when: str) -> Q:
    today = timezone.localdate()
    match when:
        case BudgetWhen.CURRENT:
            return Q(period_from__lte=today, period_to__gte=today)
        case BudgetWhen.UPCOMING:
            return Q(period_from__gt=today)
        case BudgetWhen.ENDED:
            return Q(period_to__lt=today)
        case BudgetWhen.OPEN:
            return Q(period_to__gte=today)
    return Q()


def budget_sums(budgets: QuerySet[Budget]) -> BudgetSums:
    """Return the sums of a list in one query."""
    # "total_": an aggregate by the name of a column would hide the column from the conditions beside it.
    totals = {f"total_{name}": Sum(name) for name in ("amount", "reserved", "consumed", "held")}
    sums = budgets.order_by().aggregate(count=Count("pk"), near=Count("pk", filter=NEAR), full=Count("pk", filter=FULL), **totals)
    money = {name.removeprefix("total_"): sums[name] or ZERO for name in totals}
    return BudgetSums(count=sums["count"], near=sums["near"], full=sums["full"], **money)


def reservations_awaiting() -> QuerySet[BudgetReservation]:
    """Return what is reserved for orders that still wait for a decision."""
    waiting = Q(pk__in=[])
    for references in SOURCES:
        waiting |= Q(reference__in=references())
    rows: QuerySet[BudgetReservation] = BudgetReservation.objects.filter(waiting, amount__gt=ZERO)
    return rows.order_by("-created_at", "-pk")


def awaiting_of(budgets: Iterable[Budget]) -> dict[int, Awaiting]:
    """Return by budget what orders in approval hold of it; without a row, nothing. One query."""
    rows = reservations_awaiting().filter(budget__in=[row.pk for row in budgets]).order_by()
    sums = rows.values_list("budget_id").annotate(total=Sum("amount"), number=Count("pk"))
    return {budget_id: Awaiting(total, number) for budget_id, total, number in sums}


def owner_paths(budgets: Sequence[Budget]) -> dict[int, list[str]]:
    """Return by budget the names from its enterprise down to its owner. One query over the departments of the enterprises."""
    rows = Department.objects.filter(enterprise_id__in={row.enterprise_id for row in budgets}).order_by()
    tree: dict[int, tuple[int | None, str]] = {pk: (above, name) for pk, above, name in rows.values_list("pk", "parent_id", "name")}
    return {row.pk: _path(row, tree) for row in budgets}


def _path(budget: Budget, tree: dict[int, tuple[int | None, str]]) -> list[str]:
    names = [budget.account.nickname] if budget.account else []
    current = budget.account.department_id if budget.account else budget.department_id
    while current is not None and current in tree and len(names) <= len(tree):
        current, name = tree[current]
        names.append(name)
    return [*reversed([*names, budget.enterprise.name])]
