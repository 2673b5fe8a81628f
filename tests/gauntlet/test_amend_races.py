"""An approver lowers quantities while others decide, withdraw or amend: one wins, and the books
are consistent.
"""

from __future__ import annotations

import random
from decimal import Decimal
from functools import partial

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval, ApprovalAmendment, ApprovalStep
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.tests.factories import create_rule
from apps.budgets.models import Budget
from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.events import list_events
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.selectors.deliveries import DeliveryForm
from apps.orders.services.cancellations import order_withdraw
from apps.orders.services.order_submit import orders_submit
from apps.orders.tests.factories import fill_cart, make_budget, place_order
from apps.org.enums import LimitAction, LimitPeriod
from apps.org.models import Account, PurchaseLimit
from apps.org.tests.factories import AddressFactory
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import LONG, run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
TURNS = range(20 if LONG else 5)


@pytest.fixture
def order(shopper: Account, approver: Account, ga: Account) -> Order:
    """Two products, ten each at 10.00, 或签 of `approver` and `ga`, on a budget of 1,000.00."""
    steps = [StepSpec(approver_kind=ApproverKind.ACCOUNTS, accounts=(approver, ga))]
    create_rule(group_id=shopper.group_id or 0, name="采购审批", conditions=[], steps=steps)
    make_budget(shopper, "1000.00")
    return place_order(shopper, (ProductFactory(stock=100), 10), (ProductFactory(stock=100), 10))


def amend(actor: Account, order: Order, place: int, quantity: int, version: int | None = 1) -> int:
    """Lower the quantity of a line. Return the new version."""
    line = OrderLine.objects.filter(order=order).order_by("no")[place]
    approval = Approval.objects.get(subject_id=order.pk)
    return approval_amend(
        actor=actor,
        approval_id=approval.pk,
        quantities={line.pk: quantity},
        reason="减少",
        version=version,
    ).version


def get_held(order: Order) -> tuple[str, Decimal, Decimal, int]:
    """Return the order's state and total, the amount reserved by its budget, and the reserved
    pieces.
    """
    now = Order.objects.get(pk=order.pk)
    return (
        now.status,
        now.total_amount,
        Budget.objects.get().reserved,
        sum(Product.objects.values_list("reserved", flat=True)),
    )


@pytest.mark.parametrize("turn", TURNS)
def test_amendment_and_approval_of_the_same_version_exclude_each_other(
    order: Order, approver: Account, ga: Account, turn: int
) -> None:
    pk = Approval.objects.get(subject_id=order.pk).pk
    works = [
        lambda: amend(approver, order, 0, 4),
        lambda: approval_approve(actor=ga, approval_id=pk, version=1).pk,
    ]
    order_of_start = random.Random(turn).sample((0, 1), 2)

    shuffled = run_race([works[place] for place in order_of_start], processes=2)

    amended, approved = (shuffled[order_of_start.index(place)] for place in (0, 1))
    assert amended.ok != approved.ok
    if amended.ok:
        assert (approved.code, get_held(order)) == (
            "stale",
            ("pending_approval", Decimal("140.00"), Decimal("140.00"), 14),
        )
    else:
        assert (amended.code, get_held(order)) == (
            "wrong_state",
            ("pending_confirm", Decimal("200.00"), Decimal("200.00"), 20),
        )
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_concurrent_amendment_and_withdrawal_leave_nothing_reserved(
    order: Order, approver: Account, shopper: Account, turn: int
) -> None:
    works = [
        lambda: amend(approver, order, 0, 4),
        lambda: order_withdraw(actor=shopper, order_no=order.order_no).pk,
    ]
    random.Random(turn).shuffle(works)

    outcomes = run_race(works, processes=2)

    status, total, reserved, pieces = get_held(order)
    assert (status, reserved, pieces) == ("withdrawn", Decimal("0.00"), 0)
    # A withdrawal after the amendment is two acts one after the other; before it, it leaves
    # nothing to amend.
    assert total == (
        Decimal("140.00") if all(outcome.ok for outcome in outcomes) else Decimal("200.00")
    )
    assert {outcome.code for outcome in outcomes if not outcome.ok} <= {"wrong_state"}
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_one_of_two_amendments_of_the_same_version_wins(
    order: Order, approver: Account, ga: Account, turn: int
) -> None:
    works = [lambda: amend(approver, order, 0, 4), lambda: amend(ga, order, 1, 0)]
    random.Random(turn).shuffle(works)

    outcomes = run_race(works, processes=2)

    assert sorted(outcome.code for outcome in outcomes) == ["", "stale"]
    assert get_held(order) in (
        ("pending_approval", Decimal("140.00"), Decimal("140.00"), 14),
        ("pending_approval", Decimal("100.00"), Decimal("100.00"), 10),
    )
    assert (
        ApprovalAmendment.objects.count(),
        Approval.objects.get(subject_id=order.pk).version,
    ) == (1, 2)
    assert_books_balance()


