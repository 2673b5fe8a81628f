"""The payment on the gateway's page, and the amounts paid for an order."""

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
    """Return a payment with its order by its payment number. There is no other permission
    check, because the number cannot be guessed.

    Raises:
        PaymentNotFound: there is none.
    """
    with platform_scope(reason="the gateway's page"):
        payment: Payment | None = (
            Payment.objects.select_related("order").filter(payment_no=payment_no).first()
        )
    if payment is None:
        raise PaymentNotFound
    return payment


def payments_told() -> QuerySet[Payment]:
    """Return payments for the order page. `is_undone`: staff undid the payment because it
    belonged to another order.
    """
    undone = PaymentRefund.objects.filter(payment=OuterRef("pk"), reference__startswith=UNDONE)
    rows: QuerySet[Payment] = Payment.objects.annotate(is_undone=Exists(undone))
    return rows


def paid_for(order: Order) -> Decimal:
    """Return the amount paid for the order less refunds, in 元."""
    sums = order.payments.filter(status=PaymentStatus.PAID).aggregate(
        paid=Sum("amount"), back=Sum("refunded_amount")
    )
    return (sums["paid"] or ZERO) - (sums["back"] or ZERO)


def left_to_pay(order: Order) -> Decimal:
    """Return the amount left to pay for the order, in 元. Zero if more was paid than is due."""
    return max(order_due(order, order.lines.all()) - paid_for(order), ZERO)


def refunded_for(order: Order, *, reference: str) -> Decimal:
    """Return the amount refunded under a reference, in 元."""
    total = PaymentRefund.objects.filter(payment__order=order, reference=reference).aggregate(
        total=Sum("amount")
    )["total"]
    return total or ZERO
