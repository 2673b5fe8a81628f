"""Process payment notifications of a gateway. A notification can arrive twice, late, or after
the order has ended.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from apps.common.money import ZERO
from apps.common.tenancy import platform_scope, tenant_scope
from apps.orders.enums import OrderEventKind, OrderStatus, PaymentStatus, SettlementStatus
from apps.orders.errors import PaymentNotFound, PaymentRefused
from apps.orders.gateways import Notification, gateway_named
from apps.orders.locks import lock_order
from apps.orders.models import Order, Payment
from apps.orders.selectors.payments import paid_for
from apps.orders.services.moves import order_record
from apps.orders.services.order_settle import order_settle
from apps.orders.services.payment_refund import payment_refund, payment_send_back

ENDED = (PaymentStatus.PAID, PaymentStatus.REFUNDED)


def payment_notified(*, gateway: str, fields: Mapping[str, str]) -> Payment:
    """Apply a notification of a gateway and return the payment. Repeating a notification
    changes nothing.

    Raises:
        PaymentRefused: the signature is wrong, or the amount differs from the payment.
        PaymentNotFound: the payment or the gateway does not exist.
    """
    told = gateway_named(gateway).read(fields)
    with platform_scope(reason="payment notification"):
        found = Payment.objects.select_related("order").filter(payment_no=told.payment_no).first()
        if found is None:
            raise PaymentNotFound
        order_no, group_id = found.order.order_no, found.group_id
    with tenant_scope(group_id=group_id), transaction.atomic():
        order = lock_order(order_no=order_no)
        payment: Payment = Payment.objects.select_for_update().get(pk=found.pk)
        if told.amount != payment.amount:
            raise PaymentRefused("支付金额与订单金额不一致，请联系客服核对")
        if payment.status not in ENDED:
            _take_in(order, payment, told, gateway)
    return payment


def _take_in(order: Order, payment: Payment, told: Notification, gateway: str) -> None:
    payment.gateway, payment.gateway_reference = gateway, told.reference
    if not told.is_success:
        if payment.status == PaymentStatus.PENDING:
            payment.status = PaymentStatus.FAILED
            payment.save(update_fields=["status", "gateway", "gateway_reference", "updated_at"])
            order_record(
                order,
                actor=None,
                kind=OrderEventKind.PAYMENT_FAILED,
                before=order.status,
                reason="支付未成功，可重新支付",
            )
        return
    payment.status, payment.paid_at = PaymentStatus.PAID, timezone.now()
    payment.save(update_fields=["status", "gateway", "gateway_reference", "paid_at", "updated_at"])
    if (
        order.status != OrderStatus.PENDING_CONFIRM
        or order.settlement_status == SettlementStatus.DONE
    ):
        note = "订单已结束或已支付，本次款项原路退回"
        payment_send_back(
            order,
            payment,
            actor=None,
            amount=payment.amount,
            note=note,
            reference=f"late-{payment.payment_no}",
        )
        return
    order_settle(order)
    data = {"payment_no": payment.payment_no, "amount": str(payment.amount)}
    order_record(
        order,
        actor=None,
        kind=OrderEventKind.PAID,
        before=order.status,
        reason=f"在线支付 {payment.amount:,.2f} 元",
        data=data,
    )
    over = paid_for(order) - order.total_amount
    if over > ZERO:
        # Pieces were cancelled while the buyer paid.
        payment_refund(
            order,
            actor=None,
            amount=over,
            note="支付金额多于应付金额",
            reference=f"over-{payment.payment_no}",
        )
