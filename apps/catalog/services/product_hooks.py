"""Hooks for other apps that run in the transaction of a product change.

Each app registers its function in `AppConfig.ready`: pricing records changes of the market price,
search describes new main pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple


class MarketPriceChange(NamedTuple):
    """The market price of a product (元, 含税) before and after. `before` is None for a new
    product.
    """

    product_id: int
    before: Decimal | None
    after: Decimal | None


PriceHook = Callable[[Sequence[MarketPriceChange]], object]
PictureHook = Callable[[Sequence[int]], object]
_price_hooks: list[PriceHook] = []
_picture_hooks: list[PictureHook] = []


def on_market_price_change(hook: PriceHook) -> None:
    """Register a hook for market prices. It receives every saved market price, changed or not."""
    if hook not in _price_hooks:
        _price_hooks.append(hook)


def on_main_picture_change(hook: PictureHook) -> None:
    """Register a hook for main pictures. It receives the ids of products whose main picture was
    saved.
    """
    if hook not in _picture_hooks:
        _picture_hooks.append(hook)


def market_price_hooks_run(changes: Iterable[MarketPriceChange]) -> None:
    """Run the hooks for market prices in the caller's transaction."""
    saved = list(changes)
    for hook in _price_hooks:
        hook(saved)


def main_picture_hooks_run(product_ids: Iterable[int]) -> None:
    """Run the hooks for main pictures in the caller's transaction."""
    saved = list(product_ids)
    for hook in _picture_hooks:
        hook(saved)
