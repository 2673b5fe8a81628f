"""Change a budget's name, policies or amount; the amount with a reason that the ledger keeps."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction

from apps.budgets.enums import BudgetPolicy
from apps.budgets.locks import lock_kept_budgets
from apps.budgets.models import Budget
from apps.budgets.services.budget_allocate import budget_adjust
from apps.budgets.services.budget_history import CHANGED, budget_recorded, told
from apps.budgets.services.budget_rollover import rollover_terms
from apps.common.errors import Stale, ValidationFailed
from apps.common.money import ZERO, yuan

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class BudgetChange:
    """What is to change; None stays, and `rollover_cap` goes with `rollover`.

    `amount` is the new one in 元, `amount_seen` the one it was decided on.
    """

    name: str | None = None
    policy: str | None = None
    rollover: str | None = None
    rollover_cap: Decimal | None = None
    amount: Decimal | None = None
    amount_seen: Decimal | None = None
    reason: str = ""


@transaction.atomic
def budget_change(*, actor: Account, budget_id: int, change: BudgetChange) -> Budget:
    """Return the changed budget.

    Raises:
        BudgetNotFound, Forbidden: not his to see, or to change.
        Stale: the amount is no longer the one he saw.
        ValidationFailed: no reason for another amount; *block* for a budget that is overdrawn;
            a roll-over without its cap, or of a period that has ended.
        BudgetExceeded: the amount would fall below what is reserved and consumed.
    """
    budget = lock_kept_budgets(actor=actor, budget_ids={budget_id})[budget_id]
    before = told(budget)
    if change.amount is not None and yuan(change.amount) != budget.amount:
        if not change.reason:
            raise ValidationFailed({"Reason": ["请填写调整原因，将记入预算流水"]})
        if change.amount_seen is not None and change.amount_seen != budget.amount:
            raise Stale("额度已被他人调整，请核对最新额度后重试", body=budget)
        budget = budget_adjust(actor=actor, budget=budget, delta=yuan(change.amount) - budget.amount, note=change.reason)
    if change.policy == BudgetPolicy.BLOCK and budget.available < ZERO:
        raise ValidationFailed({"Policy": ["该预算已超支，请先调增额度，再改为“超出禁止下单”"]})
    if change.rollover is not None and (change.rollover, change.rollover_cap) != (budget.rollover, budget.rollover_cap):
        cap = change.rollover_cap
        budget.rollover, budget.rollover_cap = rollover_terms(rollover=change.rollover, cap=cap, last=budget.period_to)
    budget.name, budget.policy = change.name or budget.name, change.policy or budget.policy
    budget.save(update_fields=["name", "policy", "rollover", "rollover_cap", "updated_at"])
    budget_recorded(actor=actor, before=before, after=budget, action=CHANGED, note=change.reason)
    return budget
