"""A price that is so low that a second person of the staff decides, whatever its amount is."""

from __future__ import annotations

from decimal import Decimal

# Customers may buy any quantity at a price. The share of the market price bounds a series of
# changes that each lower the present price a little.
LOW_SHARE_OF_PRESENT, LOW_SHARE_OF_MARKET = Decimal("0.70"), Decimal("0.50")


def is_low_price(price: Decimal, *, present_price: Decimal, market_price: Decimal) -> bool:
    """Return whether a new price (元) is far below the present one or the market price. A price
    that does not fall is not low.
    """
    return price < present_price and (
        price < present_price * LOW_SHARE_OF_PRESENT or price < market_price * LOW_SHARE_OF_MARKET
    )
