"""The price of a cart line for its quantity, and what the next tier saves."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.cart.selectors.cart import NextTier, get_cart
from apps.cart.services.cart_add import cart_add
from apps.cart.services.cart_change import cart_change
from apps.catalog.models import Product
from apps.catalog.services.stock import stock_reserve
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import assert_queries
from apps.org.models import Account, Group
from apps.pricing.models import PriceListItem

TIERS: dict[str, Any] = {
    "price": Decimal("10.00"),
    "tier1_quantity": 10,
    "tier1_price": Decimal("9.00"),
    "tier2_quantity": 50,
    "tier2_price": Decimal("8.00"),
}


@pytest.fixture
def product(group: Group) -> Product:
    """A product at 10.00 元, from 10 pieces on 9.00 元, from 50 on 8.00 元; 100 in stock."""
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement)
    product: Product = ProductFactory(stock=100)
    PriceListItemFactory(price_list=agreement.price_list, product=product, **TIERS)
    return product


def next_tier(buyer: Account, product: Product, quantity: int) -> NextTier | None:
    cart_add(actor=buyer, quantities={product.code: quantity})
    return get_cart(actor=buyer).lines[0].next_tier


@pytest.mark.parametrize(
    ("quantity", "amount"), [(9, "90.00"), (10, "90.00"), (49, "441.00"), (50, "400.00")]
)
def test_a_line_costs_the_price_of_its_quantity(
    buyer: Account, product: Product, quantity: int, amount: str
) -> None:
    cart_add(actor=buyer, quantities={product.code: quantity})
    assert get_cart(actor=buyer).chosen_amount == Decimal(amount)


def test_next_tier_shows_the_missing_quantity_and_both_prices(
    buyer: Account, product: Product
) -> None:
    assert next_tier(buyer, product, 7) == NextTier(10, 3, Decimal("9.00"), Decimal("10.00"))


def test_last_tier_has_no_next_tier(buyer: Account, product: Product) -> None:
    assert next_tier(buyer, product, 50) is None


def test_the_next_tier_is_a_legal_quantity(buyer: Account, product: Product) -> None:
    Product.objects.update(min_quantity=4, step_quantity=4)
    assert next_tier(buyer, product, 4) == NextTier(12, 8, Decimal("9.00"), Decimal("12.00"))


def test_a_tier_beyond_the_stock_is_not_offered(buyer: Account, product: Product) -> None:
    stock_reserve(lines={product.pk: 91}, reference="SO1")
    assert next_tier(buyer, product, 7) is None


def test_a_tier_at_the_same_price_is_passed_over(buyer: Account, product: Product) -> None:
    PriceListItem.objects.update(tier1_price=Decimal("10.00"))
    assert next_tier(buyer, product, 7) == NextTier(50, 43, Decimal("8.00"), Decimal("100.00"))


def test_a_higher_quantity_is_no_change_of_the_price(buyer: Account, product: Product) -> None:
    cart_add(actor=buyer, quantities={product.code: 7})
    cart_change(actor=buyer, item_id=get_cart(actor=buyer).lines[0].item_id, quantity=10)
    line = get_cart(actor=buyer).lines[0]
    assert (line.added_price, line.offer.price, line.price) == (
        Decimal("10.00"),
        Decimal("10.00"),
        Decimal("9.00"),
    )


def test_tiers_add_no_query_to_the_cart(buyer: Account, product: Product) -> None:
    cart_add(actor=buyer, quantities={product.code: 7})
    with assert_queries(2):
        assert get_cart(actor=buyer).lines[0].next_tier is not None
