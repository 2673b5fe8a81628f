"""The one place that says how far an order is settled: after a payment, a refund, a return, a cancellation."""

from __future__ import annotations

from apps.orders.models import Order
from apps.orders.selectors.payments import paid_for
from apps.orders.settlement import order_due, settlement_of


def order_settle(order: Order) -> None:
    """Give a locked order the settlement that its payments make of what is due for it."""
    settled = settlement_of(order, due=order_due(order, order.lines.all()), paid=paid_for(order))
    if order.settlement_status != settled:
        order.settlement_status = settled
        order.save(update_fields=["settlement_status", "updated_at"])
