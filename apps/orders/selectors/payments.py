"""The amounts due and paid for an order, its settlement status, and payments by their number."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Protocol

from django.db.models import Exists, ExpressionWrapper, F, OuterRef, QuerySet, Sum

from apps.common.money import ZERO, MoneyField
from apps.common.tenancy import platform_scope
from apps.orders.enums import (
    ENDED_UNSHIPPED,
    OrderStatus,
    PaymentKind,
    PaymentStatus,
    SettlementStatus,
)
from apps.orders.errors import PaymentNotFound
from apps.orders.models import Order, Payment, PaymentRefund

# Prefix of the refund reference of a payment that staff undid. No money went to the customer.
UNDO_PREFIX = "undo-"
# Returned amount of a line in SQL. Without the output field the sum would be in 分.
RETURNED_AMOUNT = ExpressionWrapper(
    F("unit_price_incl_tax") * F("returned_quantity"), output_field=MoneyField()
)
# Orders that take no payment: they ended, or are not approved yet.
UNPAYABLE = (OrderStatus.PENDING_APPROVAL, *ENDED_UNSHIPPED)


class Charged(Protocol):
    """An order, or its columns read for a check."""

    @property
    def status(self) -> str: ...
    @property
    def total_amount(self) -> Decimal: ...


class Priced(Protocol):
    """An order line, or its columns read for a check."""

    @property
    def unit_price_incl_tax(self) -> Decimal: ...
    @property
    def returned_quantity(self) -> int: ...


def sum_returned_amount(lines: Iterable[Priced]) -> Decimal:
    """Return the amount of the returned pieces of the lines, in 元 含税."""
    return sum((line.unit_price_incl_tax * line.returned_quantity for line in lines), ZERO)


def compute_order_due(order: Charged, lines: Iterable[Priced]) -> Decimal:
    """Return the amount due for the order, in 元: the total less the returned goods. Zero if the
    order ended unshipped.
    """
    if order.status in ENDED_UNSHIPPED:
        return ZERO
    due: Decimal = order.total_amount - sum_returned_amount(lines)
    return due


def get_settlement_status(
    order: Charged, *, due: Decimal, paid_amount: Decimal
) -> SettlementStatus:
    """Return 未结算, 部分结算 or 已结算 for the amounts due and paid, in 元.

    A fully returned order is settled without a payment.
    """
    went_back = order.status not in ENDED_UNSHIPPED and due < order.total_amount
    if paid_amount >= due and (paid_amount > ZERO or went_back):
        return SettlementStatus.DONE
    return SettlementStatus.PARTLY if paid_amount > ZERO else SettlementStatus.NONE


def get_payment(*, payment_no: str) -> Payment:
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


def list_order_payments() -> QuerySet[Payment]:
    """Return payments for the order page. `is_undone`: staff undid the payment because it
    belonged to another order.
    """
    undone = PaymentRefund.objects.filter(payment=OuterRef("pk"), reference__startswith=UNDO_PREFIX)
    rows: QuerySet[Payment] = Payment.objects.annotate(is_undone=Exists(undone))
    return rows


def sum_paid(order: Order) -> Decimal:
    """Return the amount paid for the order less refunds, in 元."""
    sums = order.payments.filter(status=PaymentStatus.PAID).aggregate(
        paid=Sum("amount"), refunded=Sum("refunded_amount")
    )
    return (sums["paid"] or ZERO) - (sums["refunded"] or ZERO)


def get_left_to_pay(order: Order) -> Decimal:
    """Return the amount left to pay for the order, in 元. Zero if more was paid than is due."""
    return max(compute_order_due(order, order.lines.all()) - sum_paid(order), ZERO)


def get_recorded_since(order: Order, since: datetime | None) -> Decimal:
    """Return the amount (元) of the payments that staff recorded for the order after `since`; None:
    all. Payments by bank match count, payments that were undone do not.
    """
    recorded = order.payments.filter(status=PaymentStatus.PAID).exclude(kind=PaymentKind.ONLINE)
    if since is not None:
        recorded = recorded.filter(created_at__gt=since)
    return recorded.aggregate(total=Sum("amount"))["total"] or ZERO


def sum_refunded(order: Order, *, reference: str) -> Decimal:
    """Return the amount refunded under a reference, in 元."""
    total = PaymentRefund.objects.filter(payment__order=order, reference=reference).aggregate(
        total=Sum("amount")
    )["total"]
    return total or ZERO
