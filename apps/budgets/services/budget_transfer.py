"""Ask for part of one budget's amount to go to another: a second person decides, until then it is held at the source."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.budgets.enums import TransferStatus
from apps.budgets.errors import BudgetExceeded
from apps.budgets.locks import lock_kept_budgets
from apps.budgets.models import Budget, BudgetTransfer
from apps.budgets.selectors.transfers import deciders_of
from apps.budgets.services.transfer_move import refuse_ended, transfer_move
from apps.budgets.services.transfer_news import asked_publish
from apps.common.errors import ValidationFailed
from apps.common.money import money_value, yuan

if TYPE_CHECKING:
    from apps.org.models import Account

# What the ledger's note has room for beside the other budget's name.
MOST_REASON = 100


@transaction.atomic
def budget_transfer(*, actor: Account, source_id: int, target_id: int, amount: Decimal, reason: str) -> BudgetTransfer:
    """Return the transfer: it waits for a second person who keeps both budgets; where there is none, it is made at once.

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
    refuse_ended(source, target)
    if source.available < amount:
        raise BudgetExceeded(f"“{source.name}”可用 {source.available:,.2f} 元，不足以调出 {amount:,.2f} 元")
    deciders = deciders_of(source=source, target=target, requester_id=actor.pk)
    fields: dict[str, Any] = {"source": source, "target": target, "amount": yuan(amount), "reason": reason, "requester": actor}
    transfer = BudgetTransfer(group_id=source.group_id, **fields)
    if deciders:
        transfer.save()
        Budget.objects.filter(pk=source.pk).update(held=F("held") + money_value(transfer.amount))
        source.held += transfer.amount
        asked_publish(transfer, to=deciders)
    else:
        transfer.status, transfer.decided_at = TransferStatus.APPROVED, timezone.now()
        transfer.save()
        transfer.source, transfer.target = transfer_move(actor=actor, transfer=transfer, by="无其他审批人")
    return transfer
