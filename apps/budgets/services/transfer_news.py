"""Tell who may decide that a transfer waits, and who asked for it how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.budgets.enums import TransferStatus
from apps.budgets.models import BudgetTransfer
from apps.common.outbox import outbox_publish

if TYPE_CHECKING:
    from apps.org.models import Account

ASKED_TOPIC, DECIDED_TOPIC = "budget.transfer_asked", "budget.transfer_decided"
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


def _publish(topic: str, transfer: BudgetTransfer, *, to: list[int], title: str, text: str) -> None:
    payload = {
        "To": to,
        "Title": title,
        "Text": f"从“{transfer.source.name}”调拨 {transfer.amount:,.2f} 元至“{transfer.target.name}”，{text}",
        "Link": PAGE,
        "SubjectKey": f"budget_transfer:{transfer.pk}",
        "Once": f"{transfer.pk}:{transfer.status}",
    }
    outbox_publish(topic=topic, key=str(transfer.pk), payload=payload)
