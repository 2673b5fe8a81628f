"""The budgets that an account may use, see and manage, and the comparison of their columns with the
ledger and the waiting transfers.

Not here: the choice among the budgets at checkout (`budget_choice.py`), the parents of a budget
(`budget_tree.py`), earmarks (`earmarks.py`), transfers (`transfers.py`), the list on the screen
(`budget_list.py`) and the forecast (`budget_forecast.py`). All changes are in `services/`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Case, F, IntegerField, Q, QuerySet, Sum, Value, When
from django.utils import timezone

from apps.budgets.awaiting import VISIBLE_REFERENCES
from apps.budgets.enums import FIGURE_KINDS, BudgetOwner, EntryKind, TransferStatus
from apps.budgets.errors import BudgetNotFound
from apps.budgets.models import Budget, BudgetEntry, BudgetTransfer
from apps.budgets.selectors.earmarks import Earmark
from apps.common.books import Difference, iterate_batches
from apps.common.compiled_queries import ListParameter, Parameter
from apps.common.money import ZERO, round_yuan
from apps.org.enums import DataScope, PurchasingRight
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import list_department_subtree_ids, scope_filter
from apps.org.selectors.departments import get_department_chain
from apps.org.selectors.purchasing import can_purchase

if TYPE_CHECKING:
    from apps.org.models import Account


def build_usable_condition(actor: Account) -> Q:
    """Return the condition for budgets the actor orders on, of any period. None matches for an
    actor who may only browse, so that he learns no amounts.
    """
    if not can_purchase(actor=actor, needed=PurchasingRight.REQUEST):
        return Q(pk__in=[])
    return build_owner_condition(
        account=actor.pk,
        departments=[row.pk for row in get_department_chain(account=actor)],
        enterprise=actor.enterprise_id or 0,
    )


def build_owner_condition(
    *,
    account: int | Parameter,
    departments: list[int] | ListParameter,
    enterprise: int | Parameter,
) -> Q:
    """Return the condition for the budgets of the account, of one of the departments, or of the
    enterprise, given by their keys.
    """
    return (
        Q(owner_type=BudgetOwner.ACCOUNT, account=account)
        | Q(owner_type=BudgetOwner.DEPARTMENT, department_id__any_of=departments)
        | Q(owner_type=BudgetOwner.ENTERPRISE, enterprise_id=enterprise)
    )


def filter_valid_budgets(*, day: date | Parameter) -> QuerySet[Budget]:
    """Return the budgets whose period contains the day."""
    rows: QuerySet[Budget] = Budget.objects.filter(period_from__lte=day, period_to__gte=day)
    return rows


# The distance of an enterprise's budget. No chain of departments is as long.
ENTERPRISE_DISTANCE = 1000


def get_distance(actor: Account, budget: Budget) -> int | None:
    """Return how far the owner is from the actor: 0 is the actor, then the departments upwards,
    then the enterprise. None if the actor does not order on the budget. No query if the actor's
    departments are loaded.
    """
    if budget.account_id is not None:
        return 0 if budget.account_id == actor.pk else None
    if budget.department_id is not None:
        chain = [row.pk for row in get_department_chain(account=actor)]
        is_in_chain = budget.department_id in chain
        return chain.index(budget.department_id) + 1 if is_in_chain else None
    return ENTERPRISE_DISTANCE if budget.enterprise_id == actor.enterprise_id else None


def build_nearest_first_order(actor: Account) -> Case:
    """Return the order of the budgets of `build_usable_condition`: the distance of the owner."""
    departments = [
        When(department_id=row.pk, then=Value(number))
        for number, row in enumerate(get_department_chain(account=actor), start=1)
    ]
    return Case(
        When(owner_type=BudgetOwner.ACCOUNT, then=Value(0)),
        *departments,
        default=Value(ENTERPRISE_DISTANCE),
        output_field=IntegerField(),
    )


# Budgets that an order may choose. An earmarked budget is never chosen; it is used by its lines.
NOT_EARMARKED = Q(category__isnull=True, dimension__isnull=True)


def list_usable_budgets(
    *, actor: Account, on: date | None = None, earmarks: Q = NOT_EARMARKED
) -> QuerySet[Budget]:
    """Return the budgets the actor may order on at the day `on` (default: today): the own ones,
    those of the departments above, and the enterprise's. `earmarks` selects by the earmark.
    """
    valid = filter_valid_budgets(day=on or timezone.localdate())
    queryset = valid.filter(build_usable_condition(actor), earmarks)
    return queryset.order_by(build_nearest_first_order(actor), "period_to", "id")


def list_visible_budgets(
    *, actor: Account, subtree_ids: Collection[int] | None = None
) -> QuerySet[Budget]:
    """Return the budgets of all periods in the actor's data scope of 预算余额, and those the actor
    may order on.

    `subtree_ids` are the departments of the actor's subtree if the caller has loaded them.
    """
    if (
        subtree_ids is None
        and actor.department_id
        and actor.get_data_scope(MenuCode.ASSET_BUDGET) == DataScope.DEPARTMENT
    ):
        subtree_ids = list_department_subtree_ids(department_id=actor.department_id)
    in_scope = scope_filter(
        actor=actor, menu=MenuCode.ASSET_BUDGET, subtree_ids=subtree_ids
    ) | scope_filter(
        actor=actor,
        menu=MenuCode.ASSET_BUDGET,
        department="account__department",
        subtree_ids=subtree_ids,
    )
    queryset: QuerySet[Budget] = Budget.objects.filter(
        build_usable_condition(actor) | in_scope if in_scope else Q()
    )
    return queryset.select_related(
        "enterprise", "department", "account", "parent", "category", "dimension"
    ).order_by("-period_from", "id")


def list_budgets_with_history(actor: Account) -> QuerySet[Budget]:
    """Return the budgets whose change history the actor may read."""
    return list_visible_budgets(actor=actor)


def get_budget(*, actor: Account, budget_id: int) -> Budget:
    """Return one visible budget.

    Raises:
        BudgetNotFound: the actor cannot see such a budget.
    """
    budget = list_visible_budgets(actor=actor).filter(pk=budget_id).first()
    if budget is None:
        raise BudgetNotFound
    return budget


def list_budget_entries(
    *, actor: Account, budget_id: int, figure: str = ""
) -> QuerySet[BudgetEntry]:
    """Return the ledger of a budget, newest first. `figure` limits it to the entries of that
    figure.

    Raises:
        BudgetNotFound: the actor cannot see such a budget.
    """
    budget = get_budget(actor=actor, budget_id=budget_id)
    queryset: QuerySet[BudgetEntry] = BudgetEntry.objects.filter(budget=budget).select_related(
        "actor", "counterpart__budget", "origin"
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
    for visible_reference in VISIBLE_REFERENCES if closed else ():
        closed -= visible_reference(actor, closed)
    return closed


def may_manage(actor: Account, enterprise_id: int) -> bool:
    """Return whether the actor may create and change budgets of the enterprise: the data scope
    of 预算余额 must include the whole enterprise.
    """
    scope = actor.get_data_scope(MenuCode.ASSET_BUDGET)
    return scope == DataScope.GROUP or (
        scope == DataScope.ENTERPRISE and enterprise_id == actor.enterprise_id
    )


def may_manage_any(actor: Account) -> bool:
    """Return whether the actor may manage budgets of any enterprise."""
    return may_manage(actor, actor.enterprise_id or 0)


Moved = defaultdict[str, Decimal]


def reconcile_budgets() -> list[Difference]:
    """Return all differences between the columns and the ledger; empty if there are none."""
    return [*reconcile_budget_columns(), *reconcile_reservations(), *reconcile_tree()]


def reconcile_budget_columns() -> Iterator[Difference]:
    """Yield the budget columns that differ from the ledger or the waiting transfers, in 元."""
    for budgets in iterate_batches(Budget.objects.all()):
        moved_by_budget: defaultdict[int, Moved] = defaultdict(lambda: defaultdict(lambda: ZERO))
        rows = BudgetEntry.objects.filter(budget__in=[budget.pk for budget in budgets]).order_by()
        for budget_id, kind, total in rows.values_list("budget_id", "kind").annotate(
            total=Sum("amount")
        ):
            moved_by_budget[budget_id][kind] = total
        waiting_transfers = BudgetTransfer.objects.filter(
            source__in=[budget.pk for budget in budgets], status=TransferStatus.WAITING
        ).order_by()
        held_by_budget = dict(
            waiting_transfers.values_list("source_id").annotate(total=Sum("amount"))
        )
        for budget in budgets:
            yield from _compare_columns(
                f"预算 {budget.pk}（{budget.name}）",
                budget,
                moved_by_budget[budget.pk],
                held_by_budget.get(budget.pk, ZERO),
            )


def _compare_columns(
    subject: str, budget: Budget, moved: Moved, held_amount: Decimal
) -> Iterator[Difference]:
    """Yield each amount of the budget (元) that differs from the sum of its ledger entries.
    `moved`: sums by kind of entry. `held_amount`: in waiting transfers.
    """
    columns = {
        "额度": (
            budget.amount,
            moved[EntryKind.ALLOCATE]
            + moved[EntryKind.ADJUST]
            + moved[EntryKind.CARRY_IN]
            - moved[EntryKind.CARRY_OUT],
        ),
        "已预占": (
            budget.reserved,
            moved[EntryKind.RESERVE] - moved[EntryKind.RELEASE] - moved[EntryKind.CONSUME],
        ),
        "已使用": (budget.consumed, moved[EntryKind.CONSUME] - moved[EntryKind.REFUND]),
        "调出待审": (budget.held, held_amount),
    }
    for figure, (column_amount, ledger) in columns.items():
        if column_amount != ledger:
            yield Difference(subject, figure, column_amount, ledger)


# Ledger entries reference a reservation only by the order number. The database joins them and
# returns only the differences.
DIFFERING_RESERVATIONS = """
    SELECT reference, amount, consumed, reserved, used
    FROM (
        SELECT held.id, held.reference, held.amount, held.consumed,
               COALESCE(SUM(CASE moved.kind WHEN 'reserve' THEN moved.amount
                                            WHEN 'release' THEN -moved.amount
                                            WHEN 'consume' THEN -moved.amount END), 0) AS reserved,
               COALESCE(SUM(CASE moved.kind WHEN 'consume' THEN moved.amount
                                            WHEN 'refund' THEN -moved.amount END), 0) AS used
        FROM budgets_budgetreservation held
        LEFT JOIN budgets_budgetentry moved
            ON moved.budget_id = held.budget_id AND moved.reference = held.reference
               AND moved.origin_id IS NULL
        GROUP BY held.id, held.reference, held.amount, held.consumed
    ) compared
    WHERE amount <> reserved OR consumed <> used
    ORDER BY id
