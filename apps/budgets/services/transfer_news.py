"""Tell who may decide that a transfer waits, and who asked for it how it ended; what asked the others to decide is over by that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.budgets.enums import TransferStatus
from apps.budgets.models import BudgetTransfer
from apps.common.background.outbox import outbox_publish

if TYPE_CHECKING:
    from apps.org.models import Account

ASKED_TOPIC, DECIDED_TOPIC, WITHDRAWN_TOPIC = (f"budget.transfer_{what}" for what in ("asked", "decided", "withdrawn"))
PAGE = "/userCenter/asset/budget"


def asked_publish(transfer: BudgetTransfer, *, to: list[int]) -> None:
    """Tell those who may decide it, with the transfer."""
    _publish(ASKED_TOPIC, transfer, to=to, title=f"{transfer.requester.nickname}申请调拨预算，等待您审批", text=f"原因：{transfer.reason}")


def decided_publish(transfer: BudgetTransfer, *, actor: Account | None) -> None:
    """Tell who asked, with the decision; without an actor nobody decided in time."""
    ended = "已通过" if transfer.status == TransferStatus.APPROVED else "被驳回"
    text = f"审批人：{actor.nickname if actor else '系统'}"
    if transfer.decision_note:
        text += f"，意见：{transfer.decision_note}"
    _publish(DECIDED_TOPIC, transfer, to=[transfer.requester_id], title=f"您申请的预算调拨{ended}", text=text)


def withdrawn_publish(transfer: BudgetTransfer) -> None:
    """Nobody is to decide any more."""
    outbox_publish(topic=WITHDRAWN_TOPIC, key=str(transfer.pk), payload={"SubjectKey": subject_key(transfer)})


def subject_key(transfer: BudgetTransfer) -> str:
    """Return what notices of a transfer are about."""
    return f"budget_transfer:{transfer.pk}"


def _publish(topic: str, transfer: BudgetTransfer, *, to: list[int], title: str, text: str) -> None:
    payload = {
        "To": to,
        "Title": title,
        "Text": f"从“{transfer.source.name}”调拨 {transfer.amount:,.2f} 元至“{transfer.target.name}”，{text}",
        "Link": PAGE,
        "SubjectKey": subject_key(transfer),
        "Once": f"{transfer.pk}:{transfer.status}",
    }
    outbox_publish(topic=topic, key=str(transfer.pk), payload=payload)
