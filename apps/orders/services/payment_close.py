"""The payments of an order that ends: open ones close, paid ones go back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from apps.orders.enums import OrderEventKind, PaymentStatus, SettlementStatus
from apps.orders.gateways import gateway_named
from apps.orders.models import Order, Payment
from apps.orders.services.moves import order_record

if TYPE_CHECKING:
    from apps.org.models import Account


def payments_close(order: Order, *, actor: Account | None) -> None:
    """Close the open payments of a locked order and refund what was paid."""
    order.payments.filter(status=PaymentStatus.PENDING).update(status=PaymentStatus.CLOSED, updated_at=timezone.now())
    for payment in order.payments.select_for_update().filter(status=PaymentStatus.PAID):
        payment_refund(order, payment, actor=actor, note=f"订单取消，退款 {payment.amount:,.2f} 元")
        order.settlement_status = SettlementStatus.NONE
        order.save(update_fields=["settlement_status", "updated_at"])


def payment_refund(order: Order, payment: Payment, *, actor: Account | None, note: str) -> None:
    """Send a paid payment back; what staff recorded is refunded outside and only noted."""
    if payment.gateway:
        gateway_named(payment.gateway).refund(payment_no=payment.payment_no, reference=payment.gateway_reference, amount=payment.amount)
    payment.status = PaymentStatus.REFUNDED
    payment.save(update_fields=["status", "updated_at"])
    data = {"payment_no": payment.payment_no, "amount": str(payment.amount)}
    order_record(order, actor=actor, kind=OrderEventKind.REFUNDED, before=order.status, reason=note, data=data)
