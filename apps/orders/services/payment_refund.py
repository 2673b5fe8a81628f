"""Money goes back for what was paid: of a cancellation, of a return, of a payment that came too late."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.money import ZERO
from apps.orders.enums import OrderEventKind, PaymentStatus
from apps.orders.gateways import gateway_named
from apps.orders.models import Order, Payment, PaymentRefund
from apps.orders.selectors.payments import refunded_for
from apps.orders.services.moves import order_record

if TYPE_CHECKING:
    from apps.org.models import Account


def payment_refund(order: Order, *, actor: Account | None, amount: Decimal, note: str, reference: str) -> Decimal:
    """Send back up to `amount` 元 of what was paid for a locked order, the newest payment first; return how much went back.

    What was not paid is not sent back: nothing for 月结 before it is settled. The same reference again sends nothing and
    returns what went back then. The order's settlement is the caller's.
    """
    if before := refunded_for(order, reference=reference):
        return before
    left = amount
    for payment in order.payments.select_for_update().filter(status=PaymentStatus.PAID).order_by("-pk"):
        part = min(left, payment.amount - payment.refunded_amount)
        if part > ZERO:
            payment_send_back(order, payment, actor=actor, amount=part, note=note, reference=reference)
            left -= part
    return amount - left


def payment_send_back(order: Order, payment: Payment, *, actor: Account | None, amount: Decimal, note: str, reference: str) -> None:
    """Send part of a locked payment back, or all of it; what staff recorded is refunded outside and only noted."""
    if payment.gateway:
        gateway_named(payment.gateway).refund(payment_no=payment.payment_no, reference=payment.gateway_reference, amount=amount)
    PaymentRefund.objects.create(
        group_id=order.group_id, payment=payment, reference=reference, amount=amount, note=note[:300], refunded_at=timezone.now()
    )
    payment.refunded_amount += amount
    if payment.refunded_amount == payment.amount:
        payment.status = PaymentStatus.REFUNDED
    payment.save(update_fields=["status", "refunded_amount", "updated_at"])
    data = {"payment_no": payment.payment_no, "amount": str(amount), "reference": reference}
    order_record(order, actor=actor, kind=OrderEventKind.REFUNDED, before=order.status, reason=f"{note}，退款 {amount:,.2f} 元", data=data)
