"""G1 to G4 and the kill of G6: parallel orders, decisions and crashes, with real processes."""

from __future__ import annotations

import json
import random
from collections import Counter
from decimal import Decimal
from functools import partial

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_decide import approval_approve, approval_reject
from apps.approvals.tests.factories import create_rule
from apps.budgets.models import Budget
from apps.cart.services.cart_add import cart_add
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.common.testing.client import make_key
from apps.orders.models import Order
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.services.cancellations import order_cancel, order_withdraw
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart, make_budget, place_order
from apps.org.models import Account, Role
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import LONG, Victim, run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def list_colleagues(shopper: Account, count: int) -> list[Account]:
    """Return buyers of the shopper's department."""
    roles = list(Role.objects.filter(accounts=shopper))
    return [AccountFactory(department=shopper.department, roles=roles) for _ in range(count)]


def submit(actor: Account, form: CheckoutForm) -> str:
    """Submit and return the order number."""
    return order_submit(actor=actor, form=form).order_no


def build_one_line(item_id: int, budget_id: int | None = None) -> CheckoutForm:
    """Return a checkout of one cart line."""
    return CheckoutForm(lines=(SeenLine(item_id),), budget_id=budget_id)


def test_g1_200_parallel_orders_on_a_budget_for_100_make_exactly_100(shopper: Account) -> None:
    products = [ProductFactory(stock=1000) for _ in range(5)]
    budget = make_budget(shopper, "1000.00")
    works = [
        partial(submit, buyer, build_one_line(item.pk, budget.pk))
        for buyer in list_colleagues(shopper, 40)
        for item in fill_cart(buyer, *[(product, 1) for product in products])
    ]
    assert len(works) == 200

    outcomes = run_race(works)

    assert Counter(outcome.code for outcome in outcomes) == {"": 100, "budget_exceeded": 100}
    assert len({outcome.value for outcome in outcomes if outcome.ok}) == 100, (
        "order numbers are unique over processes"
    )
    after = Budget.objects.get(pk=budget.pk)
    assert (after.reserved, after.available) == (Decimal("1000.00"), Decimal("0.00"))
    assert_books_balance()


def test_g2_50_parallel_orders_for_the_last_7_pieces_sell_7(shopper: Account) -> None:
    product = ProductFactory(stock=7)
    works = [
        partial(submit, buyer, build_one_line(fill_cart(buyer, (product, 1))[0].pk))
        for buyer in list_colleagues(shopper, 50)
    ]

    outcomes = run_race(works)

    assert Counter(outcome.code for outcome in outcomes) == {"": 7, "stock_short": 43}
    assert all("库存不足" in outcome.text for outcome in outcomes if not outcome.ok)
    assert Product.objects.get(pk=product.pk).available == 0
    assert_books_balance()


def test_g3_the_same_key_20_times_at_once_makes_one_order(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 1))
    api, key = ApiClient(shopper), make_key()

    assert api.post("/api/ShoppingCart/Count").body == 1, "loads the routes once, before the fork"

    def post() -> str:
        answer = api.post("/api/Order", {}, key=key)
        return json.dumps([answer.ok, answer.body], sort_keys=True)

    outcomes = run_race([post] * 20, processes=20)

    assert Order.objects.count() == 1
    answers = {outcome.value for outcome in outcomes}
    assert len(answers) == 1
    assert json.loads(answers.pop())[1]["OrderNo"] == Order.objects.get().order_no
    assert_books_balance()


def test_g3_an_answer_that_was_lost_is_given_again(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 1))
    api, key = ApiClient(shopper), make_key()
    Victim(lambda: api.post("/api/Order", {}, key=key)).process.join(60)

    again = api.post("/api/Order", {}, key=key)

    assert (again.ok, Order.objects.count()) == (True, 1)
    assert again.body["OrderNo"] == Order.objects.get().order_no