def test_ten_at_once_step_down_one_by_one_without_losing_a_cent(
    order: Order, approver: Account, ga: Account
) -> None:
    works = [
        lambda who=who, quantity=quantity: amend(who, order, 0, quantity, None)
        for quantity in range(1, 10)
        for who in (approver, ga)
    ]
    random.Random(7).shuffle(works)

    outcomes = run_race(works, processes=10)

    assert {outcome.code for outcome in outcomes} <= {"", "validation"}
    assert get_held(order) == ("pending_approval", Decimal("110.00"), Decimal("110.00"), 11)
    assert ApprovalAmendment.objects.count() == sum(outcome.ok for outcome in outcomes)
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_a_limit_is_judged_by_the_figures_of_the_last_amendment(
    shopper: Account, approver: Account, ga: Account, turn: int
) -> None:
    """The head's step for the limit is dropped once, by whichever amendment reaches the limit."""
    PurchaseLimit.objects.create(
        group_id=shopper.group_id,
        account=shopper,
        period=LimitPeriod.MONTH,
        amount=Decimal("150.00"),
        action=LimitAction.APPROVE,
    )
    steps = [StepSpec(approver_kind=ApproverKind.ACCOUNTS, accounts=(approver, ga))]
    create_rule(group_id=shopper.group_id or 0, name="采购审批", conditions=[], steps=steps)
    order = place_order(shopper, (ProductFactory(stock=100), 10), (ProductFactory(stock=100), 10))
    lowest = 4 if turn % 2 else 6
    works = [
        partial(amend, who, order, 0, quantity, None)
        for quantity in range(lowest, 10)
        for who in (approver, ga)
    ]
    random.Random(turn).shuffle(works)

    run_race(works, processes=10)

    step = ApprovalStep.objects.get(rule_name="超出采购限额需审批")
    reasons = Approval.objects.get(subject_id=order.pk).reasons
    drops = list_events(order).filter(kind="approval.skipped").count()
    if lowest == 4:
        assert (reasons, step.status, drops) == (["所有订单均需审批（采购审批）"], "skipped", 1)
    else:
        assert (reasons[1:], step.status, drops) == (
            ["超出每月采购限额 ¥150.00（当月已下单 ¥0.00，本单 ¥160.00）"],
            "waiting",
            0,
        )
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_two_amendments_of_one_split_submit_do_not_both_leave_the_tier(
    shopper: Account, approver: Account, ga: Account, turn: int
) -> None:
    """Six and six pieces at the price from ten on: either order may lose two pieces, not both."""
    steps = [StepSpec(approver_kind=ApproverKind.ACCOUNTS, accounts=(approver, ga))]
    create_rule(group_id=shopper.group_id or 0, name="采购审批", conditions=[], steps=steps)
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(shopper.group, agreement)
    pens = ProductFactory(stock=100)
    PriceListItemFactory(
        price_list=agreement.price_list,
        product=pens,
        price=Decimal("10.00"),
        tier1_quantity=10,
        tier1_price=Decimal("9.00"),
    )
    places = [AddressFactory(enterprise=shopper.enterprise).pk for _ in range(2)]
    (item,) = fill_cart(shopper, (pens, 12))
    form = CheckoutForm(
        lines=(SeenLine(item.pk),),
        deliveries=tuple(DeliveryForm(place, {item.pk: 6}) for place in places),
    )
    orders = orders_submit(actor=shopper, form=form)
    works = [
        partial(amend, who, order, 0, 4) for who, order in zip((approver, ga), orders, strict=True)
    ]
    random.Random(turn).shuffle(works)

    outcomes = run_race(works, processes=2)

    assert sorted(outcome.code for outcome in outcomes) == ["", "validation"]
    assert sorted(OrderLine.objects.values_list("quantity", flat=True)) == [4, 6]
    assert_books_balance()
