"""A price by quantity (阶梯价) stays the price paid: of cancelled pieces and of returned ones."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.aftersales.models import ReturnLine
from apps.aftersales.tests.cancelling import ask
from apps.aftersales.tests.stories import create_story, get_line, received_order
from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.orders.tests.factories import place_order
from apps.org.models import Account, Group

NINE = Decimal("9.00")


@pytest.fixture
def pens(shopper: Account, group: Group) -> Product:
    """A product at 10.00 元, from 10 pieces on 9.00 元."""
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement)
    product: Product = ProductFactory(stock=100)
    PriceListItemFactory(
        price_list=agreement.price_list,
        product=product,
        price=Decimal("10.00"),
        tier1_quantity=10,
        tier1_price=NINE,
    )
    return product


def test_the_rest_after_a_cancellation_keeps_the_price(shopper: Account, pens: Product) -> None:
    order = place_order(shopper, (pens, 20))
    ask(shopper, order, 15)
    line = get_line(order)
    assert (line.quantity, line.unit_price_incl_tax, line.amount_incl_tax) == (5, NINE, NINE * 5)


def test_a_return_refunds_the_price_paid(shopper: Account, staff: Account, pens: Product) -> None:
    order = received_order(shopper, staff, (pens, 20))
    create_story(shopper, staff, order, 15).to("pending_confirm")
    returned = ReturnLine.objects.get()
    assert returned.amount_incl_tax == NINE * 15
    assert get_line(order).unit_price_incl_tax == NINE
