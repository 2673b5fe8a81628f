"""Parallel submits to several addresses, with real processes: each is complete or nothing, no
budget is overdrawn, no deadlock.
"""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal
from functools import partial

import pytest
from django.db.models import Count

from apps.budgets.models import Budget
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.selectors.deliveries import DeliveryForm
from apps.orders.services.order_submit import orders_submit
from apps.orders.tests.factories import fill_cart, make_budget
from apps.org.models import Account, Role
from apps.org.tests.factories import AccountFactory, AddressFactory
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def submit(actor: Account, form: CheckoutForm) -> int:
    """Submit and return the number of created orders."""
    return len(orders_submit(actor=actor, form=form))


def split(buyer: Account, products: list[Product], places: list[int]) -> CheckoutForm:
    """Put one piece of each product for each place into the buyer's cart, in random order."""
    items = fill_cart(buyer, *[(product, len(places)) for product in products])
    random.shuffle(items)
    parts = tuple(DeliveryForm(place, {item.pk: 1 for item in items}) for place in places)
    return CheckoutForm(lines=tuple(SeenLine(item.pk) for item in items), deliveries=parts)


def test_40_split_submits_on_a_budget_for_20_make_exactly_20(shopper: Account) -> None:
    """Each submit is 3 orders of 2 products at 10.00: 60.00."""
    products = [ProductFactory(stock=1000) for _ in range(2)]
    places = [AddressFactory(enterprise=shopper.enterprise).pk for _ in range(3)]
    make_budget(shopper, "1200.00")
    roles = list(Role.objects.filter(accounts=shopper))
    buyers = [AccountFactory(department=shopper.department, roles=roles) for _ in range(40)]

    outcomes = run_race(
        [partial(submit, buyer, split(buyer, products, places)) for buyer in buyers]
    )

    assert [outcome.fault for outcome in outcomes if outcome.fault] == []
    assert Counter(outcome.code for outcome in outcomes) == {"": 20, "budget_exceeded": 20}
    assert (Order.objects.count(), Budget.objects.get().available) == (60, Decimal("0.00"))
    assert set(
        Order.objects.order_by()
        .values_list("batch")
        .annotate(Count("pk"))
        .values_list("pk__count", flat=True)
    ) == {3}
    assert_books_balance()


def test_split_submits_that_share_products_never_lock_each_other_out(shopper: Account) -> None:
    """Stock is locked over all orders of a submit at once. With a lock per order, two submits
    would deadlock.
    """
    products = [ProductFactory(stock=7) for _ in range(6)]
    places = [AddressFactory(enterprise=shopper.enterprise).pk for _ in range(2)]
    roles = list(Role.objects.filter(accounts=shopper))
    works = []
    for _ in range(20):
        buyer = AccountFactory(department=shopper.department, roles=roles)
        items = fill_cart(buyer, *[(product, 1) for product in products])
        halves = items[:3], items[3:]
        parts = [
            DeliveryForm(place, {item.pk: 1 for item in half})
            for place, half in zip(places, halves, strict=True)
        ]
        random.shuffle(parts)
        works.append(
            partial(
                submit,
                buyer,
                CheckoutForm(
                    lines=tuple(SeenLine(item.pk) for item in items), deliveries=tuple(parts)
                ),
            )
        )

    outcomes = run_race(works)

    assert [outcome.fault for outcome in outcomes if outcome.fault] == []
    assert Counter(outcome.code for outcome in outcomes) == {"": 7, "stock_short": 13}
    assert {product.available for product in Product.objects.all()} == {0}
    assert_books_balance()
