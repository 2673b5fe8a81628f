"""Every change of an order's state goes through here: the transition, its save, its event, its message (domain.md, Cart → order)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django_fsm import TransitionNotAllowed

from apps.common.errors import WrongState
from apps.common.events import doer_id, event_record
from apps.common.outbox import outbox_publish
from apps.orders.enums import OrderEventKind, OrderStatus
from apps.orders.models import Order

if TYPE_CHECKING:
    from apps.org.models import Account

S = OrderStatus
# How a refusal says where the order stands, and what the person can do instead.
STANDS: dict[str, tuple[str, str]] = {
    S.PENDING_APPROVAL: ("订单正在审批中（待审批）", "请等待审批结果或先撤回"),
    S.REJECTED: ("订单已被审批驳回", "如仍需购买请再次下单"),
    S.WITHDRAWN: ("订单已撤回", "如仍需购买请再次下单"),
    S.PENDING_CONFIRM: ("订单待确认", "请等待客服确认"),
    S.PENDING_SHIPMENT: ("订单已确认（待发货）", "如需变更请联系客服"),
    S.PARTLY_SHIPPED: ("订单已发货（部分发货）", "如需退货请在收货后申请售后"),
    S.PENDING_RECEIPT: ("订单已发货（待收货）", "如需退货请在收货后申请售后"),
    S.COMPLETED: ("订单已完成", "如需退换请申请售后"),
    S.CANCELLED: ("订单已取消", "如仍需购买请再次下单"),
}
STATE_FIELDS = ["status", "approval_status", "confirmed_at", "shipped_at", "completed_at", "updated_at"]


def wrong_state(order: Order, verb: str) -> WrongState:
    """Return the refusal of doing `verb` to the order as it stands."""
    stands, instead = STANDS[order.status]
    return WrongState(f"{stands}，不能{verb}，{instead}", body={"Status": order.status, "StatusText": order.get_status_display()})


def order_move(order: Order, transition: str, verb: str, **arguments: Any) -> str:
    """Make a transition of a locked order and save it; return the state it left.

    Raises:
        WrongState: it stands where this cannot be done; the message says where, and what to do.
    """
    before: str = order.status
    try:
        getattr(order, transition)(**arguments)
    except TransitionNotAllowed as error:
        raise wrong_state(order, verb) from error
    order.save(update_fields=STATE_FIELDS)
    return before


def order_record(
    order: Order,
    *,
    actor: Account | None,
    kind: OrderEventKind,
    before: str,
    reason: str = "",
    data: dict[str, Any] | None = None,
    acting_for: Account | None = None,
) -> None:
    """Write the event of what was done, then publish it as `order.<kind>`."""
    to = order.status
    event_record(order, actor=actor, kind=kind, from_state=before, to_state=to, reason=reason[:500], data=data, acting_for=acting_for)
    payload = {"order_id": order.pk, "requester_id": order.requester_id, "actor_id": doer_id(actor), "reason": reason}
    outbox_publish(topic=f"order.{kind}", key=order.order_no, payload=payload)
