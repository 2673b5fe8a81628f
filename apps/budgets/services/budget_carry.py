"""Roll-over: what is left of a budget when its period ends goes into its owner's next one, once."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.budgets.enums import BudgetRollover, EntryKind
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.periods import period_after, period_text
from apps.budgets.services.budget_allocate import budget_create
from apps.budgets.services.budget_moves import entry_write
from apps.budgets.services.transfer_decide import transfers_lapse
from apps.common.background.periodic import done_for_each
from apps.common.money import ZERO, money_value
from apps.common.tenancy import tenant_scope
from apps.org.locks import lock_enterprises, lock_group


def budgets_carry() -> int:
    """Carry over every budget whose period has ended and that asks for it; return how many were settled. Runs in the platform's scope.

    Earlier periods first, and again until nothing is due: after a long stop what is left goes through the periods one by one.
    """
    settled = 0
    while done := done_for_each(_due(timezone.localdate()).order_by("period_to", "pk").values_list("pk", "group_id"), _carry):
        settled += done
    return settled


def _due(today: date) -> QuerySet[Budget]:
    rows: QuerySet[Budget] = Budget.objects.filter(rolled_at__isnull=True, period_to__lt=today).exclude(rollover=BudgetRollover.NONE)
    return rows


def _carry(budget_id: int, group_id: int) -> bool:
    with tenant_scope(group_id=group_id):
        return budget_carry(budget_id=budget_id, group_id=group_id)


@transaction.atomic
def budget_carry(*, budget_id: int, group_id: int) -> bool:
    """Settle one budget; False where another runner was first, its period has not ended, or an earlier one of its owner is
    still to be settled.

    What is available goes over, at most the cap. What orders hold stays, and what they give back later stays with it: an order is
    booked in one period, and a return refunds to the period it was taken from. Nothing is carried for an overdrawn budget, nor for an
    owner that is out of use.
    """
    # Nobody merges the owner away, nor opens the next budget, while it is looked for and made.
    lock_group(group_id)
    source = _due(timezone.localdate()).filter(pk=budget_id).select_related("enterprise", "department", "account").first()
    if source is None or _earlier_is_due(source):
        return False
    lock_enterprises(source.enterprise_id)
    target = _next(source)
    keys = [budget_id, target.pk] if target else [budget_id]
    locked = {row.pk: row for row in Budget.objects.select_for_update().filter(pk__in=keys).order_by("pk")}
    # Nobody may approve them any more: what they hold is left like the rest.
    transfers_lapse(source=locked[budget_id])
    left = _carried(locked[budget_id]) if _in_use(source) else ZERO
    if left > ZERO:
        _move(source, target or _open_next(source), left)
    Budget.objects.filter(pk=budget_id).update(rolled_at=timezone.now())
    return True


def _earlier_is_due(budget: Budget) -> bool:
    """Whether an earlier period of the owner is still to be carried: its money may come here, and goes on from here once."""
    return (_due(budget.period_from) & _own(budget)).exclude(pk=budget.pk).exists()


def _own(budget: Budget) -> QuerySet[Budget]:
    """Return the owner's budgets of the same kind of period."""
    owner = {"enterprise": budget.enterprise_id, "department": budget.department_id, "account": budget.account_id}
    rows: QuerySet[Budget] = Budget.objects.filter(**owner, period=budget.period)
    return rows


def _in_use(budget: Budget) -> bool:
    owner = budget.account or budget.department or budget.enterprise
    return bool(budget.enterprise.is_active and owner.is_active)


def _carried(budget: Budget) -> Decimal:
    """Return what goes over, in 元."""
    left = max(budget.available, ZERO)
    return left if budget.rollover_cap is None else min(left, budget.rollover_cap)


def _next(budget: Budget) -> Budget | None:
    """Return the owner's budget of the next period: the one of the same name, or the only one where he has one in each period."""
    first, last = period_after(period=budget.period, last=budget.period_to)
    own = _own(budget)
    following = list(own.filter(period_from=first, period_to=last).order_by("pk"))
    same = next((row for row in following if row.name == budget.name), None)
    if same or len(following) != 1:
        return same
    alone = not own.filter(period_from=budget.period_from, period_to=budget.period_to).exclude(pk=budget.pk).exists()
    return following[0] if alone else None


def _open_next(budget: Budget) -> Budget:
    """Return the next budget, of nothing but what is carried: how much more it gets its keeper decides."""
    first, last = period_after(period=budget.period, last=budget.period_to)
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
    )


def _move(source: Budget, target: Budget, left: Decimal) -> None:
    """Take `left` 元 of the one and give it to the other; two ledger rows that name each other."""
    now = timezone.now()
    still = Q(amount__gte=F("reserved") + F("consumed") + F("held") + money_value(left))
    if not Budget.objects.filter(still, pk=source.pk).update(amount=F("amount") - money_value(left), updated_at=now):
        raise RuntimeError(f"budget {source.pk} is locked and yet has less than {left}")
    Budget.objects.filter(pk=target.pk).update(amount=F("amount") + money_value(left), updated_at=now)
    gone = entry_write(
        budget_id=source.pk, group_id=source.group_id, actor=None, kind=EntryKind.CARRY_OUT, amount=left, note=f"结转至{_named(target)}"
    )
    come = entry_write(
        budget_id=target.pk, group_id=source.group_id, actor=None, kind=EntryKind.CARRY_IN, amount=left, note=f"自{_named(source)}结转"
    )
    for one, other in ((gone, come), (come, gone)):
        BudgetEntry.objects.filter(pk=one.pk).update(counterpart=other)


def _named(budget: Budget) -> str:
    return f"“{budget.name}”（{period_text(period=budget.period, first=budget.period_from, last=budget.period_to)}）"
