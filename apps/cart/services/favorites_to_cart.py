"""Add favorites and recently viewed products to the cart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction

from apps.cart.services.cart_add import cart_fill
from apps.pricing.selectors.offers import Offer
from apps.search.enums import FavoriteType
from apps.search.services.favorites import favorites_remove

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def favorites_to_cart(
    *, actor: Account, quantities: Mapping[str, int], kind: FavoriteType, leaves: bool
) -> tuple[int, list[tuple[str, Offer | None, str]]]:
    """Add quantities by ProductCode for the products that can be bought. With `leaves`, the
    added products are removed from the list.

    Returns the number of added products, and the products that were left out: (code, offer or None,
    reason), in the given order.
    """
    added, refused = cart_fill(actor=actor, quantities=quantities)
    if leaves and added:
        left_out = {code for code, _, _ in refused}
        favorites_remove(
            actor=actor, codes=[code for code in quantities if code not in left_out], kind=kind
        )
    return added, refused
