"""开票状态 of an order, computed from its quantities."""

from __future__ import annotations

from apps.orders.enums import InvoicingStatus


def invoicing_status_of(
    *, owed: int, done: int, has_freight: bool, is_freight_done: bool
) -> InvoicingStatus:
    """Return the status: nothing invoiced, partly invoiced, or everything invoiced that was not
    returned, including freight.
    """
    if not done and not is_freight_done:
        return InvoicingStatus.NONE
    is_all = done >= owed and (is_freight_done or not has_freight)
    return InvoicingStatus.DONE if is_all else InvoicingStatus.PARTLY
