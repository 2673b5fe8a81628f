"""The price at a quantity, and the constraints of the tiers of a price."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import assert_queries
from apps.org.models import Account, Group
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers

NINE, EIGHT, SEVEN = Decimal("9.00"), Decimal("8.00"), Decimal("7.00")
TIERS: dict[str, Any] = {
    "tier1_quantity": 10,
    "tier1_price": NINE,
    "tier2_quantity": 50,
    "tier2_price": EIGHT,
}


def offer_of(account: Account, **row: Any) -> Offer:
    """Return the account's offer of a product with this row in its only price list."""
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(account.group, agreement)
    item = PriceListItemFactory(price_list=agreement.price_list, price=Decimal("10.00"), **row)
    context = get_catalogue_context(actor=account)
    return get_offers(context=context, product_ids=[item.product_id])[item.product_id]


@pytest.mark.parametrize(
    ("quantity", "price"),
    [(1, "10.00"), (9, "10.00"), (10, "9.00"), (49, "9.00"), (50, "8.00"), (999_999, "8.00")],
)
def test_the_last_tier_that_the_quantity_reaches_decides(
    buyer: Account, quantity: int, price: str
) -> None:
    assert offer_of(buyer, **TIERS).get_price_for(quantity) == Decimal(price)


def test_a_price_without_tiers_is_the_same_at_each_quantity(buyer: Account) -> None:
    offer = offer_of(buyer)
    assert (offer.tiers, offer.get_price_for(999_999)) == ((), Decimal("10.00"))


def test_tiers_below_the_minimum_quantity_are_not_shown(buyer: Account) -> None:
    offer = offer_of(buyer, product=ProductFactory(min_quantity=10), **TIERS)
    assert [tier.quantity for tier in offer.shown_tiers] == [50]
    assert offer.get_price_for(10) == NINE


def test_the_list_that_decides_the_price_decides_the_tiers(buyer: Account, group: Group) -> None:
    product = ProductFactory()
    for priority, row in ((1, {"price": Decimal("9.50")}), (2, {"price": NINE, **TIERS})):
        agreement = AgreementFactory()
        include_in_assortment(agreement.assortment)
        create_customer_agreement(group, agreement, priority=priority)
        PriceListItemFactory(price_list=agreement.price_list, product=product, **row)
    context = get_catalogue_context(actor=buyer)
    offer = get_offers(context=context, product_ids=[product.pk])[product.pk]
    assert offer.get_price_for(50) == Decimal("9.50")


def test_tiers_add_no_query(buyer: Account) -> None:
    product = offer_of(buyer, **TIERS).product
    context = get_catalogue_context(actor=buyer)
    with assert_queries(1):
        assert len(get_offers(context=context, product_ids=[product.pk])[product.pk].tiers) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"tier1_quantity": 1},
        {"tier1_quantity": None},
        {"tier1_price": None},
        {"tier1_price": Decimal("10.01")},
        {"tier2_price": Decimal("0.00")},
        {"tier2_price": Decimal("9.01")},
        {"tier2_quantity": 10},
        {"tier1_quantity": None, "tier1_price": None},
        {"tier3_quantity": 60},
        {"tier3_quantity": 50, "tier3_price": SEVEN},
        {"price": None},
    ],
)
def test_the_database_refuses_tiers_out_of_order(platform: None, wrong: dict[str, Any]) -> None:
    row = {"price": Decimal("10.00"), **TIERS, **wrong}
    with pytest.raises(IntegrityError, match="priceitem_tier"), transaction.atomic():
        PriceListItemFactory(price_list=PriceListFactory(), **row)


def test_equal_prices_of_two_tiers_are_stored(platform: None) -> None:
    item = PriceListItemFactory(price=NINE, **TIERS | {"tier2_price": NINE})
    assert item.tier2_price == NINE
