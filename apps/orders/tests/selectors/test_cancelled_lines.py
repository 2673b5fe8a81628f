"""A fully cancelled line does not count as bought. Buying the order again still uses the line's
ordered quantity.
"""

from __future__ import annotations

import pytest

from apps.cart.models import CartItem
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.orders.locks import lock_order
from apps.orders.models import Order
from apps.orders.selectors.purchase_history import get_product_history, list_lines_bought_before
from apps.orders.services.cancellations import order_pieces_cancel
from apps.orders.services.reorders import order_reorder
from apps.orders.tests.factories import place_order
from apps.org.models import Account


@pytest.fixture
def product() -> Product:
    return ProductFactory(stock=50)


@pytest.fixture
def order(shopper: Account, product: Product) -> Order:
    """An order with two lines. All three pieces of one line are cancelled; the other line is
    active.
    """
    order = place_order(shopper, (ProductFactory(), 1), (product, 3))
    line = order.lines.get(product=product)
    order_pieces_cancel(
        lock_order(order_no=order.order_no),
        actor=shopper,
        pieces={line.pk: 3},
        reason="不要了",
        reference="QX1",
    )
    return order


def test_cancelled_line_is_excluded_from_the_purchase_history(
    order: Order, shopper: Account, product: Product
) -> None:
    history = get_product_history(actor=shopper, code=product.code)
    assert (history.times, history.quantity, history.buyers) == (0, 0, ())
    assert [line.product_id for line in list_lines_bought_before(actor=shopper)] == [
        order.lines.exclude(product=product).get().product_id
    ]


def test_reorder_includes_cancelled_lines_with_their_ordered_quantities(
    order: Order, shopper: Account, product: Product
) -> None:
    assert order_reorder(actor=shopper, order_no=order.order_no).added == 2
    assert CartItem.objects.get(account=shopper, product=product).quantity == 3