def test_two_tabs_that_submit_one_cart_make_one_order(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 1), (ProductFactory(), 1))
    outcomes = run_race([partial(submit, shopper, CheckoutForm())] * 10, processes=10)
    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "validation": 9}
    assert_books_balance()


def test_parallel_additions_to_one_cart_lose_no_piece(shopper: Account) -> None:
    product = ProductFactory(stock=1000)
    outcomes = run_race([partial(cart_add, actor=shopper, quantities={product.code: 1})] * 40)
    assert all(outcome.ok for outcome in outcomes)
    assert [item.quantity for item in fill_cart(shopper, (product, 1))] == [41]


def test_one_of_the_orders_that_just_fit_a_warning_budget_needs_no_approval(
    shopper: Account, approver: Account
) -> None:
    step = StepSpec(approver_kind=ApproverKind.ACCOUNTS, accounts=(approver,))
    create_rule(
        group_id=shopper.group_id,
        name="超预算审批",
        conditions=[{"kind": "over_budget", "value": None}],
        steps=[step],
    )
    budget, product = make_budget(shopper, "15.00", policy="warn"), ProductFactory(stock=100)
    works = [
        partial(submit, buyer, build_one_line(fill_cart(buyer, (product, 1))[0].pk, budget.pk))
        for buyer in list_colleagues(shopper, 10)
    ]

    outcomes = run_race(works, processes=10)

    assert all(outcome.ok for outcome in outcomes)
    assert Counter(Order.objects.values_list("status", flat=True)) == {
        "pending_confirm": 1,
        "pending_approval": 9,
    }
    assert_books_balance()


@pytest.mark.parametrize("turn", range(20 if LONG else 5))
def test_g4_of_approve_reject_withdraw_and_cancel_one_wins(
    shopper: Account, approver: Account, ga: Account, turn: int
) -> None:
    steps = [StepSpec(approver_kind=ApproverKind.ACCOUNTS, accounts=(approver, ga))]
    create_rule(
        group_id=shopper.group_id or 0,
        name="采购审批",
        conditions=[{"kind": "amount", "value": "0.00"}],
        steps=steps,
    )
    budget = make_budget(shopper, "1000.00")
    product = ProductFactory(stock=10)
    order = place_order(shopper, (product, 2))
    approval = Approval.objects.get(subject_no=order.order_no)
    works = [
        lambda: approval_approve(actor=approver, approval_id=approval.pk).pk,
        lambda: approval_reject(actor=ga, approval_id=approval.pk, reason="预算紧张").pk,
        lambda: order_withdraw(actor=shopper, order_no=order.order_no).pk,
        lambda: order_cancel(actor=shopper, order_no=order.order_no, reason="买错了").pk,
    ]
    random.Random(turn).shuffle(works)

    outcomes = run_race(works, processes=4)

    status = Order.objects.get(pk=order.pk).status
    # An approved order may still be cancelled by its buyer: that is two acts one after the other,
    # not two winners.
    winners = sum(outcome.ok for outcome in outcomes)
    assert winners == 1 or (winners == 2 and status == "cancelled")
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"wrong_state"}
    assert all(outcome.text for outcome in outcomes if not outcome.ok)
    held = (Budget.objects.get(pk=budget.pk).reserved, Product.objects.get(pk=product.pk).reserved)
    assert held == ((Decimal("20.00"), 2) if status == "pending_confirm" else (Decimal("0.00"), 0))
    assert_books_balance()


def test_g6_process_killed_during_submit_leaves_consistent_books(shopper: Account) -> None:
    make_budget(shopper, "100000.00")
    product = ProductFactory(stock=100000)
    chance = random.Random(6)

    def buy_for_ever() -> None:
        while True:
            place_order(shopper, (product, 1))

    killed = [
        Victim(buy_for_ever).kill(after=chance.uniform(0.05, 0.6)) for _ in range(40 if LONG else 8)
    ]

    assert all(killed)
    assert_books_balance()
    assert place_order(shopper, (product, 1)).order_no
