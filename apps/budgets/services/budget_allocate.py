"""Create a budget row and adjust its amount, with the ledger entry. Rights and history are in
`budget_manage.py`.
"""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.budgets.enums import BudgetRollover, EntryKind
from apps.budgets.errors import BudgetExceeded
from apps.budgets.models import Budget
from apps.budgets.services.budget_alert import alert_publish_if_used
from apps.budgets.services.budget_moves import entry_write
from apps.common.money import ZERO, money_value, yuan

if TYPE_CHECKING:
    from apps.org.models import Account, Department, Enterprise


@transaction.atomic
def budget_create(
    *,
    actor: Account | None,
    name: str,
    owner_type: str,
    enterprise: Enterprise,
    department: Department | None = None,
    account: Account | None = None,
    period: str,
    period_from: date,
    period_to: date,
    amount: Decimal,
    policy: str,
    rollover: str = BudgetRollover.NONE,
    rollover_cap: Decimal | None = None,
) -> Budget:
    """Create a budget of `amount` 元 with its allocation entry. `rollover_cap` is set only for
    the rollover CAP.
    """
    budget: Budget = Budget.objects.create(
        group_id=enterprise.group_id,
        name=name,
        owner_type=owner_type,
        enterprise=enterprise,
        department=department,
        account=account,
        period=period,
        period_from=period_from,
        period_to=period_to,
        amount=yuan(amount),
        policy=policy,
        rollover=rollover,
        rollover_cap=rollover_cap,
    )
    entry_write(
        budget_id=budget.pk,
        group_id=budget.group_id,
        actor=actor,
        kind=EntryKind.ALLOCATE,
        amount=budget.amount,
        note="预算拨款",
    )
    return budget


@transaction.atomic
def budget_adjust(*, actor: Account | None, budget: Budget, delta: Decimal, note: str) -> Budget:
    """Change the amount by `delta` 元 and return the changed budget.

    Raises:
        BudgetExceeded: the new amount is below reserved + consumed + held.
    """
    delta = yuan(delta)
    # Raising is always allowed, also for an overdrawn budget.
    floor = (
        Q(amount__gte=F("reserved") + F("consumed") + F("held") - money_value(delta))
        if delta < ZERO
        else Q()
    )
    moved = Budget.objects.filter(floor, pk=budget.pk).update(
        amount=F("amount") + money_value(delta), updated_at=timezone.now()
    )
    if not moved:
        raise BudgetExceeded("调整后的额度低于已预占与已使用之和（含待审批的调出），请减少调减金额")
    entry_write(
        budget_id=budget.pk,
        group_id=budget.group_id,
        actor=actor,
        kind=EntryKind.ADJUST,
        amount=delta,
        note=note,
    )
    changed: Budget = Budget.objects.select_related("department").get(pk=budget.pk)
    if delta < ZERO:
        alert_publish_if_used(changed)
    return changed
