"""Staff edit an order at the same moment as others edit, ship or release it. One wins, and the
books are consistent.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from decimal import Decimal
from functools import partial

import pytest

from apps.aftersales.models import CancelOrder
from apps.aftersales.selectors.order_edit import OrderEditForm
from apps.aftersales.services.controlled_acts import (
    EDIT_ORDER,
    build_order_edit_parameters,
    order_edit,
)
from apps.aftersales.tests.editing import build_edit_form
from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import platform_scope
from apps.dual_control.models import ActLimit, Proposal
from apps.dual_control.services.proposals import act_submit, proposal_release
from apps.orders.models import Order, OrderLine
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account
from apps.org.tests.office import create_staff
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


def edit_order(staff: Account, order: Order, form: OrderEditForm) -> None:
    order_edit(actor=staff, order_id=order.pk, form=form)


def ship(staff: Account, order: Order) -> None:
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")


def get_quantities() -> tuple[int, int, int]:
    line = OrderLine.objects.get()
    return line.quantity, line.cancelled_quantity, line.shipped_quantity


def test_one_of_ten_concurrent_order_edits_wins(order: Order, staff: Account) -> None:
    forms = [build_edit_form(order, quantity) for quantity in range(10)]
    forms[0] = build_edit_form(order, 9)

    outcomes = run_race([partial(edit_order, staff, order, form) for form in forms], processes=10)

    assert sorted(outcome.code for outcome in outcomes) == [""] + ["stale"] * 9
    winner = forms[next(place for place, outcome in enumerate(outcomes) if outcome.ok)]
    (left,) = winner.quantities.values()
    assert get_quantities() == (left, 10 - left, 0)
    assert (CancelOrder.objects.count(), Order.objects.get().total_amount) == (
        1,
        Decimal(left * 10),
    )
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_order_edit_precedes_a_full_shipment_or_is_refused(
    order: Order, staff: Account, turn: int
) -> None:
    works = [
        partial(edit_order, staff, order, build_edit_form(order, 4)),
        partial(ship, staff, order),
    ]
    places = random.Random(turn).sample((0, 1), 2)

    outcomes = run_race([works[place] for place in places], processes=2)

    edited, shipped = (outcomes[places.index(place)] for place in (0, 1))
    assert shipped.ok
    assert edited.code == ("" if edited.ok else "wrong_state")
    # If the edit is first, the shipment sends what is left.
    assert get_quantities() == ((4, 6, 4) if edited.ok else (10, 0, 10))
    assert_books_balance()


def release(person: Account, key: int) -> None:
    with platform_scope(reason="test"):
        proposal_release(actor=person, proposal_id=key)


def test_an_edit_is_released_once_and_never_beside_a_shipment(order: Order, staff: Account) -> None:
    parameters = build_order_edit_parameters(order_id=order.pk, form=build_edit_form(order, 4))
    with platform_scope(reason="test"):
        ActLimit.objects.update_or_create(
            kind=EDIT_ORDER, job="客服", defaults={"alone": Decimal(0), "release": None}
        )
        proposer, *people = [create_staff("客服") for _ in range(9)]
        proposal = act_submit(actor=proposer, kind=EDIT_ORDER, parameters=parameters).proposal
    assert proposal is not None
    works: list[Callable[[], None]] = [partial(release, each, proposal.pk) for each in people]
    works.append(partial(ship, staff, order))

    outcomes = run_race(works, processes=9)

    *releases, shipped = outcomes
    assert shipped.ok
    done = sum(outcome.ok for outcome in releases)
    with platform_scope(reason="test"):
        assert Proposal.objects.get().state == ("released" if done else "proposed")
    assert done <= 1
    assert get_quantities() == ((4, 6, 4) if done else (10, 0, 10))
    assert_books_balance()
