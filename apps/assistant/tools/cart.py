"""Tools that read the cart and prepare proposals. No tool adds to the cart; only the person's click
does (services/proposal_accept).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.assistant.answers import ProposedLine
from apps.cart.selectors.cart import CartView, get_cart
from apps.cart.selectors.problems import find_line_problem
from apps.common.quantity import MAX_QUANTITY, last_legal, next_legal
from apps.pricing.selectors.offers import Offer

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class ProposableLines:
    """Lines that can be bought, and remarks about changed or omitted lines."""

    lines: tuple[ProposedLine, ...]
    remarks: tuple[str, ...]

    @property
    def total(self) -> Decimal:
        """The cost of the lines in 元, 含税, without freight."""
        return sum((line.offer.price * line.quantity for line in self.lines), Decimal("0.00"))


def cart_lookup(*, actor: Account) -> CartView:
    """Return the actor's cart at today's prices."""
    return get_cart(actor=actor)


def proposal_prepare(*, wishes: Iterable[tuple[Offer, int]]) -> ProposableLines:
    """Return the wishes as lines with legal quantities within the stock, and a remark for each
    change.
    """
    lines: list[ProposedLine] = []
    remarks: list[str] = []
    for offer, requested in wishes:
        product = offer.product
        bounds = {"minimum": product.min_quantity, "step": product.step_quantity}
        quantity = next_legal(max(1, requested), **bounds)
        if offer.available < quantity:
            quantity = last_legal(max(offer.available, 0), **bounds)
        problem = find_line_problem(offer, quantity)
        if problem is not None:
            remarks.append(f"**{offer.name}** {problem.message}，没有列入")
            continue
        if quantity != requested:
            remarks.append(_find_quantity_remark(offer, requested, quantity))
        lines.append(ProposedLine(offer, quantity))
    return ProposableLines(tuple(lines), tuple(remarks))


def _find_quantity_remark(offer: Offer, requested: int, quantity: int) -> str:
    product = offer.product
    if requested > MAX_QUANTITY:
        return (
            f"**{offer.name}** 单次最多购买 {MAX_QUANTITY} {product.unit}，数量改为 {quantity} "
            f"{product.unit}"
        )
    if quantity < requested:
        return (
            f"**{offer.name}** 库存只有 {offer.available} {product.unit}，数量改为 {quantity} "
            f"{product.unit}"
        )
    rule = (
        f"起订量 {product.min_quantity} {product.unit}、增量 {product.step_quantity} {product.unit}"
    )
    return f"**{offer.name}** 的{rule}，数量由 {requested} 调整为 {quantity} {product.unit}"
