"""What pieces of an order line come to: by cumulative difference, so that the parts of a line sum to the line to the cent."""

from __future__ import annotations

from decimal import Decimal

from apps.common.money import yuan
from apps.orders.models import OrderLine


def _part(whole: Decimal, pieces: int, of: int) -> Decimal:
    return yuan(whole * pieces / of)


def refund_of(line: OrderLine, pieces: int) -> tuple[Decimal, Decimal]:
    """Return what the next `pieces` to go back of the line cost in 元, 含税, and the tax in it."""
    gone = line.returned_quantity
    amount, tax = (
        _part(whole, gone + pieces, line.quantity) - _part(whole, gone, line.quantity) for whole in (line.amount_incl_tax, line.tax_amount)
    )
    return amount, tax
