"""累计金额 (防拆单) under concurrent orders: one person, and colleagues of one department."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest

from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.rule_manage import rule_save
from apps.catalog.tests.factories import ProductFactory
from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.enums import PaymentKind
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def submit(actor: Account, item_id: int) -> str:
    """Submit one cart line and return the order number. Not on account, so that the limit of the
    enterprise's credit takes no lock.
    """
    form = CheckoutForm(lines=(SeenLine(item_id),), payment_kind=PaymentKind.TRANSFER)
    return order_submit(actor=actor, form=form).order_no


def create_sum_rule(approver: Account, kind: str) -> None:
    rule_save(
        group_id=approver.group_id or 0,
        spec=RuleSpec("防拆单", [{"kind": kind, "value": {"days": 1, "amount": "3000.00"}}]),
        steps=[StepSpec("accounts", accounts=(approver,))],
    )


def assert_one_of_twenty_is_free() -> None:
    """Check that exactly one order of 1,999 stays below 3,000; each other needs approval."""
    states = list(Order.objects.values_list("status", flat=True))
    assert (len(states), states.count(OrderStatus.PENDING_CONFIRM)) == (20, 1)
    assert_books_balance()


def test_20_parallel_orders_of_one_person_are_summed_up(
    shopper: Account, approver: Account
) -> None:
    create_sum_rule(approver, "sum_requester")
    goods = [(ProductFactory(market_price=Decimal("1999.00")), 1) for _ in range(20)]
    items = fill_cart(shopper, *goods)

    outcomes = run_race([partial(submit, shopper, item.pk) for item in items])

    assert all(outcome.ok for outcome in outcomes)
    assert_one_of_twenty_is_free()


@pytest.mark.parametrize("kind", ["sum_department", "sum_brand", "sum_category", "sum_address"])
def test_20_parallel_orders_of_colleagues_are_summed_up(
    shopper: Account, approver: Account, kind: str
) -> None:
    create_sum_rule(approver, kind)
    roles = list(shopper.roles.all())
    people = [AccountFactory(department=shopper.department, roles=roles) for _ in range(20)]
    bought = ProductFactory(market_price=Decimal("1999.00"), stock=40)
    works = [partial(submit, person, fill_cart(person, (bought, 1))[0].pk) for person in people]

    outcomes = run_race(works)

    assert all(outcome.ok for outcome in outcomes)
    assert_one_of_twenty_is_free()
