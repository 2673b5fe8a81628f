"""Refund payments: after a cancellation, a return, or a late payment."""

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


def payment_refund(
    order: Order, *, actor: Account | None, amount: Decimal, note: str, reference: str
) -> Decimal:
    """Refund up to `amount` 元 of a locked order, the newest payment first. Return the refunded
    amount in 元.

    Only money that was paid is refunded, so an unsettled 月结 order gets nothing. A repeated
    reference refunds nothing and returns the earlier amount. The caller updates the settlement
    status.
    """
    if before := refunded_for(order, reference=reference):
        return before
    left = amount
    for payment in (
        order.payments.select_for_update().filter(status=PaymentStatus.PAID).order_by("-pk")
    ):
        part = min(left, payment.amount - payment.refunded_amount)
        if part > ZERO:
            payment_send_back(
                order, payment, actor=actor, amount=part, note=note, reference=reference
            )
            left -= part
    return amount - left


def payment_send_back(
    order: Order,
    payment: Payment,
    *,
    actor: Account | None,
    amount: Decimal,
    note: str,
    reference: str,
) -> None:
    """Refund `amount` 元 of a locked payment. A payment that staff recorded has no gateway: the
    refund happens outside and is only recorded.
    """
    if payment.gateway:
        gateway_named(payment.gateway).refund(
            payment_no=payment.payment_no, reference=payment.gateway_reference, amount=amount
        )
    PaymentRefund.objects.create(
        group_id=order.group_id,
        payment=payment,
        reference=reference,
        amount=amount,
        note=note[:300],
        refunded_at=timezone.now(),
    )
    payment.refunded_amount += amount
    if payment.refunded_amount == payment.amount:
        payment.status = PaymentStatus.REFUNDED
    payment.save(update_fields=["status", "refunded_amount", "updated_at"])
    data = {"payment_no": payment.payment_no, "amount": str(amount), "reference": reference}
    order_record(
        order,
        actor=actor,
        kind=OrderEventKind.REFUNDED,
        before=order.status,
        reason=f"{note}，退款 {amount:,.2f} 元",
        data=data,
    )
