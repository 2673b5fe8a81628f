"""Add the lines of a list to the actor's cart, and report what has changed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

from apps.cart.errors import NotInQuickList
from apps.cart.selectors.quick_lists import get_quick_list, list_quick_list_lines
from apps.cart.services.cart_add import cart_fill
from apps.pricing.selectors.offers import Offer

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line that was added, and what differs from the list: the price or the quantity."""

    product_code: str
    name: str
    brand: str
    message: str


@dataclass(frozen=True, slots=True)
class ListFill:
    """The number of added products, those left out (code, offer or None, reason), and those that
    were added with a difference.
    """

    added: int
    left_out: list[tuple[str, Offer | None, str]]
    changed: list[ChangedLine]


@transaction.atomic
def quick_list_to_cart(
    *, actor: Account, pk: int, codes: Collection[str] | None = None
) -> ListFill:
    """Add the lines of a list, or those of the products `codes`, to the actor's cart as
    `cart_fill` does. The list does not change.

    Raises:
        QuickListNotFound.
        NotInQuickList: a product was removed from the list.
        PurchasingRefused: the actor may only browse.
    """
    quick_list = get_quick_list(actor=actor, pk=pk)
    lines = list_quick_list_lines(actor=actor, quick_list=quick_list, codes=codes)
    if codes is not None and len(lines) != len(set(codes)):
        raise NotInQuickList
    added_count, left_out = cart_fill(
        actor=actor, quantities={line.code: line.quantity for line in lines}
    )
    refused_codes = {code for code, _, _ in left_out}
    changed_lines = []
    for line in lines:
        if line.offer is None or line.code in refused_codes:
            continue
        # A line that was added although it has a problem was raised to a legal quantity.
        raised_text = f"{line.problem.message}，已按合规数量加入" if line.problem else ""
        if message := "；".join(filter(None, (raised_text, line.price_change))):
            brand = line.offer.product.brand.name
            changed_lines.append(ChangedLine(line.code, line.offer.name, brand, message))
    return ListFill(added_count, left_out, changed_lines)
