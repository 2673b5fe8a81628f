"""Parallel applications for returns and parallel acts on one return, with real processes."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_apply import return_apply
from apps.aftersales.services.return_close import return_confirm, return_withdraw
from apps.aftersales.services.return_refund import return_refund
from apps.aftersales.services.return_review import return_approve
from apps.aftersales.tests.stories import (
    SEND_TO,
    build_return_form,
    create_story,
    get_line,
    received_order,
)
from apps.budgets.models import BudgetEntry
from apps.orders.models import Order
from apps.orders.tests.factories import make_budget
from apps.org.models import Account
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """Ten pieces on a budget, received."""
    make_budget(shopper, "1000.00")
    return received_order(shopper, staff)


def test_twenty_returns_of_a_piece_at_once_are_ten(shopper: Account, order: Order) -> None:
    outcomes = run_race(
        [partial(return_apply, actor=shopper, form=build_return_form(order, 1)) for _ in range(20)]
    )
    counted = Counter(outcome.code for outcome in outcomes)
    assert counted[""] == 10
    assert sum(counted.values()) == 20
    line = get_line(order)
    assert (line.returning_quantity, ReturnOrder.objects.count()) == (10, 10)


def test_a_return_approved_and_withdrawn_at_once_gives_its_pieces_back_once(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 4)
    number = story.now.return_no
    approves = [partial(return_approve, actor=staff, return_id=story.pk, send_to=SEND_TO)] * 5
    run_race(
        [
            *approves,
            *[partial(return_withdraw, actor=shopper, return_no=number, reason="不退了")] * 5,
        ]
    )
    assert (story.now.status, get_line(order).returning_quantity) == ("withdrawn", 0)


def test_a_refund_pressed_ten_times_refunds_once(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 3)
    story.to("processing")
    outcomes = run_race([partial(return_refund, actor=staff, return_id=story.pk)] * 10)
    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 9}
    assert (
        get_line(order).returned_quantity,
        BudgetEntry.objects.filter(kind="refund").count(),
    ) == (3, 1)
    outcomes = run_race([partial(return_confirm, actor=shopper, return_no=story.now.return_no)] * 5)
    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 4}
