"""Many orders at once: each is done for itself, and a refusal stops none of the others."""

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
    """What became of one order of a batch."""

    order_no: str
    success: bool
    code: str
    message: str


def orders_receive(*, actor: Account, order_nos: Sequence[str]) -> list[BatchOutcome]:
    """Receive all that is on its way of each order; return every outcome in the order asked.

    In the order of their numbers: under an idempotency key all are one transaction, and two batches would else lock each other out.
    """
    outcomes: dict[str, BatchOutcome] = {}
    for order_no in sorted(set(order_nos)):
        try:
            order = order_receive(actor=actor, order_no=order_no).order
            outcomes[order_no] = BatchOutcome(order_no, True, "ok", f"已收货，订单{order.get_status_display()}")
        except DomainError as error:
            outcomes[order_no] = BatchOutcome(order_no, False, error.code, error.text)
    return [outcomes[order_no] for order_no in dict.fromkeys(order_nos)]


def orders_confirm(*, actor: Account, order_ids: Sequence[int]) -> list[BatchOutcome]:
    """Staff accept each of the orders; return what became of each, in the order asked. In the platform's scope."""
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
    """Put the goods of all the orders into the cart, the same product once with all its pieces; return what became of each product.

    Raises:
        OrderNotFound: there is one among them that the actor may not see.
    """
    wanted: Counter[int] = Counter()
    lines: dict[int, OrderLine] = {}
    for order in orders_named(actor=actor, order_nos=order_nos):
        for line in order.lines.all():
            wanted[line.product_id] += line.quantity + line.cancelled_quantity
            lines.setdefault(line.product_id, line)
    refused = cart_refill(actor=actor, quantities=dict(wanted))
    left_out = [LeftOut(lines[pk].product_code, lines[pk].customer_name or lines[pk].name, why) for _, pk, why in refused]
    return Reordered(len(lines) - len(left_out), left_out)
