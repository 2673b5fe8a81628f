"""An order that is cancelled directly, without an application, also appears in the list of
cancellations.
"""

from __future__ import annotations

from decimal import Decimal

from apps.aftersales.models import CancelOrder
from apps.aftersales.services.cancel_apply import handle_order_cancelled
from apps.aftersales.tests.cancelling import ask
from apps.common.models import OutboxMessage
from apps.orders.models import Order
from apps.orders.services.cancellations import order_cancel, order_cancel_by_staff
from apps.org.models import Account


def deliver() -> None:
    for message in OutboxMessage.objects.filter(topic="order.cancelled"):
        handle_order_cancelled(message.key, message.payload)


def test_direct_cancellation_creates_one_cancel_order(
    placed_order: Order, shopper: Account
) -> None:
    order_cancel(actor=shopper, order_no=placed_order.order_no, reason="重复下单")
    deliver()
    deliver()

    cancel = CancelOrder.objects.get()
    assert (cancel.status, cancel.is_whole, cancel.requester, cancel.reason) == (
        "done",
        True,
        shopper,
        "重复下单",
    )
    assert (cancel.total_before, cancel.total_after, cancel.lines.get().quantity) == (
        Decimal("20.00"),
        Decimal("0.00"),
        2,
    )


def test_cancellation_by_staff_has_no_requester(placed_order: Order, staff: Account) -> None:
    order_cancel_by_staff(actor=staff, order_id=placed_order.pk, reason="缺货")
    deliver()

    cancel = CancelOrder.objects.get()
    assert (cancel.requester, cancel.decided_by_id) == (None, staff.pk)


def test_cancellation_request_creates_no_second_cancel_order(
    placed_order: Order, shopper: Account
) -> None:
    ask(shopper, placed_order)
    deliver()

    assert CancelOrder.objects.count() == 1
