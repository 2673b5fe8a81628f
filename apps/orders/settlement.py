"""What is due for an order, and what its settlement is by what was paid."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Protocol

from django.db.models import ExpressionWrapper, F

from apps.common.money import ZERO, MoneyField
from apps.orders.enums import OrderStatus, SettlementStatus


class Charged(Protocol):
    """An order, or what was read of it."""

    @property
    def status(self) -> str: ...
    @property
    def total_amount(self) -> Decimal: ...


class Priced(Protocol):
    """A line, or what was read of it."""

    @property
    def unit_price_incl_tax(self) -> Decimal: ...
    @property
    def returned_quantity(self) -> int: ...


# What the reference of a payment that staff took back begins with: it was another order's, nothing went to the customer.
UNDONE = "undo-"
# What has gone back of a line, in the database; without its field the sum would come back in 分.
GONE_BACK = ExpressionWrapper(F("unit_price_incl_tax") * F("returned_quantity"), output_field=MoneyField())
# They ended before anything was shipped: nothing is due for them.
COSTS_NOTHING = (OrderStatus.REJECTED, OrderStatus.WITHDRAWN, OrderStatus.CANCELLED)
# No money is taken for them: they ended, or may never be.
UNPAYABLE = (OrderStatus.PENDING_APPROVAL, *COSTS_NOTHING)


def gone_back_of(lines: Iterable[Priced]) -> Decimal:
    """Return what has gone back of the lines, in 元, 含税."""
    return sum((line.unit_price_incl_tax * line.returned_quantity for line in lines), ZERO)


def order_due(order: Charged, lines: Iterable[Priced]) -> Decimal:
    """Return what the order costs in 元: its total less what has gone back of its lines; nothing where it ended unshipped."""
    if order.status in COSTS_NOTHING:
        return ZERO
    due: Decimal = order.total_amount - gone_back_of(lines)
    return due


def settlement_of(order: Charged, *, due: Decimal, paid: Decimal) -> SettlementStatus:
    """Return 未结算, 部分结算 or 已结算 for so much due and so much paid, both in 元; what went back whole is settled without money."""
    went_back = order.status not in COSTS_NOTHING and due < order.total_amount
    if paid >= due and (paid > ZERO or went_back):
        return SettlementStatus.DONE
    return SettlementStatus.PARTLY if paid > ZERO else SettlementStatus.NONE
