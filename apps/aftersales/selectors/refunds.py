"""What pieces of an order line come to: so that what is kept costs what as many pieces cost, and the parts sum to the line to the cent."""

from __future__ import annotations

from decimal import Decimal

from apps.common.money import part_of_line
from apps.orders.models import OrderLine


def refund_of(line: OrderLine, pieces: int) -> tuple[Decimal, Decimal]:
    """Return what the next `pieces` to go back of the line cost in 元, 含税, and the tax in it."""
    # An invoice of the kept pieces alone is then right to the cent.
    kept = line.quantity - line.returned_quantity
    return part_of_line(line.unit_price_incl_tax, line.tax_rate, first=kept - pieces, last=kept)
