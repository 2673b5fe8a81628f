"""月结 credit with parallel orders: exactly as many are accepted as the credit allows."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from functools import partial

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.selectors.customer_terms import find_credit
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart, make_budget, place_order
from apps.org.models import Account, Enterprise, Role
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def submit(actor: Account, form: CheckoutForm) -> str:
    return order_submit(actor=actor, form=form).order_no


def list_buyers(shopper: Account, count: int) -> list[Account]:
    """Return colleagues of an enterprise with a limit of 100.00."""
    Enterprise.objects.filter(pk=shopper.enterprise_id).update(credit_limit=Decimal("100.00"))
    roles = list(Role.objects.filter(accounts=shopper))
    created = [AccountFactory(department=shopper.department, roles=roles).pk for _ in range(count)]
    return list(
        Account.objects.select_related("group", "enterprise", "department").filter(pk__in=created)
    )


def get_used_credit(shopper: Account) -> Decimal:
    assert shopper.enterprise_id is not None
    credit = find_credit(shopper.enterprise_id)
    assert credit is not None
    return credit.used


@pytest.mark.parametrize("policy", ["block", "warn"])
def test_20_parallel_orders_on_credit_for_10_make_exactly_10(shopper: Account, policy: str) -> None:
    """With a budget that is locked before it is judged, and with one that is reserved by a
    conditional UPDATE.
    """
    product, budget = ProductFactory(stock=1000), make_budget(shopper, "9000.00", policy=policy)
    works = [
        partial(
            submit,
            buyer,
            CheckoutForm(
                lines=(SeenLine(fill_cart(buyer, (product, 1))[0].pk),), budget_id=budget.pk
            ),
        )
        for buyer in list_buyers(shopper, 20)
    ]

    outcomes = run_race(works)

    assert Counter(outcome.code for outcome in outcomes) == {"": 10, "credit_exceeded": 10}
    assert get_used_credit(shopper) == Decimal("100.00")
    assert_books_balance()


def test_cancellations_beside_submits_never_let_more_be_owed(shopper: Account) -> None:
    product = ProductFactory(stock=1000)
    people = list_buyers(shopper, 20)
    placed = [place_order(people[0], (product, 1)) for _ in range(10)]
    forms = [
        (buyer, CheckoutForm(lines=(SeenLine(fill_cart(buyer, (product, 1))[0].pk),)))
        for buyer in people
    ]
    cancels = [
        partial(order_cancel, actor=people[0], order_no=order.order_no, reason="不需要了")
        for order in placed[:5]
    ]

    outcomes = run_race([*cancels, *[partial(submit, buyer, form) for buyer, form in forms]])

    assert all(outcome.ok for outcome in outcomes[:5])
    taken = sum(outcome.ok for outcome in outcomes[5:])
    assert taken <= 5
    assert get_used_credit(shopper) == Decimal("10.00") * (5 + taken)
    assert_books_balance()
