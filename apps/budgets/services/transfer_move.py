"""What a transfer does once it is decided: both ledgers and both histories tell it, in one transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from apps.budgets.models import Budget, BudgetTransfer
from apps.budgets.services.budget_allocate import budget_adjust
from apps.budgets.services.budget_history import CHANGED, budget_recorded, told
from apps.common.errors import WrongState

if TYPE_CHECKING:
    from apps.org.models import Account

# What a ledger's note holds.
MOST_NOTE = 200


def refuse_ended(*budgets: Budget) -> None:
    """Refuse a transfer with a period that is over.

    Raises:
        WrongState: one of them has ended.
    """
    for budget in budgets:
        if budget.period_to < timezone.localdate():
            raise WrongState(f"“{budget.name}”的周期已结束，不能调拨")


def transfer_move(*, actor: Account, transfer: BudgetTransfer, by: str = "") -> tuple[Budget, Budget]:
    """Move the amount and return source and target as they now stand; the caller has locked both. `by` says how it came to be.

    Raises:
        BudgetExceeded: the source, which only warns, has been overdrawn by orders.
    """
    budgets = {transfer.source_id: transfer.source, transfer.target_id: transfer.target}
    said = f"{transfer.reason}（{by}）" if by else transfer.reason
    notes = {
        transfer.source_id: f"调拨至“{transfer.target.name}”：{said}"[:MOST_NOTE],
        transfer.target_id: f"自“{transfer.source.name}”调入：{said}"[:MOST_NOTE],
    }
    moves = {transfer.source_id: -transfer.amount, transfer.target_id: transfer.amount}
    before = {pk: told(budget) for pk, budget in budgets.items()}
    changed = {pk: budget_adjust(actor=actor, budget=budgets[pk], delta=moves[pk], note=notes[pk]) for pk in sorted(budgets)}
    for pk, budget in changed.items():
        budget_recorded(actor=actor, before=before[pk], after=budget, action=CHANGED, note=notes[pk])
    return changed[transfer.source_id], changed[transfer.target_id]
