"""Buy again: put the lines of an order back into the cart, and report the lines that cannot be
added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.cart.services.cart_add import cart_refill
from apps.orders.errors import OrderNotFound
from apps.orders.models import OrderLine
from apps.orders.selectors.access import list_visible_orders
from apps.orders.selectors.order_sheets import get_orders_by_number

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class LeftOutLine:
    """A line that could not be added to the cart, with the reason."""

    product_code: str
    name: str
    brand: str
    message: str


@dataclass(frozen=True, slots=True)
class ReorderResult:
    """The number of products added to the cart, and the lines left out."""

    added: int
    left_out: list[LeftOutLine]


def order_reorder(*, actor: Account, order_no: str) -> ReorderResult:
    """Add the lines of the order to the cart and return the result. Quantities rise to the
    current minimum and step.

    Raises:
        OrderNotFound: the actor cannot see an order with this number.
    """
    order = list_visible_orders(actor=actor).filter(order_no=order_no).first()
    if order is None:
        raise OrderNotFound
    lines: dict[int, OrderLine] = {}
    pieces_by_product: Counter[int] = Counter()
    for line in order.lines.order_by("no"):
        lines.setdefault(line.product_id, line)
        # Cancelled pieces count, because the buyer ordered them.
        pieces_by_product[line.product_id] += line.quantity + line.cancelled_quantity
    refusals = cart_refill(actor=actor, quantities=pieces_by_product)
    left_out = [_build_left_out(lines[pk], reason) for _, pk, reason in refusals]
    return ReorderResult(len(lines) - len(left_out), left_out)


def orders_reorder(*, actor: Account, order_nos: Sequence[str]) -> ReorderResult:
    """Add the goods of all the orders to the cart and return the result. A product that occurs
    in several orders is added once, with the sum of the pieces.

    Raises:
        OrderNotFound: the actor cannot see one of the orders.
    """
    quantities: Counter[int] = Counter()
    lines: dict[int, OrderLine] = {}
    for order in get_orders_by_number(actor=actor, order_nos=order_nos):
        for line in order.lines.all():
            quantities[line.product_id] += line.quantity + line.cancelled_quantity
            lines.setdefault(line.product_id, line)
    refusals = cart_refill(actor=actor, quantities=dict(quantities))
    left_out = [_build_left_out(lines[pk], reason) for _, pk, reason in refusals]
    return ReorderResult(len(lines) - len(left_out), left_out)


def _build_left_out(line: OrderLine, reason: str) -> LeftOutLine:
    name = line.customer_name or line.name
    return LeftOutLine(line.product_code, name=name, brand=line.brand, message=reason)
