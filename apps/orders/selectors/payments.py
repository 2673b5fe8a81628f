"""A payment as the gateway's page shows it, and what has been paid for an order."""

from __future__ import annotations

from decimal import Decimal

from django.db.models import Exists, OuterRef, QuerySet, Sum

from apps.common.money import ZERO
from apps.common.tenancy import platform_scope
from apps.orders.enums import PaymentStatus
from apps.orders.errors import PaymentNotFound
from apps.orders.models import Order, Payment, PaymentRefund
from apps.orders.settlement import UNDONE, order_due


def payment_to_make(*, payment_no: str) -> Payment:
    """Return the payment of an unguessable number with its order, whoever asks: the number is the permission.

    Raises:
        PaymentNotFound: there is none.
    """
    with platform_scope(reason="the gateway's page"):
        payment: Payment | None = Payment.objects.select_related("order").filter(payment_no=payment_no).first()
    if payment is None:
        raise PaymentNotFound
    return payment


def payments_told() -> QuerySet[Payment]:
    """Return payments as their order tells of them: `is_undone` where staff took one back that was another order's."""
    undone = PaymentRefund.objects.filter(payment=OuterRef("pk"), reference__startswith=UNDONE)
    rows: QuerySet[Payment] = Payment.objects.annotate(is_undone=Exists(undone))
    return rows


def paid_for(order: Order) -> Decimal:
    """Return what was paid for the order and has not gone back, in 元."""
    sums = order.payments.filter(status=PaymentStatus.PAID).aggregate(paid=Sum("amount"), back=Sum("refunded_amount"))
    return (sums["paid"] or ZERO) - (sums["back"] or ZERO)


def left_to_pay(order: Order) -> Decimal:
    """Return what is still to be paid for the order, in 元; nothing where more has come than is due."""
    return max(order_due(order, order.lines.all()) - paid_for(order), ZERO)


def refunded_for(order: Order, *, reference: str) -> Decimal:
    """Return what went back under a reference, in 元."""
    total = PaymentRefund.objects.filter(payment__order=order, reference=reference).aggregate(total=Sum("amount"))["total"]
    return total or ZERO
