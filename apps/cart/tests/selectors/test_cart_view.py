"""Each read of the cart computes its prices again and reports the problems of its lines."""

from decimal import Decimal

import pytest

from apps.cart.selectors.cart import get_cart
from apps.cart.services.cart_add import cart_add
from apps.catalog.enums import ProductStatus
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
from apps.pricing.models import Agreement, PriceListItem


@pytest.fixture
def agreement(group: Group) -> Agreement:
    """An agreement of the group that covers all products at the prices of its price list."""
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement)
    return agreement


def get_problem(account: Account) -> tuple[str, str, int | None] | None:
    line_problem = get_cart(actor=account).lines[0].problem
    return (
        (line_problem.code, line_problem.message, line_problem.quantity) if line_problem else None
    )


def test_a_price_that_changes_shows_in_the_next_look(buyer: Account, agreement: Agreement) -> None:
    item = PriceListItemFactory(price_list=agreement.price_list, price=Decimal("8.00"))
    cart_add(actor=buyer, quantities={item.product.code: 3})
    assert get_cart(actor=buyer).chosen_amount == Decimal("24.00")
    PriceListItem.objects.filter(pk=item.pk).update(price=Decimal("7.50"))
    assert get_cart(actor=buyer).chosen_amount == Decimal("22.50")


def test_off_sale_cart_line_stays_with_its_problem(buyer: Account, product: Product) -> None:
    Product.objects.update(status=ProductStatus.OFF_SALE)
    assert get_problem(buyer) == ("off_sale", "已下架", None)


def test_stock_reserved_by_others_is_reported_as_short(buyer: Account, product: Product) -> None:
    stock_reserve(lines={product.pk: 99}, reference="SO1")
    assert get_problem(buyer) == ("stock_short", "库存不足，仅剩 1 支", 1)


def test_the_last_pieces_in_stock_can_be_bought(buyer: Account, product: Product) -> None:
    stock_reserve(lines={product.pk: 98}, reference="SO1")
    assert get_problem(buyer) is None


def test_raised_minimum_quantity_is_suggested_in_the_cart(buyer: Account, product: Product) -> None:
    Product.objects.update(min_quantity=12)
    assert get_problem(buyer) == ("quantity_illegal", "低于起订量 12 支", 12)


def test_cart_line_outside_the_catalogue_has_no_price(
    buyer: Account, product: Product, group: Group
) -> None:
    create_customer_agreement(group, AgreementFactory())
    line = get_cart(actor=buyer).lines[0]
    assert (get_problem(buyer), line.price, line.amount) == (
        ("not_in_catalogue", "不在您的采购目录内", None),
        None,
        None,
    )


def test_an_invalid_line_is_not_in_the_sum(buyer: Account, product: Product) -> None:
    cart_add(actor=buyer, quantities={ProductFactory().code: 1})
    Product.objects.filter(pk=product.pk).update(status=ProductStatus.OFF_SALE)
    assert get_cart(actor=buyer).chosen_amount == Decimal("10.00")


def test_cart_line_keeps_its_price_at_the_time_of_adding(buyer: Account, product: Product) -> None:
    Product.objects.update(market_price=Decimal("12.50"))
    line = get_cart(actor=buyer).lines[0]
    assert (line.added_price, line.price) == (Decimal("10.00"), Decimal("12.50"))


def test_repeated_add_updates_the_price_of_the_cart_line(buyer: Account, product: Product) -> None:
    Product.objects.update(market_price=Decimal("12.50"))
    cart_add(actor=buyer, quantities={product.code: 1})
    assert get_cart(actor=buyer).lines[0].added_price == Decimal("12.50")


@pytest.mark.parametrize("length", [1, 100])
def test_cart_takes_two_queries_for_any_number_of_lines(
    buyer: Account, agreement: Agreement, length: int
) -> None:
    include_in_assortment(agreement.assortment, first := ProductFactory())
    rows = [
        first,
        *(ProductFactory(brand=first.brand, category=first.category) for _ in range(length - 1)),
    ]
    for row in rows:
        PriceListItemFactory(price_list=agreement.price_list, product=row)
    cart_add(actor=buyer, quantities={row.code: 1 for row in rows})
    with assert_queries(2):
        assert len(get_cart(actor=buyer).lines) == length


@pytest.fixture
def product(buyer: Account) -> Product:
    """A product with two pieces in the buyer's cart."""
    product: Product = ProductFactory()
    cart_add(actor=buyer, quantities={product.code: 2})
    return product
