"""One sheet of shipments uploaded by two members of staff in parallel, and beside a
cancellation: each order is shipped once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

import pytest

from apps.aftersales.models import CancelOrder
from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.catalog.errors import ImportRefused
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import platform_scope
from apps.orders.models import Order, OrderLine, Shipment
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.shipping_sheet import shipping_sheet_apply
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.factories import StaffFactory
from tests.gauntlet.books import assert_books_balance
from tests.gauntlet.race import LONG, run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
TURNS = range(20 if LONG else 4)
HEADER = ["订单号", "行号", "本次发货数量", "承运商", "运单号"]
Row = tuple[str, int, int, str, str]


class Sheet:
    """A sheet in memory."""

    def __init__(self, rows: list[Row]) -> None:
        self._rows = rows

    def iterate_rows(self) -> Iterator[list[str]]:
        yield HEADER
        for row in self._rows:
            yield [str(cell) for cell in row]


@pytest.fixture
def orders(shopper: Account, staff: Account) -> list[str]:
    """The numbers of four orders of ten pieces of one product, all 待发货."""
    product = ProductFactory(stock=100)
    placed = [place_order(shopper, (product, 10)) for _ in range(4)]
    return [order_confirm(actor=staff, order_id=order.pk).order_no for order in placed]


@pytest.fixture
def colleague() -> Account:
    """A second member of staff."""
    with platform_scope(reason="test"):
        return StaffFactory()


def upload(actor: Account, rows: list[Row]) -> tuple[str, list[str]]:
    """Upload the sheet. Return its result, or its errors cell by cell."""
    try:
        return shipping_sheet_apply(actor=actor, source=Sheet(rows)).summary, []
    except ImportRefused as refused:
        return "", [f"{error.column}：{error.message}" for error in refused.report.errors]


def list_parcels() -> list[tuple[str, str, int]]:
    """Return each shipment's order, tracking number and pieces."""
    shipments = Shipment.objects.order_by("order__order_no", "pk").values_list(
        "order__order_no", "tracking_no", "lines__quantity"
    )
    return [(str(order_no), str(number), int(pieces)) for order_no, number, pieces in shipments]


def get_stock() -> tuple[int, int]:
    """Return the stock on hand and the reserved part."""
    row = Product.objects.values_list("stock", "reserved").get()
    return int(row[0]), int(row[1])


@pytest.mark.parametrize("turn", TURNS)
def test_one_of_two_concurrent_shipping_sheets_ships_and_the_other_reports_the_state(
    orders: list[str], staff: Account, colleague: Account, turn: int
) -> None:
    """The sheets have different tracking numbers and a different order of rows. No deadlock
    occurs.
    """
    mixed = random.Random(turn).sample(orders, 4)
    first = [(no, 1, 10, "示例速运", f"A{no}") for no in orders]
    second = [(no, 1, 10, "示例速运", f"B{no}") for no in mixed]

    outcomes = run_race(
        [partial(upload, staff, first), partial(upload, colleague, second)], processes=2
    )

    done = [outcome.value for outcome in outcomes]
    assert sorted(summary for summary, _ in done) == ["", "4 张订单，4 张发货单，4 行共 40 件"]
    assert [why for summary, why in done if not summary] == [["订单号：订单待收货，不能发货"] * 4]
    letter = "A" if done[0][0] else "B"
    assert list_parcels() == [(no, f"{letter}{no}", 10) for no in sorted(orders)]
    assert get_stock() == (60, 0)
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_the_same_file_of_half_shipments_uploaded_twice_ships_its_half_once(
    orders: list[str], staff: Account, colleague: Account, turn: int
) -> None:
    """The remaining half would be enough for the second upload; the tracking number shows that
    it is the same shipment.
    """
    rows = random.Random(turn).sample([(no, 1, 4, "示例速运", f"A{no}") for no in orders], 4)

    outcomes = run_race(
        [partial(upload, staff, rows), partial(upload, colleague, rows)], processes=2
    )

    done = [outcome.value for outcome in outcomes]
    assert sorted(summary for summary, _ in done) == ["", "4 张订单，4 张发货单，4 行共 16 件"]
    [texts] = [why for summary, why in done if not summary]
    assert texts == [
        f"运单号：该行已用此运单号发过货（发货单 {row[0]}-1），请勿重复上传" for row in rows
    ]
    assert list_parcels() == [(no, f"A{no}", 4) for no in sorted(orders)]
    assert get_stock() == (84, 24)


@pytest.mark.parametrize("turn", TURNS)
def test_shipping_sheet_and_customer_cancellation_exclude_each_other(
    orders: list[str], shopper: Account, staff: Account, turn: int
) -> None:
    rows = [(no, 1, 10, "示例速运", f"A{no}") for no in orders]
    wanted = CancelForm(orders[2], "unwanted")

    sheet, cancel = run_race(
        [partial(upload, staff, rows), lambda: cancel_apply(actor=shopper, form=wanted).pk],
        processes=2,
    )

    summary, why = sheet.value
    assert bool(summary) != cancel.ok
    if summary:
        assert (cancel.code, CancelOrder.objects.count()) == ("wrong_state", 0)
        assert list_parcels() == [(no, f"A{no}", 10) for no in sorted(orders)]
    else:
        assert why == ["本次发货数量：最多还可发 0（另有 10 件客户申请取消，待处理），请修改"]
        assert list_parcels() == []
        assert set(Order.objects.values_list("status", flat=True)) == {"pending_shipment"}
    assert OrderLine.objects.filter(cancelling_quantity__gt=0).count() == int(cancel.ok)
    assert_books_balance()


@pytest.mark.parametrize("turn", TURNS)
def test_two_shipping_sheets_and_a_cancellation_move_no_piece_twice(
    orders: list[str], shopper: Account, staff: Account, colleague: Account, turn: int
) -> None:
    """The customer cancels four of ten; the sheets ship six and five. Shipped plus held pieces
    never exceed ten.
    """
    line = OrderLine.objects.get(order__order_no=orders[0])
    works = [
        partial(upload, staff, [(orders[0], 1, 6, "示例速运", "A1")]),
        partial(upload, colleague, [(orders[0], 1, 5, "示例速运", "B1")]),
        lambda: (
            cancel_apply(actor=shopper, form=CancelForm(orders[0], "unwanted", "", {line.pk: 4})).pk
        ),
    ]
    places = random.Random(turn).sample(range(3), 3)

    outcomes = run_race([works[place] for place in places], processes=3)

    six, five, cancel = (outcomes[places.index(place)] for place in range(3))
    line.refresh_from_db()
    assert line.shipped_quantity == 6 * bool(six.value[0]) + 5 * bool(five.value[0])
    assert line.cancelling_quantity == 4 * int(cancel.ok)
    assert line.shipped_quantity + line.cancelling_quantity in {9, 10}, (
        "one piece more would have been too many"
    )
    assert_books_balance()
