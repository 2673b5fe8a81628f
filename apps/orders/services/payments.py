"""Payments of orders: online payments and their notifications, payments that staff record or undo,
refunds, and the settlement status that follows from them.

A notification of a gateway can arrive twice, late, or after the order has ended.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.money import ZERO, round_yuan
from apps.common.tenancy import platform_scope, tenant_scope
from apps.orders.enums import (
    OrderEventKind,
    OrderStatus,
    PaymentKind,
    PaymentStatus,
    SettlementStatus,
)
from apps.orders.errors import (
    LeftToPayMoved,
    NotPaidOnline,
    OnlinePaymentNotRecorded,
    OrderPaidAlready,
    PaymentAmountInvalid,
    PaymentAmountWrong,
    PaymentNotFound,
    PaymentRefundedAlready,
)
from apps.orders.gateways import DEFAULT_GATEWAY, Notification, get_gateway
from apps.orders.locks import lock_order, lock_own_order, locked_order
from apps.orders.models import Order, Payment, PaymentRefund
from apps.orders.selectors.payments import (
    UNDO_PREFIX,
    UNPAYABLE,
    compute_order_due,
    get_left_to_pay,
    get_settlement_status,
    sum_paid,
    sum_refunded,
)
from apps.orders.services.transitions import order_record
from apps.orders.states import ORDERS

if TYPE_CHECKING:
    from apps.org.models import Account

ENDED_STATES = (PaymentStatus.PAID, PaymentStatus.REFUNDED)


@transaction.atomic
def payment_begin(*, actor: Account, order_no: str) -> tuple[Payment, str]:
    """Return (payment, URL path where the buyer pays). Reuses an open payment, or opens a new one
    after a failure.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see it, or may not change it.
        WrongState: it has another kind of payment, is paid already, or is not 待确认.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    if order.payment_kind != PaymentKind.ONLINE:
        raise NotPaidOnline(order.get_payment_kind_display())
    if order.status != OrderStatus.PENDING_CONFIRM:
        raise ORDERS.build_wrong_state(order, "支付")
    if order.settlement_status == SettlementStatus.DONE:
        raise OrderPaidAlready
    gateway = get_gateway(DEFAULT_GATEWAY)
    payment = order.payments.filter(status=PaymentStatus.PENDING).first() or payment_open(
        order=order
    )
    return payment, gateway.pay_path(payment_no=payment.payment_no)


def payment_open(*, order: Order) -> Payment:
    """Return a new pending payment over the total of the order. The 24 hours run from the first
    payment of the order.
    """
    payment: Payment = Payment.objects.create(
        group_id=order.group_id,
        order=order,
        payment_no=_create_payment_number(order),
        kind=PaymentKind.ONLINE,
        amount=order.total_amount,
        status=PaymentStatus.PENDING,
    )
    return payment


def _create_payment_number(order: Order) -> str:
    """Return a number that cannot be guessed, because the number alone opens the payment page."""
    return f"PAY{order.order_no[2:]}{secrets.token_hex(6)}"


def payment_notification_apply(*, gateway: str, fields: Mapping[str, str]) -> Payment:
    """Apply a notification of a gateway and return the payment. Repeating a notification
    changes nothing.

    Raises:
        PaymentRefused: the signature is wrong, or the amount differs from the payment.
        PaymentNotFound: the payment or the gateway does not exist.
    """
    notification = get_gateway(gateway).read(fields)
    with platform_scope(reason="payment notification"):
        stored_payment = (
            Payment.objects.select_related("order")
            .filter(payment_no=notification.payment_no)
            .first()
        )
        if stored_payment is None:
            raise PaymentNotFound
        order_no, group_id = stored_payment.order.order_no, stored_payment.group_id
    with tenant_scope(group_id=group_id), transaction.atomic():
        order = lock_order(order_no=order_no)
        payment: Payment = Payment.objects.select_for_update().get(pk=stored_payment.pk)
        if notification.amount != payment.amount:
            raise PaymentAmountWrong
        if payment.status not in ENDED_STATES:
            _apply_notification(
                order=order, payment=payment, notification=notification, gateway=gateway
            )
    return payment


def _apply_notification(
    order: Order, payment: Payment, notification: Notification, gateway: str
) -> None:
    """Update payment and order by a notification of the gateway. Money for an order that has
    ended or is paid, and money above the total, is sent back.
    """
    payment.gateway, payment.gateway_reference = gateway, notification.reference
    if not notification.is_success:
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
        reason=f"在线支付 ¥{payment.amount:,.2f}",
        data=data,
    )
    overpaid_amount = sum_paid(order) - order.total_amount
    if overpaid_amount > ZERO:
        # Pieces were cancelled while the buyer paid.
        payment_refund(
            order,
            actor=None,
            amount=overpaid_amount,
            note="支付金额多于应付金额",
            reference=f"over-{payment.payment_no}",
        )


