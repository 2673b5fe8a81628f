"""How far an order is invoiced, by its quantities."""

from __future__ import annotations

from apps.orders.enums import InvoicingStatus


def invoicing_status_of(*, owed: int, done: int, has_freight: bool, is_freight_done: bool) -> InvoicingStatus:
    """Return the axis: nothing on an invoice, some of it, or all that is not gone back, freight included."""
    if not done and not is_freight_done:
        return InvoicingStatus.NONE
    is_all = done >= owed and (is_freight_done or not has_freight)
    return InvoicingStatus.DONE if is_all else InvoicingStatus.PARTLY
