"""A receipt with missing or broken pieces opens a return at once."""

from __future__ import annotations

import pytest

from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_refund import return_refund
from apps.aftersales.services.return_review import return_approve
from apps.aftersales.tests.stories import get_line
from apps.catalog.tests.factories import ProductFactory
from apps.orders.claims import Claim
from apps.orders.models import Order
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import place_order
from apps.org.models import Account


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """A shipped order of ten pieces."""
    order = place_order(shopper, (ProductFactory(stock=100), 10))
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF0001")
    return order


def test_missing_and_broken_pieces_open_a_return_each(
    shopper: Account, staff: Account, order: Order
) -> None:
    line = get_line(order)
    claims = [Claim(line.pk, 2, "short", "少两盒"), Claim(line.pk, 1, "damaged", "盒子压坏")]
    opened = order_receive(actor=shopper, order_no=order.order_no, claims=claims).opened

    numbers = list(ReturnOrder.objects.order_by("pk").values_list("return_no", flat=True))
    assert [(one.number, one.text) for one in opened] == [
        *zip(numbers, ["少件 2 件", "收到时破损 1 件"], strict=True)
    ]
    rows = list(
        ReturnOrder.objects.order_by("pk").values_list("reason", "way", "detail", "lines__quantity")
    )
    assert rows == [("short", "none", "少两盒", 2), ("damaged", "pickup", "盒子压坏", 1)]
    assert (get_line(order).received_quantity, get_line(order).returning_quantity) == (10, 3)


def test_short_delivery_claim_is_refunded_without_a_return_shipment(
    shopper: Account, staff: Account, order: Order
) -> None:
    order_receive(
        actor=shopper, order_no=order.order_no, claims=[Claim(get_line(order).pk, 2, "short")]
    )
    key = ReturnOrder.objects.get().pk
    assert return_approve(actor=staff, return_id=key).status == "processing"
    assert return_refund(actor=staff, return_id=key).status == "pending_confirm"
    assert get_line(order).returned_quantity == 2
