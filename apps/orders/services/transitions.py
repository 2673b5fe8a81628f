"""Transitions of an order. Every change of state uses `order_transition`, every event of the
timeline `order_record`. The caller has locked the order.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from apps.orders.enums import ENDED_UNSHIPPED, OrderEventKind
from apps.orders.models import Order, OrderLine
from apps.orders.states import ORDERS

if TYPE_CHECKING:
    from apps.org.models import Account


def order_transition(order: Order, method: str, verb: str, **arguments: Any) -> str:
    """Call the @transition method of the order and save it. Return the previous state. The lines of
    an order that ended unshipped are marked, because rules on earlier orders leave them out.

    Raises:
        WrongState: the current state does not allow it. The message names the state and what the
            person can do instead.
    """
    before = ORDERS.transition(order, method, verb, **arguments)
    ORDERS.save(order)
    if order.status in ENDED_UNSHIPPED:
        OrderLine.objects.filter(order=order).update(is_ended=True)
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
    """Write the event of an action, then publish it as `order.<kind>`."""
    ORDERS.write_event(
        order,
        actor=actor,
        kind=kind,
        before=before,
        reason=reason,
        data=data,
        acting_for=acting_for,
    )
    ORDERS.publish(order, actor=actor, kind=kind, reason=reason)


def order_amounts_save(order: Order, *, goods: Decimal, freight: Decimal, tax: Decimal) -> None:
    """Save the amounts of the order, in 元."""
    order.goods_amount = goods
    order.freight_amount = freight
    order.tax_amount = tax
    order.total_amount = goods + freight
    order.save(
        update_fields=["goods_amount", "freight_amount", "tax_amount", "total_amount", "updated_at"]
    )


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """The result of one transition in a batch of orders."""

    order_no: str
    success: bool
    code: str
    message: str