def payment_record(
    *,
    actor: Account,
    order_id: int,
    amount: Decimal,
    reference: str = "",
    paid_at: datetime | None = None,
    left_seen: Decimal | None = None,
) -> Payment:
    """Return the recorded payment of `amount` 元 and update the settlement status. `paid_at`
    defaults to now.

    Raises:
        Stale: the amount left to pay differs from `left_seen`. None skips this check.
        WrongState: the order is paid online, or has ended unpaid, or is not approved yet.
        ValidationFailed: not above zero, or more than is left to pay.
    """
    with locked_order(order_id=order_id) as order:
        _check_recordable(order, amount=amount, left_seen=left_seen)
        payment: Payment = Payment.objects.create(
            group_id=order.group_id,
            order=order,
            payment_no=_create_payment_number(order),
            kind=order.payment_kind,
            amount=round_yuan(amount),
            status=PaymentStatus.PAID,
            paid_at=paid_at or timezone.now(),
        )
        order_settle(order)
        note = f"{order.get_payment_kind_display()} ¥{amount:,.2f}" + (
            f"，凭证 {reference}" if reference else ""
        )
        order_record(
            order,
            actor=actor,
            kind=OrderEventKind.PAYMENT_RECORDED,
            before=order.status,
            reason=note,
        )
    return payment


def _check_recordable(order: Order, *, amount: Decimal, left_seen: Decimal | None) -> None:
    """Raise an error unless `amount` (元) can be recorded. `left_seen`: the unpaid 元 that the
    person saw.
    """
    if order.status in UNPAYABLE:
        raise ORDERS.build_wrong_state(order, "登记收款")
    if order.payment_kind == PaymentKind.ONLINE:
        raise OnlinePaymentNotRecorded
    unpaid_amount = get_left_to_pay(order)
    if left_seen is not None and left_seen != unpaid_amount:
        raise LeftToPayMoved(seen=left_seen, left=unpaid_amount)
    if not ZERO < amount <= unpaid_amount:
        raise PaymentAmountInvalid(unpaid_amount)


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
        raise PaymentRefundedAlready(payment.refunded_amount)
    PaymentRefund.objects.create(
        group_id=order.group_id,
        payment=payment,
        reference=f"{UNDO_PREFIX}{payment.payment_no}",
        amount=payment.amount,
        note=f"撤销收款：{reason}"[:300],
        refunded_at=timezone.now(),
    )
    payment.refunded_amount, payment.status = payment.amount, PaymentStatus.REFUNDED
    payment.save(update_fields=["status", "refunded_amount", "updated_at"])
    order_settle(order)
    note = f"撤销收款 ¥{payment.amount:,.2f}：{reason}"
    order_record(
        order, actor=actor, kind=OrderEventKind.PAYMENT_UNDONE, before=order.status, reason=note
    )
    return payment


def payment_refund(
    order: Order, *, actor: Account | None, amount: Decimal, note: str, reference: str
) -> Decimal:
    """Refund up to `amount` 元 of a locked order, the newest payment first. Return the refunded
    amount in 元.

    Only money that was paid is refunded, so an unsettled 月结 order gets nothing. A repeated
    reference refunds nothing and returns the earlier amount. The caller updates the settlement
    status.
    """
    if before := sum_refunded(order, reference=reference):
        return before
    open_amount = amount
    for payment in (
        order.payments.select_for_update().filter(status=PaymentStatus.PAID).order_by("-pk")
    ):
        part = min(open_amount, payment.amount - payment.refunded_amount)
        if part > ZERO:
            payment_send_back(
                order, payment, actor=actor, amount=part, note=note, reference=reference
            )
            open_amount -= part
    return amount - open_amount


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
        get_gateway(payment.gateway).refund(
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
        reason=f"{note}，退款 ¥{amount:,.2f}",
        data=data,
    )


def payments_close(order: Order, *, actor: Account | None) -> None:
    """Close the open payments of a locked order and refund the amount paid."""
    order.payments.filter(status=PaymentStatus.PENDING).update(
        status=PaymentStatus.CLOSED, updated_at=timezone.now()
    )
    paid_amount = sum_paid(order)
    if paid_amount > ZERO:
        payment_refund(
            order,
            actor=actor,
            amount=paid_amount,
            note="订单取消",
            reference=f"{order.order_no}-closed",
        )
        order_settle(order)


def order_settle(order: Order) -> None:
    """Set the settlement status of a locked order from the amount due and the amount paid."""
    new_status = get_settlement_status(
        order, due=compute_order_due(order, order.lines.all()), paid_amount=sum_paid(order)
    )
    if order.settlement_status != new_status:
        order.settlement_status = new_status
        order.save(update_fields=["settlement_status", "updated_at"])
