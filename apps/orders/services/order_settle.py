"""Update the settlement status of an order. Every payment, refund, return and cancellation
calls this one function.
"""

from __future__ import annotations

from apps.orders.models import Order
from apps.orders.selectors.payments import paid_for
from apps.orders.settlement import order_due, settlement_of


def order_settle(order: Order) -> None:
    """Set the settlement status of a locked order from the amount due and the amount paid."""
    settled = settlement_of(order, due=order_due(order, order.lines.all()), paid=paid_for(order))
    if order.settlement_status != settled:
        order.settlement_status = settled
        order.save(update_fields=["settlement_status", "updated_at"])
