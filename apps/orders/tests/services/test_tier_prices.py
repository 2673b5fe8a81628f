"""Tiers in an order: submit, split, amendment, cancellation and return."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.cart.services.cart_change import cart_change
from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.books import list_differences
from apps.common.errors import ValidationFailed
from apps.common.testing import assert_queries
from apps.orders.errors import PriceMoved
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.checkout import CheckoutForm, SeenLine, get_checkout
from apps.orders.selectors.deliveries import DeliveryForm
from apps.orders.services.cancellations import order_withdraw
from apps.orders.services.order_submit import order_submit, orders_submit
from apps.orders.tests.amending import amend
from apps.orders.tests.factories import fill_cart, make_rule, place_order
from apps.org.models import Account, Address, Group
from apps.org.tests.factories import AddressFactory
from apps.pricing.models import PriceListItem
from apps.pricing.models.tiers import FLAT_TIER_FIELDS

TEN, NINE = Decimal("10.00"), Decimal("9.00")
TIERS: dict[str, Any] = {
    "price": TEN,
    "tier1_quantity": 10,
    "tier1_price": NINE,
    "tier2_quantity": 50,
    "tier2_price": Decimal("6.00"),
}


@pytest.fixture
def pens(shopper: Account, group: Group) -> Product:
    """A product at 10.00 元, from 10 pieces on 9.00 元, from 50 on 6.00 元."""
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement)
    product: Product = ProductFactory(stock=500, name="签字笔")
    PriceListItemFactory(price_list=agreement.price_list, product=product, **TIERS)
    return product


def line_of(order: Order) -> OrderLine:
    line: OrderLine = OrderLine.objects.get(order=order)
    return line


def test_the_order_keeps_the_price_of_its_quantity(shopper: Account, pens: Product) -> None:
    order = place_order(shopper, (pens, 12))
    PriceListItem.objects.update(tier1_price=Decimal("8.00"))
    line = line_of(order)
    assert (line.unit_price_incl_tax, line.amount_incl_tax) == (NINE, Decimal("108.00"))
    assert order.total_amount == Decimal("108.00")
    assert line.price_tiers == {
        "Quantity": 12,
        "Steps": [[1, "10.00"], [10, "9.00"], [50, "6.00"]],
    }


def test_a_price_without_tiers_leaves_no_snapshot(shopper: Account, pens: Product) -> None:
    PriceListItem.objects.update(**dict.fromkeys(FLAT_TIER_FIELDS))
    assert line_of(place_order(shopper, (pens, 12))).price_tiers is None


@pytest.mark.parametrize("has_tiers", [False, True])
def test_tiers_add_no_query_to_the_preview(
    shopper: Account, pens: Product, has_tiers: bool
) -> None:
    if not has_tiers:
        PriceListItem.objects.update(**dict.fromkeys(FLAT_TIER_FIELDS))
    fill_cart(shopper, (pens, 12))
    with assert_queries(8):
        checkout = get_checkout(actor=shopper, form=CheckoutForm())
    price = NINE if has_tiers else TEN
    assert (checkout.lines[0].price, checkout.amounts.goods) == (price, price * 12)


def test_a_quantity_that_left_its_tier_moves_the_seen_price(
    shopper: Account, pens: Product
) -> None:
    (item,) = fill_cart(shopper, (pens, 12))
    cart_change(actor=shopper, item_id=item.pk, quantity=9)
    with pytest.raises(PriceMoved) as moved:
        order_submit(actor=shopper, form=CheckoutForm(lines=(SeenLine(item.pk, NINE),)))
    (line,) = moved.value.body["Lines"]
    assert (line["SeenPrice"], line["CustomerPrice"]) == ("9.00", "10.00")


def place_twice(shopper: Account, *wishes: tuple[Product, int]) -> list[Order]:
    """Return the orders of one submit that sends half of each product to each of two addresses."""
    AddressFactory(enterprise=shopper.enterprise, receiver="李小红")
    items = fill_cart(shopper, *wishes)
    halves = {item.pk: item.quantity // 2 for item in items}
    deliveries = tuple(DeliveryForm(place.pk, halves) for place in Address.objects.order_by("pk"))
    seen = tuple(SeenLine(item.pk) for item in items)
    return orders_submit(actor=shopper, form=CheckoutForm(lines=seen, deliveries=deliveries))


def test_parts_for_several_addresses_share_the_price_of_the_whole_quantity(
    shopper: Account, pens: Product
) -> None:
    orders = place_twice(shopper, (pens, 12))
    assert [line_of(order).unit_price_incl_tax for order in orders] == [NINE, NINE]
    assert [line_of(order).price_tiers["Quantity"] for order in orders] == [12, 12]


@pytest.fixture
def waiting(shopper: Account, approver: Account, pens: Product) -> Order:
    """Twenty pieces at 9.00 元, which wait for `approver`."""
    make_rule(shopper, approver)
    return place_order(shopper, (pens, 20))


def test_an_amendment_within_the_tier_keeps_the_price(waiting: Order, approver: Account) -> None:
    amend(approver, waiting, 10)
    assert line_of(waiting).unit_price_incl_tax == NINE


def test_an_amendment_below_the_tier_is_refused(waiting: Order, approver: Account) -> None:
    """A higher unit price could match a rule that nobody judged."""
    with pytest.raises(ValidationFailed, match="调整后“签字笔”的数量不足阶梯价，单价会上涨"):
        amend(approver, waiting, 4)
    assert line_of(waiting).quantity == 20


def test_an_amendment_knows_the_tiers_at_the_time_of_the_order(
    waiting: Order, approver: Account
) -> None:
    PriceListItem.objects.update(price=Decimal("10.50"), **dict.fromkeys(FLAT_TIER_FIELDS))
    amend(approver, waiting, 12)
    assert line_of(waiting).amount_incl_tax == Decimal("108.00")


def test_amendments_of_a_split_order_keep_the_tier_of_the_whole_submit(
    shopper: Account, approver: Account, pens: Product
) -> None:
    """Six and six pieces: each of both amendments alone would stay in the tier from 10 on."""
    make_rule(shopper, approver)
    one, other = place_twice(shopper, (pens, 12))
    amend(approver, one, 5)
    amend(approver, other, 5)

    with pytest.raises(ValidationFailed, match="“签字笔”的数量不足阶梯价"):
        amend(approver, one, 4)

    order_withdraw(actor=shopper, order_no=other.order_no)
    amend(approver, one, 4)
    assert (line_of(one).quantity, line_of(one).unit_price_incl_tax) == (4, NINE)
    assert list(list_differences()) == []


def test_dropped_line_that_breaks_the_tier_of_a_split_order_is_refused(
    shopper: Account, approver: Account, pens: Product
) -> None:
    make_rule(shopper, approver)
    one, _other = place_twice(shopper, (pens, 12), (ProductFactory(), 2))

    with pytest.raises(ValidationFailed, match="“签字笔”的数量不足阶梯价"):
        amend(approver, one, None, 0)
