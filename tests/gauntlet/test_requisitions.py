"""Several buyers gather the same requisition in parallel, with real processes: each piece is
gathered and ordered once.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from apps.cart.models import CartItem
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import OrderLine
from apps.orders.selectors.checkout import CheckoutForm
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.order_submit import order_submit
from apps.orders.tests.factories import fill_cart
from apps.org.models import Account, Role
from apps.org.tests.factories import AccountFactory
from apps.requisitions.models import Requisition, RequisitionLine, RequisitionTake
from apps.requisitions.services.requisition_order import requisition_gather
from apps.requisitions.services.requisitions import requisition_submit, requisition_withdraw
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def requisition(shopper: Account) -> Requisition:
    """A requisition of four products, 5 pieces each, by a colleague without any code."""
    requester = AccountFactory(department=shopper.department, roles=[])
    fill_cart(requester, *[(ProductFactory(stock=1000), 5) for _ in range(4)])
    return requisition_submit(actor=requester)


def list_buyers(shopper: Account, count: int) -> list[Account]:
    """Return buyers who see their enterprise's orders."""
    roles = list(Role.objects.filter(accounts=shopper))
    Role.objects.update(data_scope="enterprise")
    return [AccountFactory(department=shopper.department, roles=roles) for _ in range(count)]


def gather(actor: Account, lines: list[int]) -> int:
    """Gather all lines. Return the number gathered."""
    return requisition_gather(actor=actor, quantities=dict.fromkeys(lines, 5))[0]


def submit(actor: Account) -> str:
    """Order the whole cart."""
    return order_submit(actor=actor, form=CheckoutForm()).order_no


def test_a_line_is_gathered_by_one_of_twenty(shopper: Account, requisition: Requisition) -> None:
    lines = list(requisition.lines.values_list("pk", flat=True))
    outcomes = run_race([partial(gather, buyer, lines) for buyer in list_buyers(shopper, 20)])
    assert [outcome.fault for outcome in outcomes if outcome.fault] == []
    assert sum(outcome.value for outcome in outcomes) == 4
    assert CartItem.objects.count() == 4


def test_a_line_in_two_carts_is_ordered_once(shopper: Account, requisition: Requisition) -> None:
    """The line is put into two carts directly; the order itself must check the remaining
    quantity.
    """
    people = list_buyers(shopper, 10)
    for buyer in people:
        for line in requisition.lines.all():
            item = fill_cart(buyer, (line.product, 5))[-1]
            RequisitionLine.objects.filter(pk=line.pk).update(
                gathered_by=buyer, cart_item=item, gathered_quantity=5
            )
    last = people[-1]

    outcomes = run_race([partial(submit, last)] * 10, processes=10)

    assert Counter(outcome.ok for outcome in outcomes) == {True: 1, False: 9}
    assert list(RequisitionLine.objects.values_list("ordered_quantity", flat=True)) == [5] * 4
    assert OrderLine.objects.filter(requisition_no=requisition.requisition_no).count() == 4


def test_ordering_and_withdrawing_at_once_has_one_winner(
    shopper: Account, requisition: Requisition
) -> None:
    buyer = list_buyers(shopper, 1)[0]
    gather(buyer, list(requisition.lines.values_list("pk", flat=True)))
    away = partial(
        requisition_withdraw, actor=requisition.requester, requisition_no=requisition.requisition_no
    )

    outcomes = run_race([partial(submit, buyer), away], processes=2)

    assert [outcome.fault for outcome in outcomes if outcome.fault] == []
    assert Counter(outcome.ok for outcome in outcomes) == {True: 1, False: 1}
    after = Requisition.objects.get(pk=requisition.pk)
    assert (after.status, RequisitionTake.objects.count()) in [("ordered", 4), ("withdrawn", 0)]
    assert_books_balance()


def test_concurrent_order_endings_release_requisition_lines_once(
    shopper: Account, requisition: Requisition
) -> None:
    people = list_buyers(shopper, 4)
    for buyer, line in zip(people, requisition.lines.order_by("pk"), strict=True):
        gather(buyer, [line.pk])
    first = [submit(buyer) for buyer in people[:2]]
    ends = [
        partial(order_cancel, actor=buyer, order_no=no, reason="不要了")
        for buyer, no in zip(people, first, strict=False)
    ]

    outcomes = run_race([*ends, *[partial(submit, buyer) for buyer in people[2:]]], processes=4)

    assert [outcome.fault for outcome in outcomes if outcome.fault] == []
    assert list(
        RequisitionLine.objects.order_by("pk").values_list("ordered_quantity", flat=True)
    ) == [0, 0, 5, 5]
    assert Requisition.objects.get(pk=requisition.pk).status == "partly"
    assert_books_balance()
