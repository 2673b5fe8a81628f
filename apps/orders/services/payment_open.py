"""Open the payment of an order with online payment."""

from __future__ import annotations

from apps.orders.enums import PaymentKind, PaymentStatus
from apps.orders.models import Order, Payment
from apps.orders.numbers import payment_number


def payment_open(*, order: Order) -> Payment:
    """Return a new pending payment over the total of the order. The 24 hours run from the first
    payment of the order.
    """
    payment: Payment = Payment.objects.create(
        group_id=order.group_id,
        order=order,
        payment_no=payment_number(order_no=order.order_no),
        kind=PaymentKind.ONLINE,
        amount=order.total_amount,
        status=PaymentStatus.PENDING,
    )
    return payment
