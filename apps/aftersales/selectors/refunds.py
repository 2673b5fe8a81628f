"""What pieces of an order line come to: so that what is kept costs what as many pieces cost, and the parts sum to the line to the cent."""

from __future__ import annotations

from decimal import Decimal

from apps.common.money import tax_of
from apps.orders.models import OrderLine


def refund_of(line: OrderLine, pieces: int) -> tuple[Decimal, Decimal]:
    """Return what the next `pieces` to go back of the line cost in 元, 含税, and the tax in it."""
    # By what the tax of the kept pieces shrinks: an invoice of those alone is then right to the cent.
    kept = line.quantity - line.returned_quantity
    before, after = (line.unit_price_incl_tax * count for count in (kept, kept - pieces))
    return before - after, tax_of(before, line.tax_rate) - tax_of(after, line.tax_rate)
