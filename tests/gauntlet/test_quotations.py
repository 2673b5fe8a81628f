"""A quotation ordered and voided at once, with real processes: one act wins."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.models import Account
from apps.quotations.models import Quotation
from apps.quotations.services import quotation_create, quotation_void
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def test_one_of_many_orders_or_the_void_wins_at_the_held_price(
    shopper: Account, ga: Account
) -> None:
    product = ProductFactory(market_price=Decimal("10.00"), stock=100)
    fill_cart(shopper, (product, 2))
    quotation = quotation_create(actor=shopper)
    Product.objects.filter(pk=product.pk).update(market_price=Decimal("12.00"))
    form = CheckoutForm(quotation_no=quotation.quotation_no)
    works = [
        lambda: order_submit(actor=shopper, form=form).pk,
        lambda: order_submit(actor=ga, form=form).pk,
        lambda: quotation_void(actor=shopper, quotation_no=quotation.quotation_no).pk,
    ] * 3

    outcomes = run_race([partial(work) for work in works], processes=9)

    assert sum(outcome.ok for outcome in outcomes) == 1
    is_ordered = Quotation.objects.get().status == "ordered"
    amounts = list(Order.objects.values_list("goods_amount", flat=True))
    assert amounts == ([Decimal("20.00")] if is_ordered else [])
    assert_books_balance()
