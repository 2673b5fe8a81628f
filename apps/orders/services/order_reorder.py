"""Buy again: put the lines of an order back into the cart, and report the lines that cannot be
added.
"""

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
    """A line that could not be added to the cart, with the reason."""

    product_code: str
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class Reordered:
    """The number of products added to the cart, and the lines left out."""

    added: int
    left_out: list[LeftOut]


def order_reorder(*, actor: Account, order_no: str) -> Reordered:
    """Add the lines of the order to the cart and return the result. Quantities rise to the
    current minimum and step.

    Raises:
        OrderNotFound: the actor cannot see an order with this number.
    """
    order = orders_visible(actor=actor).filter(order_no=order_no).first()
    if order is None:
        raise OrderNotFound
    lines: dict[int, OrderLine] = {}
    ordered: Counter[int] = Counter()
    for line in order.lines.order_by("no"):
        lines.setdefault(line.product_id, line)
        # Cancelled pieces count, because the buyer ordered them.
        ordered[line.product_id] += line.quantity + line.cancelled_quantity
    refused = cart_refill(actor=actor, quantities=ordered)
    left_out = [
        LeftOut(lines[pk].product_code, lines[pk].customer_name or lines[pk].name, why)
        for _, pk, why in refused
    ]
    return Reordered(len(lines) - len(left_out), left_out)
