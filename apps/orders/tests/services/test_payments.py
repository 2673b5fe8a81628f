"""Tests of payments, from gateway notifications or recorded by staff. The server checks each
payment and records it once.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from apps.budgets.models import Budget
from apps.catalog.models import Product
from apps.common.errors import ValidationFailed, WrongState
from apps.common.models import Event
from apps.common.tenancy import platform_scope
from apps.orders.errors import PaymentNotFound, PaymentRefused
from apps.orders.gateways import DemoGateway
from apps.orders.models import Order, Payment, Shipment
from apps.orders.services.cancellations import (
    _cancel_unpaid,
    order_cancel,
    orders_cancel_unpaid,
)
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.payments import payment_begin, payment_notification_apply, payment_record
from apps.orders.services.receipts import shipments_receive_overdue
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account


@pytest.fixture
def online(shopper: Account) -> Order:
    """An order of 20.00 元 on a budget, to be paid online."""
    make_budget(shopper, "100.00")
    return place_order(shopper, payment_kind="online")


def notify_payment(
    payment: Payment, *, amount: str = "20.00", is_success: bool = True, reference: str = "R1"
) -> None:
    fields = DemoGateway().build_notification(
        payment_no=payment.payment_no,
        amount=Decimal(amount),
        is_success=is_success,
        reference=reference,
    )
    payment_notification_apply(gateway="demo", fields=fields)


def get_states(order: Order) -> tuple[str, str, list[str]]:
    result = Order.objects.get(pk=order.pk)
    return (
        result.status,
        result.settlement_status,
        [payment.status for payment in result.payments.all()],
    )


def test_an_unpaid_order_is_never_confirmed(online: Order, staff: Account) -> None:
    with pytest.raises(WrongState, match="尚未完成在线支付"):
        order_confirm(actor=staff, order_id=online.pk)


def test_a_paid_order_can_be_confirmed(online: Order, staff: Account) -> None:
    notify_payment(Payment.objects.get())
    assert get_states(online) == ("pending_confirm", "done", ["paid"])
    assert order_confirm(actor=staff, order_id=online.pk).status == "pending_shipment"


def test_the_same_notification_twice_is_taken_in_once(online: Order) -> None:
    notify_payment(Payment.objects.get())
    notify_payment(Payment.objects.get())
    assert (get_states(online), Event.objects.filter(kind="paid").count()) == (
        ("pending_confirm", "done", ["paid"]),
        1,
    )


@pytest.mark.parametrize("amount", ["19.99", "20.01", "0.00", "0.01"])
def test_notification_with_another_amount_is_refused(online: Order, amount: str) -> None:
    with pytest.raises(PaymentRefused, match="支付金额与订单金额不一致"):
        notify_payment(Payment.objects.get(), amount=amount)
    assert get_states(online) == ("pending_confirm", "none", ["pending"])


def test_a_forged_notification_is_refused(online: Order) -> None:
    payment = Payment.objects.get()
    fields = DemoGateway().build_notification(
        payment_no=payment.payment_no, amount=payment.amount, is_success=False
    )
    with pytest.raises(PaymentRefused):
        payment_notification_apply(gateway="demo", fields={**fields, "result": "success"})
    assert get_states(online)[1] == "none"


def test_notification_of_an_unknown_payment_gateway_is_not_found(db: None) -> None:
    with pytest.raises(PaymentNotFound):
        payment_notification_apply(gateway="other", fields={})


def test_a_failure_can_be_paid_again(online: Order, buyer: Account) -> None:
    notify_payment(Payment.objects.get(), is_success=False)
    payment, path = payment_begin(actor=buyer, order_no=online.order_no)
    notify_payment(payment, reference="R2")
    assert (get_states(online), path) == (
        ("pending_confirm", "done", ["failed", "paid"]),
        f"/pay/demo/{payment.payment_no}",
    )


def test_paying_twice_is_refused(online: Order, buyer: Account) -> None:
    notify_payment(Payment.objects.get())
    with pytest.raises(WrongState, match="订单已支付"):
        payment_begin(actor=buyer, order_no=online.order_no)


def test_an_order_on_account_is_not_paid_online(placed_order: Order, buyer: Account) -> None:
    with pytest.raises(WrongState, match="付款方式为月结，无需在线支付"):
        payment_begin(actor=buyer, order_no=placed_order.order_no)


def test_payment_after_the_cancellation_is_refunded(online: Order, buyer: Account) -> None:
    payment = Payment.objects.get()
    order_cancel(actor=buyer, order_no=online.order_no, reason="不要了")
    notify_payment(payment)
    assert get_states(online) == ("cancelled", "none", ["refunded"])


def test_cancellation_of_a_paid_order_refunds_it(online: Order, buyer: Account) -> None:
    notify_payment(Payment.objects.get())
    order_cancel(actor=buyer, order_no=online.order_no, reason="不要了")
    assert get_states(online) == ("cancelled", "none", ["refunded"])


def wait(hours: int) -> None:
    Payment.objects.update(created_at=timezone.now() - timedelta(hours=hours, minutes=1))


def cancel_unpaid() -> int:
    with platform_scope(reason="test: the clock"):
        return orders_cancel_unpaid()


def test_an_unpaid_order_ends_after_24_hours(online: Order) -> None:
    wait(24)
    assert cancel_unpaid() == 1
    assert (get_states(online), Budget.objects.get().reserved, Product.objects.get().reserved) == (
        ("cancelled", "none", ["closed"]),
        Decimal("0.00"),
        0,
    )


def test_an_unpaid_order_stays_for_23_hours(online: Order) -> None:
    wait(23)
    assert cancel_unpaid() == 0


def test_a_paid_order_does_not_end(online: Order) -> None:
    notify_payment(Payment.objects.get())
    wait(48)
    assert cancel_unpaid() == 0


def test_order_paid_after_the_cancel_job_listed_it_is_not_cancelled(online: Order) -> None:
    notify_payment(Payment.objects.get())
    assert _cancel_unpaid(online.order_no, online.group_id) is False
    assert get_states(online)[:2] == ("pending_confirm", "done")


def test_cancel_job_continues_after_an_order_that_fails(online: Order, shopper: Account) -> None:
    broken = Product.objects.get()
    other = place_order(shopper, payment_kind="online")
    Product.objects.filter(pk=broken.pk).update(reserved=0)
    wait(24)

    assert cancel_unpaid() == 1
    assert (get_states(online)[0], get_states(other)[0]) == ("pending_confirm", "cancelled")


def test_a_shipment_is_received_by_itself_after_seven_days(shipped_order: Order) -> None:
    Shipment.objects.update(shipped_at=timezone.now() - timedelta(days=7, minutes=1))
    with platform_scope(reason="test: the clock"):
        assert (shipments_receive_overdue(), shipments_receive_overdue()) == (1, 0)
    event = Event.objects.get(kind="completed")
    assert (get_states(shipped_order)[0], event.actor, event.note) == (
        "completed",
        None,
        "发货满 7 天，系统自动确认收货",
    )


def test_a_shipment_of_six_days_waits(shipped_order: Order) -> None:
    Shipment.objects.update(shipped_at=timezone.now() - timedelta(days=6))
    with platform_scope(reason="test: the clock"):
        assert shipments_receive_overdue() == 0


def test_staff_record_parts_until_all_is_settled(placed_order: Order, staff: Account) -> None:
    settled = []
    for amount in ("5.00", "15.00"):
        payment_record(actor=staff, order_id=placed_order.pk, amount=Decimal(amount))
        settled.append(get_states(placed_order)[1])
    assert settled == ["partly", "done"]


def test_more_than_is_owed_is_not_recorded(placed_order: Order, staff: Account) -> None:
    with pytest.raises(ValidationFailed, match=r"不超过未结金额 ¥20\.00"):
        payment_record(actor=staff, order_id=placed_order.pk, amount=Decimal("20.01"))


def test_staff_cannot_record_a_payment_for_an_online_order(online: Order, staff: Account) -> None:
    with pytest.raises(WrongState, match="不能手工登记"):
        payment_record(actor=staff, order_id=online.pk, amount=Decimal("20.00"))


def test_payment_for_an_order_in_approval_is_refused(
    order_in_approval: Order, staff: Account
) -> None:
    with pytest.raises(WrongState, match="登记收款"):
        payment_record(actor=staff, order_id=order_in_approval.pk, amount=Decimal("20.00"))
    assert not Payment.objects.exists()
