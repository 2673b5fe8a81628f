"""Customer and warehouse act on the same pieces at the same moment: one wins, and the books are
consistent.
"""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from apps.aftersales.models import CancelOrder
from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.aftersales.services.cancel_decide import cancel_grant, cancel_refuse, cancel_withdraw
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order, OrderLine
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import LONG, run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
TURNS = range(20 if LONG else 5)


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """Ten pieces at 10.00 on a budget, 待发货."""
    make_budget(shopper, "1000.00")
    placed = place_order(shopper, (ProductFactory(stock=100), 10))
    return order_confirm(actor=staff, order_id=placed.pk)


def ask(actor: Account, order: Order, pieces: int | None = None) -> int:
    line = OrderLine.objects.get(order=order)
    wanted = None if pieces is None else {line.pk: pieces}
    return cancel_apply(actor=actor, form=CancelForm(order.order_no, "unwanted", "", wanted)).pk


def ship(staff: Account, order: Order, pieces: int) -> int:
    line = OrderLine.objects.get(order=order)
    return order_ship(
        actor=staff,
        order_id=order.pk,
        carrier="示例快递",
        tracking_no="SF1",
        quantities={line.pk: pieces},
    ).pk


def get_counts() -> tuple[int, int, int, int]:
    row = OrderLine.objects.get()
    return row.quantity, row.cancelled_quantity, row.cancelling_quantity, row.shipped_quantity


@pytest.mark.parametrize("turn", TURNS)
def test_cancellation_request_or_shipment_of_the_same_pieces_wins(
    order: Order, shopper: Account, staff: Account, turn: int
) -> None:
    works = [lambda: ask(shopper, order, 8), lambda: ship(staff, order, 7)]
    places = random.Random(turn).sample((0, 1), 2)

    outcomes = run_race([works[place] for place in places], processes=2)

    query, shipped = (outcomes[places.index(place)] for place in (0, 1))
    assert query.ok != shipped.ok
    assert get_counts() == ((10, 0, 8, 0) if query.ok else (10, 0, 0, 7))
    assert (shipped if query.ok else query).code == "quantity_exceeded"
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_one_of_grant_refusal_and_withdrawal_wins(
    order: Order, shopper: Account, staff: Account, turn: int
) -> None:
    pk = ask(shopper, order, 4)
    works = [
        lambda: cancel_grant(actor=staff, cancel_id=pk).status,
        lambda: cancel_refuse(actor=staff, cancel_id=pk, reason="已打包").status,
        lambda: cancel_withdraw(actor=shopper, cancel_id=pk).status,
    ]
    random.Random(turn).shuffle(works)

    outcomes = run_race(works, processes=3)

    assert sorted(outcome.code for outcome in outcomes) == ["", "wrong_state", "wrong_state"]
    status = CancelOrder.objects.get().status
    assert status == next(outcome.value for outcome in outcomes if outcome.ok)
    assert (get_counts(), Order.objects.get().total_amount) == (
        ((6, 4, 0, 0), Decimal("60.00")) if status == "done" else ((10, 0, 0, 0), Decimal("100.00"))
    )
    assert_books_balance()


def test_ten_concurrent_cancellation_requests_leave_one(order: Order, shopper: Account) -> None:
    outcomes = run_race([lambda: ask(shopper, order, 3)] * 10, processes=10)

    assert sorted(outcome.code for outcome in outcomes) == [""] + ["wrong_state"] * 9
    assert (get_counts(), CancelOrder.objects.count()) == ((10, 0, 3, 0), 1)
    assert_books_balance()


def test_ten_concurrent_cancellations_never_cancel_a_piece_twice(shopper: Account) -> None:
    make_budget(shopper, "1000.00")
    order = place_order(shopper, (ProductFactory(stock=100), 10))

    outcomes = run_race([lambda: ask(shopper, order, 3)] * 10, processes=10)

    assert sum(outcome.ok for outcome in outcomes) == 3
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"quantity_exceeded"}
    assert (get_counts(), Order.objects.get().total_amount) == ((1, 9, 0, 0), Decimal("10.00"))
    assert_books_balance()
