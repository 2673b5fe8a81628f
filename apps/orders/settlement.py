"""The amount due for an order, and its settlement status."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Protocol

from django.db.models import ExpressionWrapper, F

from apps.common.money import ZERO, MoneyField
from apps.orders.enums import OrderStatus, SettlementStatus


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


# Prefix of the refund reference of a payment that staff undid. No money went to the customer.
UNDONE = "undo-"
# Returned amount of a line in SQL. Without the output field the sum would be in 分.
GONE_BACK = ExpressionWrapper(
    F("unit_price_incl_tax") * F("returned_quantity"), output_field=MoneyField()
)
# Orders that ended before shipping. Nothing is due for them.
COSTS_NOTHING = (OrderStatus.REJECTED, OrderStatus.WITHDRAWN, OrderStatus.CANCELLED)
# Orders that take no payment: they ended, or are not approved yet.
UNPAYABLE = (OrderStatus.PENDING_APPROVAL, *COSTS_NOTHING)


def gone_back_of(lines: Iterable[Priced]) -> Decimal:
    """Return the amount of the returned pieces of the lines, in 元 含税."""
    return sum((line.unit_price_incl_tax * line.returned_quantity for line in lines), ZERO)


def order_due(order: Charged, lines: Iterable[Priced]) -> Decimal:
    """Return the amount due for the order, in 元: the total less the returned goods. Zero if the
    order ended unshipped.
    """
    if order.status in COSTS_NOTHING:
        return ZERO
    due: Decimal = order.total_amount - gone_back_of(lines)
    return due


def settlement_of(order: Charged, *, due: Decimal, paid: Decimal) -> SettlementStatus:
    """Return 未结算, 部分结算 or 已结算 for the amounts due and paid, in 元.

    A fully returned order is settled without a payment.
    """
    went_back = order.status not in COSTS_NOTHING and due < order.total_amount
    if paid >= due and (paid > ZERO or went_back):
        return SettlementStatus.DONE
    return SettlementStatus.PARTLY if paid > ZERO else SettlementStatus.NONE
