"""Helpers for tests in which staff edit an order."""

from __future__ import annotations

from apps.aftersales.selectors.order_edit import OrderEditForm, compute_order_digest
from apps.aftersales.tests.cancelling import get_line
from apps.orders.models import Order
from apps.org.models import Address


def build_edit_form(
    order: Order, *quantities: int, address: Address | None = None, reason: str = "客户来电"
) -> OrderEditForm:
    """Return the form of a page that was opened now, with the new quantity of each line."""
    return OrderEditForm(
        quantities={get_line(order, place).pk: n for place, n in enumerate(quantities)},
        address_id=address.pk if address else None,
        reason=reason,
        seen=compute_order_digest(Order.objects.get(pk=order.pk)),
    )
