"""The price per base unit (折合单价): ¥1.75/支 for a 盒 of 12 支 at ¥21.00. 元, 含税."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from fractions import Fraction

from apps.catalog.models import Product
from apps.common.money import CENT

# Below 0.10 元 two decimals would say too little, so small prices have two significant digits, and
# at most four decimals: (price from, step of the shown price).
STEPS = ((Decimal("0.1"), CENT), (Decimal("0.01"), Decimal("0.001")))
SMALLEST_STEP = Decimal("0.0001")


def compute_exact_base_unit_price(*, price: Decimal, product: Product) -> Fraction | None:
    """Return the exact price per base unit, to compare packs. None without contents."""
    return None if product.contents is None else Fraction(price) / product.contents


def compute_shown_base_unit_price(*, price: Decimal, product: Product) -> Decimal | None:
    """Return the price per base unit as it is shown: 1.75, 0.13, 0.046, 0.0051. None without
    contents.
    """
    return None if product.contents is None else round_base_unit_price(price / product.contents)


def round_base_unit_price(each: Decimal) -> Decimal:
    """Return a price per piece as it is shown."""
    return each.quantize(_get_shown_step(each), rounding=ROUND_HALF_UP)


def compute_first_shown_from(bound: Decimal) -> Decimal:
    """Return the lowest exact price whose shown price is at least the bound: 0.125 for 0.13."""
    rounded = bound.quantize(_get_shown_step(bound), rounding=ROUND_CEILING)
    step_below = next((step for start, step in STEPS if rounded > start), SMALLEST_STEP)
    return rounded - step_below / 2


def compute_first_shown_above(bound: Decimal) -> Decimal:
    """Return the lowest exact price whose shown price is above the bound: 0.135 for 0.13."""
    rounded = bound.quantize(_get_shown_step(bound), rounding=ROUND_FLOOR)
    return rounded + _get_shown_step(rounded) / 2


def _get_shown_step(price: Decimal) -> Decimal:
    """Return the unit of the last shown decimal."""
    return next((step for start, step in STEPS if price >= start), SMALLEST_STEP)
