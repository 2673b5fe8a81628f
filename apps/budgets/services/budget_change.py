"""Change a budget's name, policies or amount; the amount with a reason that the ledger keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction

from apps.budgets.enums import BudgetPolicy
from apps.budgets.locks import lock_kept_budgets
from apps.budgets.models import Budget
from apps.budgets.services.budget_allocate import budget_adjust
from apps.budgets.services.budget_history import CHANGED, budget_recorded, told
from apps.budgets.services.budget_open import Owner, same_budgets
from apps.budgets.services.budget_rollover import rollover_terms
from apps.common.errors import Stale, ValidationFailed
from apps.common.money import ZERO, yuan
from apps.common.stale import refuse_stale
from apps.org.locks import lock_enterprises

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class BudgetChange:
    """What is to change; None stays, and `rollover_cap` goes with `rollover`.

    `amount` is the new one in 元, `amount_seen` the one it was decided on; `seen_at` is the budget's `updated_at` as it was shown.
    """

    name: str | None = None
    policy: str | None = None
    rollover: str | None = None
    rollover_cap: Decimal | None = None
    amount: Decimal | None = None
    amount_seen: Decimal | None = None
    seen_at: datetime | None = None
    reason: str = ""


@transaction.atomic
def budget_change(*, actor: Account, budget_id: int, change: BudgetChange) -> Budget:
    """Return the changed budget.

    Raises:
        BudgetNotFound, Forbidden: not his to see, or to change.
        Stale: somebody has changed it, or its amount, since he saw it.
        ValidationFailed: the owner has one of that name for that period already; no reason for another amount or policy;
            *block* for a budget that is overdrawn; a roll-over without its cap, or of a period that has ended.
        BudgetExceeded: the amount would fall below what is reserved and consumed.
    """
    budget = _locked(actor, budget_id, change)
    before = told(budget)
    if change.name not in (None, budget.name):
        _refuse_same_name(budget, change.name)
    if change.policy not in (None, budget.policy) and not change.reason:
        raise ValidationFailed({"Reason": ["请填写变更超出策略的原因，将记入变更记录"]})
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
    if told(budget) == before:
        # Whoever has it open meanwhile is not told that it changed.
        return budget
    budget.save(update_fields=["name", "policy", "rollover", "rollover_cap", "updated_at"])
    budget_recorded(actor=actor, before=before, after=budget, action=CHANGED, note=change.reason)
    return budget


def _locked(actor: Account, budget_id: int, change: BudgetChange) -> Budget:
    if change.name is not None:
        # As for a new one: of two names at once the second waits here and finds the first (locks: enterprise → budget).
        enterprises = Budget.objects.filter(pk=budget_id).values_list("enterprise_id", flat=True)
        if found := enterprises.first():
            lock_enterprises(found)
    budget = lock_kept_budgets(actor=actor, budget_ids={budget_id})[budget_id]
    refuse_stale(budget, seen_at=change.seen_at)
    return budget


def _refuse_same_name(budget: Budget, name: str | None) -> None:
    owner = Owner(budget.enterprise, budget.department, budget.account)
    if same_budgets(owner, budget.period_from, budget.period_to).filter(name=name).exclude(pk=budget.pk).exists():
        raise ValidationFailed({"Name": ["该归属在此周期已有同名预算，请更换名称"]})
