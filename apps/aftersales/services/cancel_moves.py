"""What is written of every step of a cancellation: its own timeline, the order's, and the message that others hear of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.aftersales.cancel_enums import CancelEventKind, CancelStatus
from apps.aftersales.models import CancelOrder
from apps.common.background.outbox import outbox_publish
from apps.common.errors import WrongState
from apps.common.events import doer_id, event_record

if TYPE_CHECKING:
    from apps.org.models import Account

K = CancelEventKind
# What the order's own timeline tells of it; what is cancelled the order tells itself.
TOLD_BY_ORDER = {K.ASKED: "cancel.asked", K.REFUSED: "cancel.refused", K.WITHDRAWN: "cancel.withdrawn"}
TOPICS = {K.DONE: "cancel.done", K.GRANTED: "cancel.granted", K.GRANTED_LATE: "cancel.granted", K.REFUSED: "cancel.refused"}
STANDS = {
    CancelStatus.DONE: "已完成取消",
    CancelStatus.REFUSED: "已被拒绝",
    CancelStatus.WITHDRAWN: "已撤销",
}


def cancel_record(cancel: CancelOrder, *, actor: Account | None, kind: CancelEventKind, before: str, reason: str = "") -> None:
    """Write the event of what was done; publish what whoever asked, or whoever ordered, is told of."""
    event_record(cancel, actor=actor, kind=kind, from_state=before, to_state=cancel.status, reason=reason[:500])
    if kind in TOLD_BY_ORDER:
        order = cancel.order
        note = f"{cancel.cancel_no}，{reason}" if reason else cancel.cancel_no
        state = order.status
        event_record(order, actor=actor, kind=TOLD_BY_ORDER[kind], from_state=state, to_state=state, reason=note[:500])
    if kind in TOPICS:
        _publish(cancel, actor, TOPICS[kind], reason, to=cancel.order.requester_id if kind == K.DONE else cancel.requester_id)


def _publish(cancel: CancelOrder, actor: Account | None, topic: str, reason: str, *, to: int | None) -> None:
    """Whoever ordered is told by the order itself where all of it has ended."""
    if cancel.status == CancelStatus.DONE and cancel.is_whole and to == cancel.order.requester_id:
        return
    payload = {"requester_id": to, "actor_id": doer_id(actor), "reason": reason, "cancel_id": cancel.pk, "order_no": cancel.order.order_no}
    outbox_publish(topic=topic, key=cancel.cancel_no, payload=payload)


def refuse_decided(cancel: CancelOrder, verb: str) -> None:
    """Refuse to do `verb` to a cancellation that waits no more.

    Raises:
        WrongState: it has been decided, or withdrawn.
    """
    if cancel.status != CancelStatus.PENDING:
        stands = f"取消申请{STANDS[CancelStatus(cancel.status)]}"
        raise WrongState.standing(stands, verb, "请刷新后查看结果", body={"Status": cancel.status})
