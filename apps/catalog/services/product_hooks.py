"""Hooks for other apps that run in the transaction of a product change.

Each app registers its function in `AppConfig.ready`: pricing records changes of the market price,
search describes new main pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from apps.common.hooks import Hook


class MarketPriceChange(NamedTuple):
    """The market price of a product (元, 含税) before and after. `before` is None for a new
    product.
    """

    product_id: int
    before: Decimal | None
    after: Decimal | None


# They receive every saved market price, changed or not, and the ids of the products whose main
# picture was saved.
MARKET_PRICES: Hook[Callable[[Sequence[MarketPriceChange]], object]] = Hook()
MAIN_PICTURES: Hook[Callable[[Sequence[int]], object]] = Hook()


def market_price_hooks_run(changes: Iterable[MarketPriceChange]) -> None:
    """Run the hooks for market prices in the caller's transaction."""
    saved = list(changes)
    for hook in MARKET_PRICES:
        hook(saved)


def main_picture_hooks_run(product_ids: Iterable[int]) -> None:
    """Run the hooks for main pictures in the caller's transaction."""
    saved = list(product_ids)
    for hook in MAIN_PICTURES:
        hook(saved)
