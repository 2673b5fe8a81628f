"""State changes of an order. Every change of state uses these functions for the transition, the
save, the event and the message.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django_fsm import TransitionNotAllowed

from apps.common.background.outbox import outbox_publish
from apps.common.events import event_actor_id, event_record
from apps.orders.enums import OrderEventKind
from apps.orders.models import Order
from apps.orders.selectors.standing import wrong_state as wrong_state

if TYPE_CHECKING:
    from apps.org.models import Account

STATE_FIELDS = [
    "status",
    "approval_status",
    "confirmed_at",
    "shipped_at",
    "completed_at",
    "updated_at",
]


def order_move(order: Order, transition: str, verb: str, **arguments: Any) -> str:
    """Apply a transition to a locked order and save it. Return the previous state.

    Raises:
        WrongState: the current state does not allow it. The message names the state and what the
            person can do instead.
    """
    before: str = order.status
    try:
        getattr(order, transition)(**arguments)
    except TransitionNotAllowed as error:
        raise wrong_state(order, verb) from error
    order.save(update_fields=STATE_FIELDS)
    return before


def order_price(order: Order, *, goods: Decimal, freight: Decimal, tax: Decimal) -> None:
    """Save the amounts of a locked order, in 元."""
    order.goods_amount, order.freight_amount, order.tax_amount, order.total_amount = (
        goods,
        freight,
        tax,
        goods + freight,
    )
    order.save(
        update_fields=["goods_amount", "freight_amount", "tax_amount", "total_amount", "updated_at"]
    )


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
    """Write the event of an action, then publish it as `order.<kind>`."""
    to = order.status
    event_record(
        order,
        actor=actor,
        kind=kind,
        from_state=before,
        to_state=to,
        reason=reason[:500],
        data=data,
        acting_for=acting_for,
    )
    payload = {
        "order_id": order.pk,
        "requester_id": order.requester_id,
        "actor_id": event_actor_id(actor),
        "reason": reason,
    }
    outbox_publish(topic=f"order.{kind}", key=order.order_no, payload=payload)
