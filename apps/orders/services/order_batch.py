"""Batch actions on orders. `orders_receive` and `orders_confirm` return a result for each
order; one failure does not affect the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.cart.services.cart_add import cart_refill
from apps.common.errors import DomainError
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.order_sheets import orders_named
from apps.orders.services.order_confirm import order_confirm
from apps.orders.services.order_receive import order_receive
from apps.orders.services.order_reorder import LeftOut, Reordered

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """The result for one order of a batch."""

    order_no: str
    success: bool
    code: str
    message: str


def orders_receive(*, actor: Account, order_nos: Sequence[str]) -> list[BatchOutcome]:
    """Receive all goods in transit of each order. Return the results in the given order.

    The orders are processed sorted by number. Under an idempotency key they share one transaction,
    so a fixed order avoids deadlocks between two batches.
    """
    outcomes: dict[str, BatchOutcome] = {}
    for order_no in sorted(set(order_nos)):
        try:
            order = order_receive(actor=actor, order_no=order_no).order
            outcomes[order_no] = BatchOutcome(
                order_no, True, "ok", f"已收货，订单{order.get_status_display()}"
            )
        except DomainError as error:
            outcomes[order_no] = BatchOutcome(order_no, False, error.code, error.text)
    return [outcomes[order_no] for order_no in dict.fromkeys(order_nos)]


def orders_confirm(*, actor: Account, order_ids: Sequence[int]) -> list[BatchOutcome]:
    """Confirm each of the orders. Return the results in the given order. Runs in the platform
    scope.
    """
    outcomes = []
    numbers = dict(Order.objects.filter(pk__in=order_ids).values_list("pk", "order_no"))
    for order_id in order_ids:
        try:
            order_confirm(actor=actor, order_id=order_id)
            outcomes.append(BatchOutcome(numbers[order_id], True, "ok", "已确认，待发货"))
        except DomainError as error:
            outcomes.append(BatchOutcome(numbers[order_id], False, error.code, error.text))
    return outcomes


def orders_reorder(*, actor: Account, order_nos: Sequence[str]) -> Reordered:
    """Add the goods of all the orders to the cart and return the result. A product that occurs
    in several orders is added once, with the sum of the pieces.

    Raises:
        OrderNotFound: the actor cannot see one of the orders.
    """
    wanted: Counter[int] = Counter()
    lines: dict[int, OrderLine] = {}
    for order in orders_named(actor=actor, order_nos=order_nos):
        for line in order.lines.all():
            wanted[line.product_id] += line.quantity + line.cancelled_quantity
            lines.setdefault(line.product_id, line)
    refused = cart_refill(actor=actor, quantities=dict(wanted))
    left_out = [
        LeftOut(lines[pk].product_code, lines[pk].customer_name or lines[pk].name, why)
        for _, pk, why in refused
    ]
    return Reordered(len(lines) - len(left_out), left_out)
