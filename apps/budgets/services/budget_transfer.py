"""Transfers between budgets: request, decide by a second person, move the amount, and notify. A
waiting transfer holds its amount at the source.

Locks: both budgets by key, then the transfer.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.budgets.enums import TransferStatus
from apps.budgets.errors import (
    NotYourTransfer,
    OwnTransfer,
    SameBudget,
    SourceShort,
    TransferDecided,
    TransferNotFound,
    TransferNotManaged,
    TransferPeriodEnded,
)
from apps.budgets.locks import lock_budgets, lock_managed_budgets
from apps.budgets.models import Budget, BudgetTransfer
from apps.budgets.selectors.transfers import list_decider_ids, may_decide, transfer_get
from apps.budgets.services.budget_manage import (
    CHANGED,
    budget_adjust,
    get_history_values,
    history_record,
)
from apps.common.background.outbox import outbox_publish
from apps.common.money import ZERO, build_money_value, round_yuan

if TYPE_CHECKING:
    from apps.org.models import Account


# The ledger note also contains the other budget's name.
MAX_REASON_CHARACTERS = 100


@transaction.atomic
def budget_transfer(
    *, actor: Account, source_id: int, target_id: int, amount: Decimal, reason: str
) -> BudgetTransfer:
    """Request a transfer and return it. It waits for a second person who manages both budgets;
    without one, it is made at once.

    Raises:
        BudgetNotFound, Forbidden: the actor cannot see or cannot change one of the budgets.
        ValidationFailed: both budgets are the same.
        WrongState: the period of one budget has ended.
        BudgetExceeded: less is available at the source.
    """
    if source_id == target_id:
        raise SameBudget
    locked_budgets = lock_managed_budgets(actor=actor, budget_ids={source_id, target_id})
    source, target = locked_budgets[source_id], locked_budgets[target_id]
    refuse_ended_budgets(source, target)
    if source.available < amount:
        raise SourceShort(name=source.name, available=source.available, amount=amount)
    deciders = list_decider_ids(source=source, target=target, requester_id=actor.pk)
    fields: dict[str, Any] = {
        "source": source,
        "target": target,
        "amount": round_yuan(amount),
        "reason": reason,
        "requester": actor,
    }
    transfer = BudgetTransfer(group_id=source.group_id, **fields)
    if deciders:
        transfer.save()
        Budget.objects.filter(pk=source.pk).update(
            held=F("held") + build_money_value(transfer.amount)
        )
        source.held += transfer.amount
        transfer_request_publish(transfer, to=deciders)
    else:
        transfer.status, transfer.decided_at = TransferStatus.APPROVED, timezone.now()
        transfer.save()
        transfer.source, transfer.target = transfer_move(
            actor=actor, transfer=transfer, by="无其他审批人"
        )
    return transfer


LAPSED = "调出预算的周期已结束，系统自动驳回"


@transaction.atomic
def transfer_approve(*, actor: Account, transfer_id: int) -> BudgetTransfer:
    """Move the held amount and return the transfer.

    Raises:
        TransferNotFound, Forbidden: the actor cannot see or cannot decide it. Requesters cannot
            decide their own transfer.
        WrongState: it is already decided, or the period of one budget has ended.
        BudgetExceeded: orders have overdrawn the source, whose policy only warns.
    """
    transfer = _lock_to_decide(actor=actor, transfer_id=transfer_id)
    refuse_ended_budgets(transfer.source, transfer.target)
    _close(transfer, TransferStatus.APPROVED, actor=actor)
    transfer_move(actor=actor, transfer=transfer, by=f"{transfer.requester.nickname}申请")
    decided_publish(transfer, actor=actor)
    return transfer


@transaction.atomic
def transfer_reject(*, actor: Account, transfer_id: int, reason: str) -> BudgetTransfer:
    """Release the held amount and return the transfer.

    Raises:
        TransferNotFound, Forbidden: see `transfer_approve`.
        WrongState: it is already decided.
    """
    transfer = _lock_to_decide(actor=actor, transfer_id=transfer_id)
    _close(transfer, TransferStatus.REJECTED, actor=actor, note=reason)
    decided_publish(transfer, actor=actor)
    return transfer


@transaction.atomic
def transfer_withdraw(*, actor: Account, transfer_id: int) -> BudgetTransfer:
    """Withdraw the actor's own transfer and return it.

    Raises:
        TransferNotFound, Forbidden: the actor cannot see it or is not the requester.
        WrongState: it is already decided.
    """
    if transfer_get(actor=actor, transfer_id=transfer_id).requester_id != actor.pk:
        raise NotYourTransfer
    transfer = _lock_transfer(transfer_id)
    _close(transfer, TransferStatus.WITHDRAWN)
    withdrawn_publish(transfer)
    return transfer


def transfers_reject_lapsed(*, source: Budget) -> None:
    """Reject the waiting transfers of a source whose period has ended. The caller has locked
    the source.
    """
    waiting_transfers = BudgetTransfer.objects.filter(source=source, status=TransferStatus.WAITING)
    if source.held == ZERO:
        return
    for transfer in (
        waiting_transfers.select_related("source", "target", "requester")
        .select_for_update(of=("self",))
        .order_by("pk")
    ):
        _close(transfer, TransferStatus.REJECTED, note=LAPSED)
        decided_publish(transfer, actor=None)
    source.held = ZERO


def _lock_to_decide(*, actor: Account, transfer_id: int) -> BudgetTransfer:
    """Lock and return a transfer that the actor may decide.

    Raises:
        OwnTransfer: the actor has requested it.
        TransferNotManaged: the actor does not manage both budgets.
    """
    visible_transfer = transfer_get(actor=actor, transfer_id=transfer_id)
    if visible_transfer.requester_id == actor.pk:
        raise OwnTransfer
    if not may_decide(actor, visible_transfer):
        raise TransferNotManaged
    return _lock_transfer(transfer_id)


def _lock_transfer(transfer_id: int) -> BudgetTransfer:
    """Lock both budgets by key, then the transfer. The budgets of a transfer never change.

    Raises:
        TransferNotFound: there is none with this id.
        TransferDecided: it waits no longer.
    """
    transfers = (
        BudgetTransfer.objects.filter(pk=transfer_id).values_list("source_id", "target_id").first()
    )
    if transfers is None:
        raise TransferNotFound
    budgets = lock_budgets(budget_ids=set(transfers))
    transfer: BudgetTransfer = (
        BudgetTransfer.objects.select_related("requester")
        .select_for_update(of=("self",))
        .get(pk=transfer_id)
    )
    transfer.source, transfer.target = budgets[transfers[0]], budgets[transfers[1]]
    if transfer.status != TransferStatus.WAITING:
        raise TransferDecided(transfer.get_status_display())
    return transfer


def _close(
    transfer: BudgetTransfer,
    status: TransferStatus,
    *,
    actor: Account | None = None,
    note: str = "",
) -> None:
    """Write the decision and release the held amount at the source."""
    now = timezone.now()
    transfer.status, transfer.decided_by, transfer.decided_at, transfer.decision_note = (
        status,
        actor,
        now,
        note,
    )
    transfer.save(
        update_fields=["status", "decided_by", "decided_at", "decision_note", "updated_at"]
    )
    Budget.objects.filter(pk=transfer.source_id).update(
        held=F("held") - build_money_value(transfer.amount)
    )
    transfer.source.held -= transfer.amount


# The length of a ledger note.
MAX_NOTE_CHARACTERS = 200


def refuse_ended_budgets(*budgets: Budget) -> None:
    """Refuse a transfer if a period has ended.

    Raises:
        WrongState: the period of one budget has ended.
    """
    for budget in budgets:
        if budget.period_to < timezone.localdate():
            raise TransferPeriodEnded(budget.name)


def transfer_move(
    *, actor: Account, transfer: BudgetTransfer, by: str = ""
) -> tuple[Budget, Budget]:
    """Move the amount and return (source, target) after the move. The caller has locked both. `by`
    is added to the reason in the ledger.

    Raises:
        BudgetExceeded: orders have overdrawn the source, whose policy only warns.
    """
    budgets = {transfer.source_id: transfer.source, transfer.target_id: transfer.target}
    reason_text = f"{transfer.reason}（{by}）" if by else transfer.reason
    notes = {
        transfer.source_id: f"调拨至“{transfer.target.name}”：{reason_text}"[:MAX_NOTE_CHARACTERS],
        transfer.target_id: f"自“{transfer.source.name}”调入：{reason_text}"[:MAX_NOTE_CHARACTERS],
    }
    moves = {transfer.source_id: -transfer.amount, transfer.target_id: transfer.amount}
    before = {pk: get_history_values(budget) for pk, budget in budgets.items()}
    new_amounts = {
        pk: budget_adjust(actor=actor, budget=budgets[pk], delta=moves[pk], note=notes[pk])
        for pk in sorted(budgets)
    }
    for pk, budget in new_amounts.items():
        history_record(actor=actor, before=before[pk], after=budget, action=CHANGED, note=notes[pk])
    return new_amounts[transfer.source_id], new_amounts[transfer.target_id]


ASKED_TOPIC, DECIDED_TOPIC, WITHDRAWN_TOPIC = (
    f"budget.transfer_{what}" for what in ("asked", "decided", "withdrawn")
)
PAGE = "/userCenter/asset/budget"


def transfer_request_publish(transfer: BudgetTransfer, *, to: list[int]) -> None:
    """Notify the accounts that may decide the transfer."""
    _publish(
        ASKED_TOPIC,
        transfer,
        to=to,
        title=f"{transfer.requester.nickname}申请调拨预算，等待您审批",
        text=f"原因：{transfer.reason}",
    )


def decided_publish(transfer: BudgetTransfer, *, actor: Account | None) -> None:
    """Notify the requester of the decision. `actor` None: the period ended without a decision."""
    outcome_text = "已通过" if transfer.status == TransferStatus.APPROVED else "被驳回"
    text = f"审批人：{actor.nickname if actor else '系统'}"
    if transfer.decision_note:
        text += f"，意见：{transfer.decision_note}"
    _publish(
        DECIDED_TOPIC,
        transfer,
        to=[transfer.requester_id],
        title=f"您申请的预算调拨{outcome_text}",
        text=text,
    )


def withdrawn_publish(transfer: BudgetTransfer) -> None:
    """Publish that the transfer no longer waits for a decision."""
    outbox_publish(
        topic=WITHDRAWN_TOPIC,
        key=str(transfer.pk),
        payload={"SubjectKey": build_subject_key(transfer)},
    )


def build_subject_key(transfer: BudgetTransfer) -> str:
    """Return the subject key of the transfer's notices."""
    return f"budget_transfer:{transfer.pk}"


def _publish(topic: str, transfer: BudgetTransfer, *, to: list[int], title: str, text: str) -> None:
    payload = {
        "To": to,
        "Title": title,
        "Text": (
            f"从“{transfer.source.name}”调拨 ¥{transfer.amount:,.2f} 至“{transfer.target.name}”，"
            f"{text}"
        ),
        "Link": PAGE,
        "SubjectKey": build_subject_key(transfer),
        "Once": f"{transfer.pk}:{transfer.status}",
    }
    outbox_publish(topic=topic, key=str(transfer.pk), payload=payload)
