"""Every step of a cancellation: its state, its event, the order's timeline and the message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.aftersales.enums import CancelEventKind, CancelReason, CancelStatus
from apps.aftersales.models import CancelOrder
from apps.common.document_kit.flow import DocumentFlow, mention_step

if TYPE_CHECKING:
    from apps.org.models import Account

K = CancelEventKind
REFRESH = "请刷新后查看结果"
CANCELLATIONS = DocumentFlow(
    name="cancel",
    number="cancel_no",
    state_texts={
        CancelStatus.DONE: ("取消申请已完成取消", REFRESH),
        CancelStatus.REFUSED: ("取消申请已被拒绝", REFRESH),
        CancelStatus.WITHDRAWN: ("取消申请已撤销", REFRESH),
    },
    columns=[
        "status", "decided_at", "decided_by", "decision_note", "reminded_at", "is_whole",
        "total_before", "total_after", "freight_before", "freight_after", "refund_amount",
    ],
)  # fmt: skip
# The steps that the order's timeline shows too. The order itself records what is cancelled.
IN_ORDER_TIMELINE = {
    K.ASKED: "cancel.asked",
    K.REFUSED: "cancel.refused",
    K.WITHDRAWN: "cancel.withdrawn",
}
# Step → the second part of its outbox topic (`cancel.done`). The other steps inform nobody.
TOPICS = {K.DONE: "done", K.GRANTED: "granted", K.GRANTED_LATE: "granted", K.REFUSED: "refused"}


def cancel_record(
    cancel: CancelOrder,
    *,
    actor: Account | None,
    kind: CancelEventKind,
    before: str,
    reason: str = "",
) -> None:
    """Save the cancellation, write its event and the order's, and publish the message if there is
    a topic. A cancellation at once informs the order's requester, any other its own requester.
    """
    CANCELLATIONS.record(cancel, actor=actor, kind=kind, before=before, reason=reason)
    if kind in IN_ORDER_TIMELINE:
        mention_step(
            cancel.order,
            actor=actor,
            kind=IN_ORDER_TIMELINE[kind],
            document_text=cancel.cancel_no,
            reason=reason,
        )
    if kind in TOPICS:
        orderer = cancel.order.requester_id
        receiver = orderer if kind == K.DONE else cancel.requester_id
        is_order_over = cancel.status == CancelStatus.DONE and cancel.is_whole
        # The order's own message informs its requester when the whole order is cancelled.
        if not (is_order_over and receiver == orderer):
            CANCELLATIONS.publish(
                cancel,
                actor=actor,
                kind=TOPICS[kind],
                reason=reason,
                payload={"requester_id": receiver, "order_no": cancel.order.order_no},
            )


def cancel_reason_text(reason_kind: str, reason: str) -> str:
    """Return the reason in one line of text."""
    label = str(CancelReason(reason_kind).label)
    return f"{label}：{reason}" if reason else label
