"""Rollover: move the remaining amount of an ended budget into the owner's next budget, once."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.budgets.enums import BudgetRollover, EntryKind
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.periods import format_period, get_period_after
from apps.budgets.selectors.earmarks import Earmark
from apps.budgets.services.budget_manage import budget_create
from apps.budgets.services.budget_moves import entry_write
from apps.budgets.services.budget_transfer import transfers_reject_lapsed
from apps.common.background.periodic import run_for_each
from apps.common.money import ZERO, build_money_value
from apps.common.tenancy import tenant_scope
from apps.org.locks import lock_enterprises, lock_group


def budgets_carry() -> int:
    """Roll over all due budgets and return how many were handled. The caller must open the platform
    scope.

    Earlier periods come first, and the loop repeats until nothing is due. After a long downtime the
    amount passes through all periods one by one.
    """
    settled = 0
    while carried_count := run_for_each(
        _filter_due_budgets(timezone.localdate())
        .order_by("period_to", "pk")
        .values_list("pk", "group_id"),
        _carry,
    ):
        settled += carried_count
    return settled


def _filter_due_budgets(today: date) -> QuerySet[Budget]:
    """Return the ended budgets whose rest is to be carried over and was not yet."""
    rows: QuerySet[Budget] = Budget.objects.filter(
        rolled_at__isnull=True, period_to__lt=today
    ).exclude(rollover=BudgetRollover.NONE)
    return rows


def _carry(budget_id: int, group_id: int) -> bool:
    with tenant_scope(group_id=group_id):
        return budget_carry(budget_id=budget_id, group_id=group_id)


@transaction.atomic
def budget_carry(*, budget_id: int, group_id: int) -> bool:
    """Roll over one budget. Return False if another worker was first, the period has not ended,
    or an earlier budget of the owner is still due.

    The available amount moves, at most the cap. Reservations of orders stay, and what they release
    later stays in the ended period, because an order is booked in one period. Nothing moves for an
    overdrawn budget or a disabled owner.
    """
    # The owner must not be merged, and the next budget not be created, at the same time.
    lock_group(group_id)
    source = (
        _filter_due_budgets(timezone.localdate())
        .filter(pk=budget_id)
        .select_related("enterprise", "department", "account", "parent", "category", "dimension")
        .first()
    )
    if source is None or _is_earlier_due(source):
        return False
    lock_enterprises(source.enterprise_id)
    target = _find_next(source)
    keys = [budget_id, target.pk] if target else [budget_id]
    locked_budgets = {
        row.pk: row for row in Budget.objects.select_for_update().filter(pk__in=keys).order_by("pk")
    }
    # Waiting transfers can no longer be approved. Their held amount becomes available again.
    transfers_reject_lapsed(source=locked_budgets[budget_id])
    carried_amount = (
        _amount_to_carry(locked_budgets[budget_id]) if _is_owner_active(source) else ZERO
    )
    if carried_amount > ZERO:
        _move_amount(source, target or _open_next(source), carried_amount)
    Budget.objects.filter(pk=budget_id).update(rolled_at=timezone.now())
    return True


def _is_earlier_due(budget: Budget) -> bool:
    """Return whether an earlier budget of the owner is due. Its amount may move into this
    budget first.
    """
    return (
        (_filter_due_budgets(budget.period_from) & _filter_owner_budgets(budget))
        .exclude(pk=budget.pk)
        .exists()
    )


def _filter_owner_budgets(budget: Budget) -> QuerySet[Budget]:
    """Return the owner's budgets with the same kind of period and the same earmark."""
    owner = {
        "enterprise": budget.enterprise_id,
        "department": budget.department_id,
        "account": budget.account_id,
        "category": budget.category_id,
        "dimension": budget.dimension_id,
    }
    rows: QuerySet[Budget] = Budget.objects.filter(**owner, period=budget.period)
    return rows


