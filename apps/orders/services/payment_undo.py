"""Undo a payment that was recorded for the wrong order. No money goes to the customer, and the
amount is due again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.errors import WrongState
from apps.common.money import ZERO
from apps.orders.enums import OrderEventKind, PaymentStatus
from apps.orders.models import Order, Payment, PaymentRefund
from apps.orders.services.moves import order_record
from apps.orders.services.order_settle import order_settle
from apps.orders.settlement import UNDONE

if TYPE_CHECKING:
    from apps.org.models import Account


def payment_undo(order: Order, payment_id: int, *, actor: Account, reason: str) -> Payment:
    """Undo a whole payment of a locked order and return it. The payment stays, and a refund
    entry cancels it out on the statement.

    Raises:
        WrongState: part of it has been refunded, or it is undone already.
    """
    payment: Payment = Payment.objects.select_for_update(of=("self",)).get(
        pk=payment_id, order=order
    )
    if payment.status != PaymentStatus.PAID or payment.refunded_amount > ZERO:
        raise WrongState(f"该笔收款已退款 {payment.refunded_amount:,.2f} 元，不能撤销匹配")
    PaymentRefund.objects.create(
        group_id=order.group_id,
        payment=payment,
        reference=f"{UNDONE}{payment.payment_no}",
        amount=payment.amount,
        note=f"撤销收款：{reason}"[:300],
        refunded_at=timezone.now(),
    )
    payment.refunded_amount, payment.status = payment.amount, PaymentStatus.REFUNDED
    payment.save(update_fields=["status", "refunded_amount", "updated_at"])
    order_settle(order)
    note = f"撤销收款 {payment.amount:,.2f} 元：{reason}"
    order_record(
        order, actor=actor, kind=OrderEventKind.PAYMENT_UNDONE, before=order.status, reason=note
    )
    return payment
