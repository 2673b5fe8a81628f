"""Move part of one budget's amount to another: both ledgers tell it, in one transaction."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.budgets.errors import BudgetExceeded
from apps.budgets.locks import lock_kept_budgets
from apps.budgets.models import Budget
from apps.budgets.services.budget_allocate import budget_adjust
from apps.budgets.services.budget_history import CHANGED, budget_recorded, told
from apps.common.errors import ValidationFailed, WrongState
from apps.common.money import yuan

if TYPE_CHECKING:
    from apps.org.models import Account

# What the ledger's note has room for beside the other budget's name.
MOST_REASON = 100


@transaction.atomic
def budget_transfer(*, actor: Account, source_id: int, target_id: int, amount: Decimal, reason: str) -> Budget:
    """Return the source after `amount` 元 of it went to the target; never more than is available.

    Raises:
        BudgetNotFound, Forbidden: the actor does not see, or may not change, one of the two.
        ValidationFailed: both are the same.
        WrongState: the period of one has ended.
        BudgetExceeded: the source has less left.
    """
    if source_id == target_id:
        raise ValidationFailed({"TargetId": ["调入预算须与调出预算不同"]})
    locked = lock_kept_budgets(actor=actor, budget_ids={source_id, target_id})
    source, target = locked[source_id], locked[target_id]
    for budget in (source, target):
        if budget.period_to < timezone.localdate():
            raise WrongState(f"“{budget.name}”的周期已结束，不能调拨")
    if source.available < amount:
        raise BudgetExceeded(f"“{source.name}”可用 {source.available:,.2f} 元，不足以调出 {amount:,.2f} 元")
    before = {budget.pk: told(budget) for budget in (source, target)}
    notes = {source.pk: f"调拨至“{target.name}”：{reason}", target.pk: f"自“{source.name}”调入：{reason}"}
    moves = {source.pk: -yuan(amount), target.pk: yuan(amount)}
    changed = {pk: budget_adjust(actor=actor, budget=locked[pk], delta=moves[pk], note=notes[pk]) for pk in sorted(locked)}
    for pk, budget in changed.items():
        budget_recorded(actor=actor, before=before[pk], after=budget, action=CHANGED, note=notes[pk])
    return changed[source_id]
