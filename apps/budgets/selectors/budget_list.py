"""The list of 预算余额 with its filters, sums and row data, and the gauges of the workbench."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    Count,
    ExpressionWrapper,
    F,
    FloatField,
    IntegerField,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
    Window,
)
from django.db.models.functions import Cast, NullIf
from django.db.models.lookups import GreaterThanOrEqual
from django.utils import timezone

from apps.budgets.awaiting import AWAITING_REFERENCES
from apps.budgets.enums import BudgetEarmark, BudgetState, BudgetWhen
from apps.budgets.models import Budget, BudgetReservation
from apps.budgets.selectors.budget_tree import build_below_condition, get_budget_path, with_parents
from apps.budgets.selectors.budgets import (
    ENTERPRISE_DISTANCE,
    NOT_EARMARKED,
    build_nearest_first_order,
    build_usable_condition,
    list_visible_budgets,
)
from apps.common.money import ZERO
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Department
from apps.org.selectors.data_scope import list_department_subtree_ids

if TYPE_CHECKING:
    from apps.org.models import Account


USED = F("reserved") + F("consumed")


def _build_usage_condition(percent: int) -> GreaterThanOrEqual:
    """Return the condition that at least `percent` of the amount is used, computed in whole 分."""
    used_amount, amount = (
        ExpressionWrapper(figure, BigIntegerField())
        for figure in (USED * 100, F("amount") * percent)
    )
    return GreaterThanOrEqual(used_amount, amount)


FULL, NEAR = (
    Q(_build_usage_condition(100)),
    Q(_build_usage_condition(80)) & ~Q(_build_usage_condition(100)),
)
STATES: dict[str, Q] = {
    BudgetState.NORMAL: ~Q(_build_usage_condition(80)) & ~FULL,
    BudgetState.NEAR: NEAR,
    BudgetState.FULL: FULL,
}


EARMARKS: dict[str, Q] = {
    BudgetEarmark.NONE: NOT_EARMARKED,
    BudgetEarmark.CATEGORY: Q(category__isnull=False),
    BudgetEarmark.DIMENSION: Q(dimension__isnull=False),
}


@dataclass(frozen=True, slots=True)
class BudgetFilters:
    """The filters of the list; "" and None filter nothing. A department includes its subtree
    and the accounts in it.
    """

    keyword: str = ""
    owner_type: str = ""
    department_id: int | None = None
    period: str = ""
    policy: str = ""
    state: str = ""
    when: str = ""
    earmark: str = ""


@dataclass(frozen=True, slots=True)
class Awaiting:
    """The amount in 元 and the number of the orders in approval."""

    amount: Decimal = ZERO
    count: int = 0


@dataclass(frozen=True, slots=True)
class BudgetSums:
    """The sums over a list in 元, and the number of NEAR and FULL budgets."""

    count: int
    amount: Decimal
    reserved: Decimal
    consumed: Decimal
    held: Decimal
    near: int
    full: int

    @property
    def available(self) -> Decimal:
        """Return the available total in 元."""
        return self.amount - self.reserved - self.consumed - self.held


def list_budgets(*, actor: Account, filters: BudgetFilters) -> QuerySet[Budget]:
    """Return the visible budgets that match the filters, the latest period first."""
    rows = list_visible_budgets(actor=actor)
    for word in filters.keyword.split()[:3]:
        matches_text = (
            Q(department__name__icontains=word)
            | Q(account__nickname__icontains=word)
            | Q(enterprise__name__icontains=word)
        )
        rows = rows.filter(Q(name__icontains=word) | matches_text)
    exact = {"owner_type": filters.owner_type, "period": filters.period, "policy": filters.policy}
    rows = rows.filter(**{name: value for name, value in exact.items() if value})
    if filters.department_id is not None:
        subtree_ids = list_department_subtree_ids(department_id=filters.department_id)
        rows = rows.filter(
            Q(department_id__in=subtree_ids) | Q(account__department_id__in=subtree_ids)
        )
    if filters.state:
        rows = rows.filter(STATES[filters.state])
    if filters.earmark:
        rows = rows.filter(EARMARKS[filters.earmark])
    return rows.filter(_build_period_condition(filters.when))


# The most budgets that a tree or a sheet shows.
MAX_TREE = 2000


@dataclass(frozen=True, slots=True)
class BudgetNode:
    """A budget of the tree. `level` is 1 for a topmost one."""

    budget: Budget
    level: int


def list_budget_tree(*, actor: Account, filters: BudgetFilters) -> list[BudgetNode]:
    """Return at most MAX_TREE budgets of the list in the order of the tree: each budget is followed
    by those below it, by name. A budget whose parent is not in the list is a topmost one. One
    query.
    """
    budgets = list_budgets(actor=actor, filters=filters)
    rows = list(budgets.order_by("name", "period_from", "pk")[:MAX_TREE])
    keys = {row.pk for row in rows}
    below_of: dict[int | None, list[Budget]] = {}
    for row in rows:
        parent_id = row.parent_id if row.parent_id in keys else None
        below_of.setdefault(parent_id, []).append(row)
    nodes: list[BudgetNode] = []
    stack = [BudgetNode(row, 1) for row in reversed(below_of.get(None, []))]
    while stack:
        node = stack.pop()
        nodes.append(node)
        lower = below_of.get(node.budget.pk, [])
        stack += [BudgetNode(row, node.level + 1) for row in reversed(lower)]
    return nodes


def _build_period_condition(when: str) -> Q:
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


def sum_budgets(budgets: QuerySet[Budget], *, earmark: str = "") -> BudgetSums:
    """Return the sums of a list. A budget below another one of the list is part of that one, so
    only the topmost budgets are added up. Two queries: the sums of all, less those of the lower.

    An earmarked budget counts lines that an ordinary budget counts as well. So the amounts are
    those of the ordinary budgets, unless the list was filtered by another `earmark`.
    """
    # Without the prefix, an aggregate named like a column would hide the column from the
    # filters.
    earmark_condition = EARMARKS[earmark or BudgetEarmark.NONE]
    counted_budgets = budgets.filter(earmark_condition)
    names = ("amount", "reserved", "consumed", "held")
    totals = {f"total_{name}": Sum(name, filter=earmark_condition) for name in names}
    sums = budgets.order_by().aggregate(
        count=Count("pk"), near=Count("pk", filter=NEAR), full=Count("pk", filter=FULL), **totals
    )
    lower = (
        counted_budgets.filter(build_below_condition(counted_budgets))
        .order_by()
        .aggregate(**totals)
    )
    amounts = {
        name.removeprefix("total_"): (sums[name] or ZERO) - (lower[name] or ZERO) for name in totals
    }
    return BudgetSums(count=sums["count"], near=sums["near"], full=sums["full"], **amounts)


def list_awaiting_reservations() -> QuerySet[BudgetReservation]:
    """Return the reservations of orders that wait for approval."""
    condition = Q(pk__in=[])
    for references in AWAITING_REFERENCES:
        condition |= Q(reference__in=references())
    rows: QuerySet[BudgetReservation] = BudgetReservation.objects.filter(condition, amount__gt=ZERO)
    return rows.order_by("-created_at", "-pk")


def list_awaiting_of(budgets: QuerySet[Budget]) -> QuerySet[BudgetReservation]:
    """Return the reservations of orders in approval on these budgets and all budgets below."""
    lower = Budget.objects.filter(build_below_condition(budgets)).values("pk")
    return list_awaiting_reservations().filter(
        Q(budget__in=budgets.order_by().values("pk")) | Q(budget__in=lower)
    )


def get_awaiting_by_budget(budgets: Sequence[Budget]) -> dict[int, Awaiting]:
    """Return {budget id: Awaiting}, with the orders on the budgets below; budgets without waiting
    orders are missing. One query, and one more if orders wait on budgets with a parent.
    """
    rows = {row.pk: row for row in budgets}
    reservations = list_awaiting_of(Budget.objects.filter(pk__in=rows)).order_by()
    sums = list(
        reservations.values_list("budget_id").annotate(total=Sum("amount"), number=Count("pk"))
    )
    # Budgets between two levels may be missing from `budgets`.
    lower = [pk for pk, _, _ in sums if pk not in rows or rows[pk].parent_id is not None]
    tree = dict(rows)
    if lower:
        tree |= {row.pk: row for row in with_parents(Budget.objects.filter(pk__in=lower))}
    awaiting_by_budget: dict[int, Awaiting] = {}
    for budget_id, total, number in sums:
        for level in get_budget_path(tree[budget_id], tree):
            if level.pk in rows:
                have = awaiting_by_budget.get(level.pk, Awaiting())
                awaiting_by_budget[level.pk] = Awaiting(have.amount + total, have.count + number)
    return awaiting_by_budget


def get_owner_paths(budgets: Sequence[Budget]) -> dict[int, list[str]]:
    """Return {budget id: names from the enterprise down to the owner}. One query."""
    rows = Department.objects.filter(
        enterprise_id__in={row.enterprise_id for row in budgets}
    ).order_by()
    tree: dict[int, tuple[int | None, str]] = {
        pk: (above, name) for pk, above, name in rows.values_list("pk", "parent_id", "name")
    }
    return {row.pk: _list_owner_names(row, tree) for row in budgets}


def _list_owner_names(budget: Budget, tree: dict[int, tuple[int | None, str]]) -> list[str]:
    """Return the names of enterprise, departments and account of the owner, from the top.
    `tree`: {department pk: (parent pk, name)}.
    """
    names = [budget.account.nickname] if budget.account else []
    current = budget.account.department_id if budget.account else budget.department_id
    while current is not None and current in tree and len(names) <= len(tree):
        current, name = tree[current]
        names.append(name)
    return [*reversed([*names, budget.enterprise.name])]


WATCHING = (DataScope.ENTERPRISE, DataScope.GROUP)


@dataclass(frozen=True, slots=True)
class BudgetGauges:
    """The first budgets, and the number of all, NEAR and FULL budgets of today. Each row has
    `is_usable`.
    """

    rows: list[Budget]
    count: int = 0
    near: int = 0
    full: int = 0


def get_budget_gauges(
    *, actor: Account, limit: int, subtree_ids: Collection[int] | None = None
) -> BudgetGauges:
    """Return the budgets the actor orders on, the nearest owner first, then those of the data
    scope, the fullest first. One query, and one for the department chain.

    In the scope of an enterprise or group the fullest come first. Without the menu code of 预算余额
    only the budgets the actor orders on are returned.
    """
    today = timezone.localdate()
    usable = build_usable_condition(actor)
    visible = (
        list_visible_budgets(actor=actor, subtree_ids=subtree_ids)
        if actor.has_menu_code(MenuCode.ASSET_BUDGET)
        else Budget.objects.filter(usable)
    )
    rows = visible.filter(period_from__lte=today, period_to__gte=today).annotate(
        is_usable=Case(
            When(usable, then=Value(True)), default=Value(False), output_field=BooleanField()
        ),
        share=Cast(USED, FloatField()) / NullIf(Cast("amount", FloatField()), Value(0.0)),
        of_all=Window(Count("pk")),
        of_near=Window(Count("pk", filter=NEAR)),
        of_full=Window(Count("pk", filter=FULL)),
    )
    near_first = Case(
        When(usable, then=build_nearest_first_order(actor)),
        default=Value(ENTERPRISE_DISTANCE + 1),
        output_field=IntegerField(),
    )
    watches = actor.get_data_scope(MenuCode.ASSET_BUDGET) in WATCHING
    own_first = [] if watches else [near_first]
    budgets = list(
        rows.order_by(*own_first, F("share").desc(nulls_last=True), "period_to", "pk")[:limit]
    )
    if not budgets:
        return BudgetGauges([])
    return BudgetGauges(budgets, budgets[0].of_all, budgets[0].of_near, budgets[0].of_full)
