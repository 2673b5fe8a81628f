"""Rows of the shipping sheet: one for each line with unshipped pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.db.models import F

from apps.documents.excel.writer import Cell
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.staff_work import TO_SHIP
from apps.orders.snapshots import address_text

MOST_LINES = 1000


def shipping_rows(*, order_ids: Sequence[int] | None = None) -> Iterator[list[Cell]]:
    """Yield the open lines of these orders. Without orders, yield those of all orders that wait
    for shipping, the longest waiting first, at most 1,000.
    """
    orders = Order.objects.filter(TO_SHIP)
    if order_ids is not None:
        orders = orders.filter(pk__in=order_ids)
    lines = OrderLine.objects.filter(
        order__in=orders, quantity__gt=F("shipped_quantity") + F("cancelling_quantity")
    )
    found = lines.select_related("order__enterprise").order_by(
        "order__confirmed_at", "order_id", "no"
    )
    for line in found[:MOST_LINES]:
        order = line.order
        to = order.address_snapshot
        address = f"{to.get('Receiver', '')} {to.get('Mobile', '')} {address_text(to)}".strip()
        left = line.unshipped
        yield [
            order.order_no,
            line.no,
            line.product_code,
            line.name,
            order.enterprise.name,
            address,
            left,
            left,
            "",
            "",
        ]
