"""Orders at once on the budget of a project, with real processes: it is never overdrawn, and its
rest without approval is used once.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from functools import partial

import pytest

from apps.budgets.models import Budget
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.dimensions.enums import DimensionKind
from apps.dimensions.models import Dimension
from apps.dimensions.tests.factories import DimensionFactory
from apps.orders.models import EarmarkedAmount, Order
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart, make_budget, make_earmark
from apps.org.enums import PaymentKind
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
ORDERS = 20


def order_for(project: Dimension, actor: Account, item_id: int) -> str:
    """Order one cart line for the project. Not on account, so that only the budgets are
    locked.
    """
    form = CheckoutForm(
        lines=(SeenLine(item_id),),
        payment_kind=PaymentKind.TRANSFER,
        allocations=(AllocationForm(DimensionKind.PROJECT, (PartForm(project.pk),)),),
    )
    return order_submit(actor=actor, form=form).order_no


def build_people(shopper: Account, product: Product) -> list[tuple[Account, int]]:
    """Return 20 buyers, each with one piece of the product in the cart."""
    accounts = AccountFactory.create_batch(
        ORDERS, department=shopper.department, roles=list(shopper.roles.all())
    )
    return [(person, fill_cart(person, (product, 1))[0].pk) for person in accounts]


def test_orders_at_once_never_overdraw_a_project(shopper: Account) -> None:
    product = ProductFactory(stock=100)
    project = DimensionFactory(group=shopper.group, kind=DimensionKind.PROJECT)
    make_budget(shopper, "9000.00", policy="warn")
    top = make_earmark(shopper, project, "75.00", name="项目")
    low = make_earmark(shopper, project, "90.00", name="项目分解", parent=top)
    works = [partial(order_for, project, *row) for row in build_people(shopper, product)]

    outcomes = run_race(works, processes=ORDERS)

    # The parent takes seven orders at 10.00.
    assert Counter(outcome.code for outcome in outcomes) == {"": 7, "budget_exceeded": 13}
    assert {row.pk: row.reserved for row in Budget.objects.filter(dimension=project)} == {
        top.pk: Decimal("70.00"),
        low.pk: Decimal("70.00"),
    }
    assert EarmarkedAmount.objects.count() == 7
    assert_books_balance()


def test_orders_at_once_use_the_rest_of_a_project_without_approval_once(shopper: Account) -> None:
    product = ProductFactory(stock=100)
    project = DimensionFactory(group=shopper.group, kind=DimensionKind.PROJECT)
    budget = make_earmark(shopper, project, "15.00", policy="approve")
    works = [partial(order_for, project, *row) for row in build_people(shopper, product)]

    outcomes = run_race(works, processes=ORDERS)

    assert Counter(outcome.code for outcome in outcomes) == {"": ORDERS}
    assert Counter(Order.objects.values_list("status", flat=True)) == {
        "pending_confirm": 1,
        "pending_approval": ORDERS - 1,
    }
    budget.refresh_from_db()
    assert budget.reserved == Decimal("200.00")
    assert_books_balance()


def test_submits_and_cancellations_at_once_do_not_deadlock(shopper: Account) -> None:
    """The ordinary budget has a higher key than the project's, so locks one by one would cross."""
    product = ProductFactory(stock=100)
    project = DimensionFactory(group=shopper.group, kind=DimensionKind.PROJECT)
    make_earmark(shopper, project, "900.00")
    make_budget(shopper, "900.00", policy="warn")
    rows = build_people(shopper, product)
    placed = [(row[0], order_for(project, *row)) for row in rows[:10]]
    works = [
        partial(order_cancel, actor=person, order_no=number, reason="不买了")
        for person, number in placed
    ]
    works += [partial(order_for, project, *row) for row in rows[10:]]

    outcomes = run_race(works, processes=ORDERS)

    assert Counter(outcome.code for outcome in outcomes) == {"": ORDERS}
    assert [row.reserved for row in Budget.objects.all()] == [Decimal("100.00")] * 2
    assert_books_balance()
