"""Adding a product twice merges the quantities. Products that cannot be bought are refused."""

import pytest

from apps.cart.errors import CartFull
from apps.cart.models import CartItem
from apps.cart.services.cart_add import MAX_LINES, cart_add, cart_refill
from apps.catalog.enums import ProductStatus
from apps.catalog.errors import NotInCatalogue, OffSale, QuantityIllegal, StockShort
from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    ProductFactory,
    create_category_path,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import assert_queries
from apps.org.enums import PurchasingRight
from apps.org.models import Account, Group
from apps.pricing.selectors.context import get_catalogue_context


@pytest.fixture
def pens(db: None) -> Product:
    """A product with minimum quantity 10, increment 5 and stock 100."""
    return ProductFactory(name="中性笔", min_quantity=10, step_quantity=5, stock=100)


def cart_quantities(account: Account) -> dict[str, int]:
    return dict(CartItem.objects.filter(account=account).values_list("product__code", "quantity"))


def test_repeated_add_merges_into_one_line(buyer: Account, pens: Product) -> None:
    cart_add(actor=buyer, quantities={pens.code: 10})
    assert cart_add(actor=buyer, quantities={pens.code: 5}) == 1
    assert cart_quantities(buyer) == {pens.code: 15}


def test_quantity_below_the_minimum_is_refused_with_a_legal_suggestion(
    buyer: Account, pens: Product
) -> None:
    with pytest.raises(QuantityIllegal, match="“中性笔”低于起订量 10 支，请改为 10 支") as refusal:
        cart_add(actor=buyer, quantities={pens.code: 3})
    assert refusal.value.body == {"Suggestion": "请改为 10 支", "SuggestedQuantity": 10}


def test_between_two_steps_is_refused_with_the_next_step(buyer: Account, pens: Product) -> None:
    with pytest.raises(QuantityIllegal, match="请改为 15 支"):
        cart_add(actor=buyer, quantities={pens.code: 12})


def test_quantity_above_the_stock_is_refused_with_the_remaining_stock(
    buyer: Account, pens: Product
) -> None:
    with pytest.raises(StockShort, match="库存不足，仅剩 100 支，请减少到 100 支以内"):
        cart_add(actor=buyer, quantities={pens.code: 105})


def test_off_sale_product_is_refused(buyer: Account) -> None:
    product = ProductFactory(status=ProductStatus.OFF_SALE)
    with pytest.raises(OffSale):
        cart_add(actor=buyer, quantities={product.code: 1})


def test_product_outside_the_catalogue_is_refused_like_a_missing_one(
    buyer: Account, group: Group, pens: Product
) -> None:
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment, create_category_path())
    create_customer_agreement(group, agreement)
    with pytest.raises(NotInCatalogue):
        cart_add(actor=buyer, quantities={pens.code: 10})
    with pytest.raises(NotInCatalogue):
        cart_add(actor=buyer, quantities={"999999": 10})


def test_one_refused_line_adds_nothing_to_the_cart(buyer: Account, pens: Product) -> None:
    good = ProductFactory()
    with pytest.raises(QuantityIllegal):
        cart_add(actor=buyer, quantities={good.code: 1, pens.code: 1})
    assert cart_quantities(buyer) == {}


def test_the_201st_product_is_refused(buyer: Account, pens: Product) -> None:
    brand, category = pens.brand, pens.category
    products = [ProductFactory(brand=brand, category=category) for _ in range(MAX_LINES)]
    cart_add(actor=buyer, quantities={product.code: 1 for product in products})
    with pytest.raises(CartFull, match="购物车最多放 200 种商品"):
        cart_add(actor=buyer, quantities={pens.code: 10})


def test_adding_costs_five_queries_however_many_products(buyer: Account, pens: Product) -> None:
    quantities = {pens.code: 10, **{ProductFactory().code: 1 for _ in range(20)}}
    get_catalogue_context(actor=buyer)  # Load the customer's agreements into the cache.
    assert buyer.purchasing == PurchasingRight.ORDER  # Read, as by the look-up of a bearer.
    with assert_queries(5):
        cart_add(actor=buyer, quantities=quantities)


def test_refill_sets_the_quantity_without_adding_to_it(buyer: Account, pens: Product) -> None:
    cart_add(actor=buyer, quantities={pens.code: 10})
    assert cart_refill(actor=buyer, quantities={pens.pk: 10}) == []
    assert cart_quantities(buyer) == {pens.code: 10}


def test_a_refill_raises_to_todays_minimum(buyer: Account, pens: Product) -> None:
    cart_refill(actor=buyer, quantities={pens.pk: 3})
    assert cart_quantities(buyer) == {pens.code: 10}


def test_refill_returns_its_refused_products(buyer: Account, pens: Product) -> None:
    off_sale = ProductFactory(status=ProductStatus.OFF_SALE)
    refused = cart_refill(actor=buyer, quantities={off_sale.pk: 1, pens.pk: 10})
    assert [(pk, why) for _, pk, why in refused] == [(off_sale.pk, "已下架，请更换其他商品")]
    assert cart_quantities(buyer) == {pens.code: 10}
