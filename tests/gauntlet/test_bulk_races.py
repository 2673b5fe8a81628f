"""A bulk decision in one transaction beside single acts on its orders, with real processes: no
deadlock.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest
from django.db import transaction

from apps.approvals.enums import ApproverKind, TaskStatus
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.account_disable import account_disable
from apps.approvals.services.approval_decide import (
    approval_transfer,
    approvals_bulk_approve,
    approvals_bulk_reject,
)
from apps.approvals.tests.factories import create_rule
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import DomainError
from apps.orders.models import Order
from apps.orders.services.cancellations import order_withdraw
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account, Role
from apps.org.tests.factories import AccountFactory
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import LONG, run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
TURNS = range(20 if LONG else 5)
BULKS: dict[str, Callable[..., object]] = {
    "reject": partial(approvals_bulk_reject, reason="预算不足"),
    "approve": approvals_bulk_approve,
}


def asks(shopper: Account, *people: Account) -> None:
    """Require approval by any of these people for all orders."""
    steps = [StepSpec(approver_kind=ApproverKind.ACCOUNTS, accounts=people)]
    create_rule(group_id=shopper.group_id or 0, name="采购审批", conditions=[], steps=steps)


def list_keys(orders: list[Order]) -> list[int]:
    return list(
        Approval.objects.filter(subject_id__in=[order.pk for order in orders]).values_list(
            "pk", flat=True
        )
    )


def colleague(account: Account) -> Account:
    """Return a colleague of the same department with the same rights."""
    return AccountFactory(
        department=account.department, roles=list(Role.objects.filter(accounts=account))
    )


def in_one(bulk: Callable[..., object], actor: Account, keys: list[int]) -> str:
    with transaction.atomic():
        bulk(actor=actor, approval_ids=keys)
    return "bulk"


def withdraw_orders(shopper: Account, orders: list[Order]) -> int:
    """Withdraw the orders, last first. Return how many the bulk had not decided."""
    number = 0
    for order in reversed(orders):
        try:
            order_withdraw(actor=shopper, order_no=order.order_no)
        except DomainError:
            continue
        number += 1
    return number


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("decision", BULKS)
def test_bulk_decision_and_withdrawals_do_not_deadlock(
    shopper: Account, approver: Account, decision: str, turn: int
) -> None:
    asks(shopper, approver)
    make_budget(shopper, "100000.00")
    product = ProductFactory(stock=1000)
    orders = [place_order(shopper, (product, 2)) for _ in range(8)]
    works = [
        lambda: in_one(BULKS[decision], approver, list_keys(orders)),
        lambda: withdraw_orders(shopper, orders),
    ]
    random.Random(turn).shuffle(works)

    outcomes = run_race(works, processes=2)

    assert all(outcome.ok for outcome in outcomes)
    assert not Order.objects.filter(status="pending_approval").exists()
    assert_books_balance()


def test_two_bulks_on_the_same_budgets_and_stock_do_not_deadlock(
    shopper: Account, approver: Account
) -> None:
    asks(shopper, approver)
    wishes = [
        (ProductFactory(stock=1000), make_budget(shopper, "1000.00", name=name))
        for name in ("一", "二")
    ]
    bulks = [
        [
            place_order(shopper, (product, 1), budget_id=budget.pk)
            for _ in range(5)
            for product, budget in row
        ]
        for row in (wishes, wishes[::-1])
    ]

    outcomes = run_race(
        [partial(in_one, BULKS["reject"], approver, list_keys(orders)) for orders in bulks],
        processes=2,
    )

    assert all(outcome.ok for outcome in outcomes)
    assert set(Order.objects.values_list("status", flat=True)) == {"rejected"}
    assert_books_balance()


def waiting_for_nobody() -> int:
    """Return the number of tasks that wait for a disabled account."""
    return ApprovalTask.objects.filter(status=TaskStatus.PENDING, approver__is_active=False).count()


@pytest.mark.parametrize("turn", TURNS)
def test_concurrent_disabling_of_an_approver_and_his_successor_leaves_no_orphan_task(
    shopper: Account, approver: Account, ga: Account, turn: int
) -> None:
    asks(shopper, approver)
    for _ in range(3):
        place_order(shopper, (ProductFactory(), 2))
    heir = colleague(approver)
    works = [
        lambda: account_disable(actor=ga, pk=approver.pk, successor_id=heir.pk).approvals,
        lambda: account_disable(actor=ga, pk=heir.pk, successor_id=ga.pk).approvals,
    ]
    random.Random(turn).shuffle(works)

    outcomes = run_race(works, processes=2)

    assert [outcome.code for outcome in outcomes if not outcome.ok] in ([], ["validation"])
    assert waiting_for_nobody() == 0


@pytest.mark.parametrize("turn", TURNS)
def test_transfer_to_an_account_disabled_meanwhile_is_refused(
    shopper: Account, approver: Account, ga: Account, turn: int
) -> None:
    asks(shopper, approver)
    key = list_keys([place_order(shopper, (ProductFactory(), 2))])[0]
    to = colleague(approver)
    works = [
        lambda: approval_transfer(actor=approver, approval_id=key, to=to, reason="休假").pk,
        lambda: account_disable(actor=ga, pk=to.pk, successor_id=None).approvals,
    ]
    random.Random(turn).shuffle(works)

    outcomes = run_race(works, processes=2)

    # Either he has it, and leaves not without a successor; or he has left, and gets none.
    assert sorted(outcome.code for outcome in outcomes) == ["", "validation"]
    assert waiting_for_nobody() == 0
