"""Buy again: the order's lines go back into the cart, and what cannot is reported."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.cart.services.cart_add import cart_refill
from apps.orders.errors import OrderNotFound
from apps.orders.models import OrderLine
from apps.orders.selectors.scope import orders_visible

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line that could not be put into the cart, and why."""

    product_code: str
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Reordered:
    """How many products went into the cart, and which did not."""

    added: int
    left_out: list[LeftOut]


def order_reorder(*, actor: Account, order_no: str) -> Reordered:
    """Return what became of each line of the order; quantities are raised to today's minimum and step.

    Raises:
        OrderNotFound: there is no such order that the actor may see.
    """
    order = orders_visible(actor=actor).filter(order_no=order_no).first()
    if order is None:
        raise OrderNotFound
    lines: dict[int, OrderLine] = {}
    ordered: Counter[int] = Counter()
    for line in order.lines.order_by("no"):
        lines.setdefault(line.product_id, line)
        # What was cancelled of it was ordered all the same.
        ordered[line.product_id] += line.quantity + line.cancelled_quantity
    refused = cart_refill(actor=actor, quantities=ordered)
    left_out = [LeftOut(lines[pk].product_code, lines[pk].customer_name or lines[pk].name, why) for _, pk, why in refused]
    return Reordered(len(lines) - len(left_out), left_out)
