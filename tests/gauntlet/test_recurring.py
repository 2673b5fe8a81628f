"""Recurring orders with several workers and crashes, with real processes: each due date becomes
exactly one order.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import platform_scope
from apps.orders.models import Order
from apps.org.models import Account
from apps.recurring.models import RecurringOrder, RecurringRun
from apps.recurring.services.recurring_decide import recurring_order_pause, recurring_order_skip
from apps.recurring.services.recurring_run import recurring_orders_run
from apps.recurring.tests.factories import create_recurring_order
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import LONG, Victim, run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


def run_worker(day: date) -> int:
    """Run the job as a worker does, in the platform scope."""
    with platform_scope(reason="gauntlet"):
        return recurring_orders_run(today=day)


def get_orders(row: RecurringOrder) -> int:
    return Order.objects.filter(remark__contains=row.recurring_no).count()


def test_ten_workers_place_one_order_for_each_due_date(shopper: Account) -> None:
    product = ProductFactory(stock=1000)
    rows = [
        create_recurring_order(shopper, (product, 1), rhythm="working_days", number=1)
        for _ in range(5)
    ]
    day = rows[0].next_due

    outcomes = run_race([partial(run_worker, day)] * 10, processes=10)

    assert sum(outcome.value for outcome in outcomes) == 5
    assert [get_orders(row) for row in rows] == [1] * 5
    assert RecurringRun.objects.filter(outcome="ordered").count() == 5
    assert_books_balance()


def test_killed_recurring_worker_leaves_one_order_per_row(shopper: Account) -> None:
    product = ProductFactory(stock=1000)
    rows = [
        create_recurring_order(shopper, (product, 1), rhythm="working_days", number=1)
        for _ in range(40 if LONG else 20)
    ]
    day = rows[0].next_due

    for turn in range(4):
        Victim(partial(run_worker, day)).kill(after=0.15 + 0.1 * turn)
    run_worker(day)

    assert [get_orders(row) for row in rows] == [1] * len(rows)
    assert_books_balance()


@pytest.mark.parametrize("turn", range(10 if LONG else 3))
def test_concurrent_skip_or_pause_never_duplicates_a_recurring_order(
    shopper: Account, turn: int
) -> None:
    row = create_recurring_order(shopper, rhythm="working_days", number=1)
    act: Callable[..., RecurringOrder] = (recurring_order_skip, recurring_order_pause)[turn % 2]
    works = [
        partial(run_worker, row.next_due),
        lambda: act(actor=shopper, recurring_no=row.recurring_no).pk,
        partial(run_worker, row.next_due),
    ]

    run_race(works, processes=3)

    settled = RecurringRun.objects.filter(recurring_order=row, due_on=row.next_due)
    outcomes = list(settled.values_list("outcome", flat=True))
    assert get_orders(row) == outcomes.count("ordered") <= 1
