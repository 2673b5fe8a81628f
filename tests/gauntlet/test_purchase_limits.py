"""采购限额 under concurrent orders of one person."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from functools import partial

import pytest
from django.db.models import Sum

from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.enums import LimitAction, LimitPeriod, PaymentKind
from apps.org.models import Account, PurchaseLimit
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def submit(actor: Account, form: CheckoutForm) -> str:
    """Submit and return the order number."""
    return order_submit(actor=actor, form=form).order_no


def test_100_parallel_orders_of_one_person_never_exceed_his_monthly_limit(
    shopper: Account,
) -> None:
    PurchaseLimit.objects.create(
        role=shopper.roles.get(),
        period=LimitPeriod.MONTH,
        amount=Decimal("300.00"),
        action=LimitAction.REFUSE,
    )
    items = fill_cart(shopper, *[(ProductFactory(stock=10), 1) for _ in range(100)])
    works = [
        partial(
            submit,
            shopper,
            # An order on account would also wait for the lock of the enterprise's credit.
            CheckoutForm(lines=(SeenLine(item.pk),), payment_kind=PaymentKind.TRANSFER),
        )
        for item in items
    ]

    outcomes = run_race(works)

    assert Counter(outcome.code for outcome in outcomes) == {
        "": 30,
        "purchase_limit_exceeded": 70,
    }
    assert Order.objects.aggregate(sum=Sum("total_amount"))["sum"] == Decimal("300.00")
    assert_books_balance()
