"""Close the open payments of an order that ends and refund the paid ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.money import ZERO
from apps.orders.enums import PaymentStatus
from apps.orders.models import Order
from apps.orders.selectors.payments import paid_for
from apps.orders.services.order_settle import order_settle
from apps.orders.services.payment_refund import payment_refund

if TYPE_CHECKING:
    from apps.org.models import Account


def payments_close(order: Order, *, actor: Account | None) -> None:
    """Close the open payments of a locked order and refund the amount paid."""
    order.payments.filter(status=PaymentStatus.PENDING).update(
        status=PaymentStatus.CLOSED, updated_at=timezone.now()
    )
    paid = paid_for(order)
    if paid > ZERO:
        payment_refund(
            order, actor=actor, amount=paid, note="订单取消", reference=f"{order.order_no}-closed"
        )
        order_settle(order)