def _is_owner_active(budget: Budget) -> bool:
    owner = budget.account or budget.department or budget.enterprise
    return bool(budget.enterprise.is_active and owner.is_active)


def _amount_to_carry(budget: Budget) -> Decimal:
    """Return the amount that moves, in 元."""
    available = max(budget.available, ZERO)
    return available if budget.rollover_cap is None else min(available, budget.rollover_cap)


def _find_next(budget: Budget) -> Budget | None:
    """Return the owner's budget of the next period: the one with the same name, or the only one
    if the owner has one budget per period.
    """
    first, last = get_period_after(period=budget.period, last=budget.period_to)
    own_budgets = _filter_owner_budgets(budget)
    following = list(own_budgets.filter(period_from=first, period_to=last).order_by("pk"))
    same_name = next((row for row in following if row.name == budget.name), None)
    if same_name or len(following) != 1:
        return same_name
    is_only_budget = (
        not own_budgets.filter(period_from=budget.period_from, period_to=budget.period_to)
        .exclude(pk=budget.pk)
        .exists()
    )
    return following[0] if is_only_budget else None


def _open_next(budget: Budget) -> Budget:
    """Create the next budget with an amount of zero. Its manager decides how much more it gets.
    If the budget has a parent, its next one has the parent's next one, so that an amount that is
    left never leaves the limits above.
    """
    first, last = get_period_after(period=budget.period, last=budget.period_to)
    return budget_create(
        actor=None,
        name=budget.name,
        owner_type=budget.owner_type,
        enterprise=budget.enterprise,
        department=budget.department,
        account=budget.account,
        period=budget.period,
        period_from=first,
        period_to=last,
        amount=ZERO,
        policy=budget.policy,
        rollover=budget.rollover,
        rollover_cap=budget.rollover_cap,
        parent=_find_next_parent(budget, first, last),
        thresholds=budget.thresholds,
        earmark=Earmark(budget.category, budget.dimension),
    )


def _find_next_parent(budget: Budget, first: date, last: date) -> Budget | None:
    """Return the parent of the next budget: the present parent if its period contains the new one,
    otherwise the one that follows it. Opens that one if necessary. None without a parent.
    """
    parent: Budget | None = budget.parent
    if parent is None or (parent.period_from <= first and parent.period_to >= last):
        return parent
    following = get_period_after(period=parent.period, last=parent.period_to)
    if following[0] > first or following[1] < last:
        return None
    return _find_next(parent) or _open_next(parent)


def _move_amount(source: Budget, target: Budget, amount: Decimal) -> None:
    """Move `amount` 元 from source to target. Write two ledger entries that name each other."""
    now = timezone.now()
    still = Q(amount__gte=F("reserved") + F("consumed") + F("held") + build_money_value(amount))
    if not Budget.objects.filter(still, pk=source.pk).update(
        amount=F("amount") - build_money_value(amount), updated_at=now
    ):
        raise RuntimeError(f"budget {source.pk} is locked and yet has less than {amount}")
    Budget.objects.filter(pk=target.pk).update(
        amount=F("amount") + build_money_value(amount), updated_at=now
    )
    outgoing = entry_write(
        budget_id=source.pk,
        group_id=source.group_id,
        actor=None,
        kind=EntryKind.CARRY_OUT,
        amount=amount,
        note=f"结转至{_format_budget(target)}",
    )
    incoming = entry_write(
        budget_id=target.pk,
        group_id=source.group_id,
        actor=None,
        kind=EntryKind.CARRY_IN,
        amount=amount,
        note=f"自{_format_budget(source)}结转",
    )
    for entry, counterpart in ((outgoing, incoming), (incoming, outgoing)):
        BudgetEntry.objects.filter(pk=entry.pk).update(counterpart=counterpart)


def _format_budget(budget: Budget) -> str:
    period = format_period(period=budget.period, first=budget.period_from, last=budget.period_to)
    return f"“{budget.name}”（{period}）"
