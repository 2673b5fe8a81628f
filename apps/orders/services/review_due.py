"""Until when an order waits for reviews: opened by a receipt, closed by the last review; its list, its actions and 待办 read it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from apps.orders.models import Order, OrderLine, OrderReview
from apps.orders.review_time import review_by


def review_open(order: Order, *, lines: Iterable[OrderLine], at: datetime) -> None:
    """After a receipt of a locked order: what is received and not reviewed may be, from now on."""
    if _unreviewed(order, lines):
        _set(order, review_by(at))


def review_close(order: Order, *, lines: Iterable[OrderLine]) -> None:
    """After a review of a locked order: nothing waits where all that is received is reviewed."""
    if not _unreviewed(order, lines):
        _set(order, None)


def _unreviewed(order: Order, lines: Iterable[OrderLine]) -> bool:
    reviewed = set(OrderReview.objects.filter(order=order).values_list("order_line_id", flat=True))
    return any(line.received_quantity and line.pk not in reviewed for line in lines)


def _set(order: Order, until: datetime | None) -> None:
    order.review_until = until
    Order.objects.filter(pk=order.pk).update(review_until=until)
