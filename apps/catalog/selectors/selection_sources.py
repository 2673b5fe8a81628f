"""What the apps above know and selection asks for: what an enterprise has bought, what freight costs.

They register it in AppConfig.ready().
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.common.money import ZERO

if TYPE_CHECKING:
    from apps.org.models import Account

# So many products of the enterprise's year are looked at, the most often bought first.
MOST_BOUGHT = 300


@dataclass(frozen=True, slots=True)
class Bought:
    """In how many orders of the last year a product was: the person's own, and all of his enterprise."""

    own: int
    house: int


@dataclass(frozen=True, slots=True)
class FreightTier:
    """From a goods amount on, delivery costs the fee; both 元, 含税."""

    amount_from: Decimal
    fee: Decimal


BoughtSource = Callable[["Account"], Mapping[int, Bought]]
FreightSource = Callable[["Account"], Sequence[FreightTier]]
_bought: list[BoughtSource] = []
_freight: list[FreightSource] = []


def bought_source(source: BoughtSource) -> BoughtSource:
    """Register who answers what was bought, by product pk."""
    if source not in _bought:
        _bought.append(source)
    return source


def freight_source(source: FreightSource) -> FreightSource:
    """Register who answers what delivery to the person's default address costs."""
    if source not in _freight:
        _freight.append(source)
    return source


def bought_by(actor: Account) -> dict[int, Bought]:
    """Return what the actor and his enterprise bought in a year, by product pk. What the source costs: one query."""
    return {pk: bought for source in _bought for pk, bought in source(actor).items()}


def freight_tiers(actor: Account) -> tuple[FreightTier, ...]:
    """Return the tiers of the actor's default address, empty where delivery is free. What the source costs: two queries."""
    return tuple(tier for source in _freight for tier in source(actor))


def freight_for(tiers: Sequence[FreightTier], amount: Decimal) -> Decimal:
    """Return what delivery of goods of the amount costs."""
    reached = [tier for tier in tiers if tier.amount_from <= amount]
    return max(reached, key=lambda tier: tier.amount_from).fee if reached else ZERO
