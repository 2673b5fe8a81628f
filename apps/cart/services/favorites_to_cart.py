"""Put what an account has kept into its cart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction

from apps.cart.services.cart_add import cart_fill
from apps.catalog.enums import FavoriteType
from apps.catalog.selectors.offers import Offer
from apps.catalog.services.favorites import favorites_remove

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def favorites_to_cart(
    *, actor: Account, quantities: Mapping[str, int], kind: FavoriteType, leaves: bool
) -> tuple[int, list[tuple[str, Offer | None, str]]]:
    """Add quantities by ProductCode as far as they can be bought; with `leaves` what was added leaves the list, and only that.

    Returns how many products were added, and what was left out: (code, offer or None, why), in the order given.
    """
    added, refused = cart_fill(actor=actor, quantities=quantities)
    if leaves and added:
        left_out = {code for code, _, _ in refused}
        favorites_remove(actor=actor, codes=[code for code in quantities if code not in left_out], kind=kind)
    return added, refused