"""


def reconcile_reservations() -> Iterator[Difference]:
    """Yield the reservations of all groups whose columns differ from the ledger, in 元."""
    with connection.cursor() as cursor:
        cursor.execute(DIFFERING_RESERVATIONS)
        rows = cursor.fetchall()
    for reference, *cents in rows:
        amount, consumed, reserved, used_amount = (
            round_yuan(Decimal(int(each)) / 100) for each in cents
        )
        if amount != reserved:
            yield Difference(f"预算预占 {reference}", "预占中", amount, reserved)
        if consumed != used_amount:
            yield Difference(f"预算预占 {reference}", "已使用", consumed, used_amount)


# A budget uses what its own orders hold and what the budgets directly below it use, each once.
DIFFERING_LEVELS = """
    SELECT level.id, level.name, level.reserved, level.consumed,
           COALESCE(own.reserved, 0) + COALESCE(lower.reserved, 0),
           COALESCE(own.consumed, 0) + COALESCE(lower.consumed, 0)
    FROM budgets_budget level
    LEFT JOIN (
        SELECT budget_id, SUM(amount) AS reserved, SUM(consumed) AS consumed
        FROM budgets_budgetreservation GROUP BY budget_id
    ) own ON own.budget_id = level.id
    LEFT JOIN (
        SELECT parent_id, SUM(reserved) AS reserved, SUM(consumed) AS consumed
        FROM budgets_budget WHERE parent_id IS NOT NULL GROUP BY parent_id
    ) lower ON lower.parent_id = level.id
    WHERE level.reserved <> COALESCE(own.reserved, 0) + COALESCE(lower.reserved, 0)
       OR level.consumed <> COALESCE(own.consumed, 0) + COALESCE(lower.consumed, 0)
    ORDER BY level.id
