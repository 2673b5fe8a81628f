"""Decide a transfer that waits, or take it back: once, under the locks of both budgets, then its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.budgets.enums import TransferStatus
from apps.budgets.errors import TransferNotFound
from apps.budgets.locks import lock_budgets
from apps.budgets.models import Budget, BudgetTransfer
from apps.budgets.selectors.transfers import may_decide, transfer_seen
from apps.budgets.services.transfer_move import refuse_ended, transfer_move
from apps.budgets.services.transfer_news import decided_publish, withdrawn_publish
from apps.common.errors import Forbidden, WrongState
from apps.common.money import ZERO, money_value

if TYPE_CHECKING:
    from apps.org.models import Account

LAPSED = "调出预算的周期已结束，系统自动驳回"


@transaction.atomic
def transfer_approve(*, actor: Account, transfer_id: int) -> BudgetTransfer:
    """Move what was held, and return the transfer.

    Raises:
        TransferNotFound, Forbidden: the actor does not see it, or may not decide it; nobody decides what he asked for.
        WrongState: it is decided already, or the period of one budget has ended.
        BudgetExceeded: the source, which only warns, has been overdrawn by orders.
    """
    transfer = _locked_to_decide(actor=actor, transfer_id=transfer_id)
    refuse_ended(transfer.source, transfer.target)
    _close(transfer, TransferStatus.APPROVED, actor=actor)
    transfer_move(actor=actor, transfer=transfer, by=f"{transfer.requester.nickname}申请")
    decided_publish(transfer, actor=actor)
    return transfer


@transaction.atomic
def transfer_reject(*, actor: Account, transfer_id: int, reason: str) -> BudgetTransfer:
    """Give back what was held, and return the transfer.

    Raises:
        TransferNotFound, Forbidden: as `transfer_approve`.
        WrongState: it is decided already.
    """
    transfer = _locked_to_decide(actor=actor, transfer_id=transfer_id)
    _close(transfer, TransferStatus.REJECTED, actor=actor, note=reason)
    decided_publish(transfer, actor=actor)
    return transfer


@transaction.atomic
def transfer_withdraw(*, actor: Account, transfer_id: int) -> BudgetTransfer:
    """Take back what the actor asked for himself, and return it.

    Raises:
        TransferNotFound, Forbidden: he does not see it, or another asked for it.
        WrongState: it is decided already.
    """
    if transfer_seen(actor=actor, transfer_id=transfer_id).requester_id != actor.pk:
        raise Forbidden("只有申请人可以撤回调拨申请")
    transfer = _locked(transfer_id)
    _close(transfer, TransferStatus.WITHDRAWN)
    withdrawn_publish(transfer)
    return transfer


def transfers_lapse(*, source: Budget) -> None:
    """Reject what still waits to leave a budget whose period is settled; the caller has locked it."""
    waiting = BudgetTransfer.objects.filter(source=source, status=TransferStatus.WAITING)
    if source.held == ZERO:
        return
    for transfer in waiting.select_related("source", "target", "requester").select_for_update(of=("self",)).order_by("pk"):
        _close(transfer, TransferStatus.REJECTED, note=LAPSED)
        decided_publish(transfer, actor=None)
    source.held = ZERO


def _locked_to_decide(*, actor: Account, transfer_id: int) -> BudgetTransfer:
    seen = transfer_seen(actor=actor, transfer_id=transfer_id)
    if seen.requester_id == actor.pk:
        raise Forbidden("不能审批自己申请的调拨，请由其他预算维护人处理")
    if not may_decide(actor, seen):
        raise Forbidden("您不能审批该调拨，请联系贵司管理员或财务")
    return _locked(transfer_id)


def _locked(transfer_id: int) -> BudgetTransfer:
    """Lock both budgets by key, then the transfer; which budgets it joins never changes."""
    joined = BudgetTransfer.objects.filter(pk=transfer_id).values_list("source_id", "target_id").first()
    if joined is None:
        raise TransferNotFound
    budgets = lock_budgets(budget_ids=set(joined))
    transfer: BudgetTransfer = BudgetTransfer.objects.select_related("requester").select_for_update(of=("self",)).get(pk=transfer_id)
    transfer.source, transfer.target = budgets[joined[0]], budgets[joined[1]]
    if transfer.status != TransferStatus.WAITING:
        raise WrongState(f"该调拨申请{transfer.get_status_display()}，请刷新后查看")
    return transfer


def _close(transfer: BudgetTransfer, status: TransferStatus, *, actor: Account | None = None, note: str = "") -> None:
    """Write how it ended and let its amount go at the source."""
    now = timezone.now()
    transfer.status, transfer.decided_by, transfer.decided_at, transfer.decision_note = status, actor, now, note
    transfer.save(update_fields=["status", "decided_by", "decided_at", "decision_note", "updated_at"])
    Budget.objects.filter(pk=transfer.source_id).update(held=F("held") - money_value(transfer.amount))
    transfer.source.held -= transfer.amount
