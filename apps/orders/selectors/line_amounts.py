"""Amounts of an order after its quantities are lowered, by an approver (order_amendment.py) or
by a cancellation (order_reduction.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from apps.common.money import ZERO, tax_of, yuan
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.freight import freight_of


def line_lower(line: OrderLine, quantity: int) -> None:
    """Set the quantity of the line, and compute its amount and tax as the submit does."""
    line.quantity = quantity
    line.amount_incl_tax = yuan(line.unit_price_incl_tax * quantity)
    line.tax_amount = tax_of(line.amount_incl_tax, line.tax_rate)


def amounts_anew(order: Order, lines: Iterable[OrderLine]) -> tuple[Decimal, Decimal, Decimal]:
    """Return goods, freight and tax of the order with these lines, in 元. The freight comes from
    the table for the new goods amount. One query.
    """
    rows = list(lines)
    goods = sum((line.amount_incl_tax for line in rows), ZERO)
    tax = sum((line.tax_amount for line in rows), ZERO)
    province = str(order.address_snapshot.get("Province", ""))
    return goods, freight_of(province=province, goods_amount=goods).fee, tax
