"""Data that the selection needs from higher apps: the purchase history of an enterprise, and
the freight.

The higher apps add their functions to the hooks in AppConfig.ready().
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.common.hooks import Hook
from apps.common.money import ZERO

if TYPE_CHECKING:
    from apps.org.models import Account

# Maximum number of products from the enterprise's last year, the most often bought first.
MAX_PRODUCTS_BOUGHT = 300


@dataclass(frozen=True, slots=True)
class Purchases:
    """Number of orders of the last year that contain a product: the account's own, and those of
    the whole enterprise.
    """

    own: int
    house: int


@dataclass(frozen=True, slots=True)
class FreightTier:
    """The freight from a goods amount on. Both are in 元 含税."""

    amount_from: Decimal
    fee: Decimal


# Return the purchase history of an account, by product pk.
PURCHASES: Hook[Callable[[Account], Mapping[int, Purchases]]] = Hook()
# Return the freight tiers of an account's default address.
FREIGHT_TIERS: Hook[Callable[[Account], Sequence[FreightTier]]] = Hook()


def get_purchases(actor: Account) -> dict[int, Purchases]:
    """Return the purchases of the actor and the enterprise in the last year, by product pk. The
    source takes one query.
    """
    return {pk: bought for source in PURCHASES for pk, bought in source(actor).items()}


def list_freight_tiers(actor: Account) -> tuple[FreightTier, ...]:
    """Return the freight tiers of the actor's default address. Empty if freight is free. The
    source takes two queries.
    """
    return tuple(tier for source in FREIGHT_TIERS for tier in source(actor))


def get_freight_for(tiers: Sequence[FreightTier], amount: Decimal) -> Decimal:
    """Return the freight for a goods amount, both in 元 含税."""
    reached_tiers = [tier for tier in tiers if tier.amount_from <= amount]
    return max(reached_tiers, key=lambda tier: tier.amount_from).fee if reached_tiers else ZERO
