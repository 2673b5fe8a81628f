"""The price per base unit (折合单价): how it is shown, and which prices a bound includes."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.catalog.models import Product
from apps.pricing.selectors.base_unit_prices import (
    compute_first_shown_above,
    compute_first_shown_from,
    compute_shown_base_unit_price,
)


@pytest.mark.parametrize(
    ("price", "contents", "shown"),
    [
        ("21.00", 12, "1.75"),
        ("1.60", 12, "0.13"),
        ("1.00", 8, "0.13"),
        ("115.00", 2500, "0.046"),
        ("10.00", 100, "0.10"),
        ("9.95", 100, "0.100"),
        ("5.12", 1000, "0.0051"),
        ("0.01", 1_000_000, "0.0000"),
        ("129.00", 1, "129.00"),
    ],
)
def test_small_prices_keep_two_significant_digits(price: str, contents: int, shown: str) -> None:
    product = Product(base_unit="张", contents=contents)

    assert str(compute_shown_base_unit_price(price=Decimal(price), product=product)) == shown


def test_a_product_without_contents_has_none() -> None:
    assert compute_shown_base_unit_price(price=Decimal("9.90"), product=Product()) is None


@pytest.mark.parametrize(
    ("bound", "lowest", "above"),
    [
        ("0.13", "0.125", "0.135"),
        ("0.10", "0.0995", "0.105"),
        ("0.046", "0.0455", "0.0465"),
        ("0.05", "0.0495", "0.0505"),
        ("0.0999", "0.0995", "0.0995"),
        ("0.01", "0.00995", "0.0105"),
        ("0", "-0.00005", "0.00005"),
    ],
)
def test_price_bound_includes_every_price_displayed_as_it(
    bound: str, lowest: str, above: str
) -> None:
    assert compute_first_shown_from(Decimal(bound)) == Decimal(lowest)
    assert compute_first_shown_above(Decimal(bound)) == Decimal(above)