"""
# A budget with a parent that no topmost budget leads to is part of a cycle.
IN_A_CYCLE = """
    WITH RECURSIVE reached(id) AS (
        SELECT id FROM budgets_budget WHERE parent_id IS NULL
        UNION
        SELECT child.id FROM budgets_budget child JOIN reached ON child.parent_id = reached.id
    )
    SELECT id, name FROM budgets_budget
    WHERE parent_id IS NOT NULL AND id NOT IN (SELECT id FROM reached)
    ORDER BY id
"""


def reconcile_tree() -> Iterator[Difference]:
    """Yield the budgets whose figures differ from their own orders plus the budgets below (元), and
    those whose parent is not allowed: a cycle, another enterprise, or a period that does not
    contain theirs.
    """
    with connection.cursor() as cursor:
        cursor.execute(DIFFERING_LEVELS)
        levels = cursor.fetchall()
        cursor.execute(IN_A_CYCLE)
        cycle = cursor.fetchall()
    for pk, name, *cents in levels:
        reserved, consumed, held_amount, used_amount = (
            round_yuan(Decimal(int(each)) / 100) for each in cents
        )
        if reserved != held_amount:
            yield Difference(f"预算 {pk}（{name}）", "已预占（含下级）", reserved, held_amount)
        if consumed != used_amount:
            yield Difference(f"预算 {pk}（{name}）", "已使用（含下级）", consumed, used_amount)
    for pk, name in cycle:
        yield Difference(f"预算 {pk}（{name}）", "上级预算", "循环", "不循环")
    below_a_parent = Budget.objects.filter(parent__isnull=False).select_related("parent")
    for row in below_a_parent.exclude(parent__enterprise=F("enterprise")):
        yield Difference(
            f"预算 {row.pk}（{row.name}）",
            "上级预算的企业",
            row.parent.enterprise_id,
            row.enterprise_id,
        )
    is_limited = ~NOT_EARMARKED | Q(parent__category__isnull=False)
    is_limited |= Q(parent__dimension__isnull=False)
    for row in below_a_parent.filter(is_limited).select_related(
        "category__parent__parent", "dimension", "parent__category", "parent__dimension"
    ):
        if not Earmark(row.category, row.dimension).is_within(row.parent):
            yield Difference(
                f"预算 {row.pk}（{row.name}）",
                "上级预算的限定范围",
                row.parent.earmark_text or "不限",
                f"包含 {row.earmark_text or '不限'}",
            )
    outside = Q(parent__period_from__gt=F("period_from")) | Q(parent__period_to__lt=F("period_to"))
    for row in below_a_parent.filter(outside):
        yield Difference(
            f"预算 {row.pk}（{row.name}）",
            "上级预算的周期",
            f"{row.parent.period_from} 至 {row.parent.period_to}",
            f"包含 {row.period_from} 至 {row.period_to}",
        )
