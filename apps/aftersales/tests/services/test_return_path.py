"""Tests of a return from application to completion, and of the data that each step changes."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_close import return_confirm
from apps.aftersales.tests.stories import create_story, get_line, received_order
from apps.budgets.models import Budget
from apps.catalog.models import Product
from apps.common.models import Event
from apps.orders.models import Order
from apps.orders.tests.factories import make_budget
from apps.org.models import Account


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """A received order of ten pieces at 10.00 元 on a budget."""
    make_budget(shopper, "1000.00")
    return received_order(shopper, staff)


def get_counts(order: Order) -> tuple[int, int]:
    line = get_line(order)
    return line.returning_quantity, line.returned_quantity


def get_axis(order: Order) -> str:
    return str(Order.objects.get(pk=order.pk).after_sales_status)


def test_return_passes_every_state_to_completion(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 3)
    stock = Product.objects.get().stock
    assert (story.now.status, get_counts(order), get_axis(order)) == (
        "pending_review",
        (3, 0),
        "open",
    )

    story.to("pending_confirm")
    assert get_counts(order) == (0, 3)
    assert (story.now.refund_amount, Product.objects.get().stock) == (Decimal("30.00"), stock + 3)
    assert Budget.objects.get().consumed == Decimal("70.00")

    return_confirm(actor=shopper, return_no=story.now.return_no)
    assert (story.now.status, get_axis(order)) == ("completed", "done")
    kinds = list(
        Event.objects.filter(subject_type="aftersales.returnorder")
        .order_by("pk")
        .values_list("kind", flat=True)
    )
    assert kinds == [
        "applied",
        "approved",
        "sent",
        "received",
        "inspected",
        "refunded",
        "completed",
    ]


def test_an_exchange_leaves_the_customer_as_many_as_before(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 2, kind="exchange")
    stock = Product.objects.get().stock
    story.to("pending_confirm")
    assert (get_counts(order), Product.objects.get().stock) == ((2, 0), stock)
    return_confirm(actor=shopper, return_no=story.now.return_no)
    assert (get_counts(order), story.now.refund_amount) == ((0, 0), Decimal("0.00"))
    assert [parcel.direction for parcel in ReturnOrder.objects.get().parcels.all()] == [
        "back",
        "out",
    ]


def test_a_repair_moves_no_stock(shopper: Account, staff: Account, order: Order) -> None:
    story = create_story(shopper, staff, order, 1, kind="repair")
    story.to("processing")
    stock = Product.objects.get().stock
    story.settle()
    assert Product.objects.get().stock == stock


def test_exchange_parcel_event_names_replaced_and_refused_pieces(
    shopper: Account, staff: Account, order: Order
) -> None:
    story = create_story(shopper, staff, order, 3, kind="exchange")
    story.to("inspecting")
    story.inspect(2)
    story.settle()
    assert (
        Event.objects.get(kind="replaced").note
        == "示例快递 SF901，换新 2 件，随包裹退还未通过的 1 件"
    )
