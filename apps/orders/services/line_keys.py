"""The columns of order lines that repeat facts of their order, for the sums of approval rules."""

from __future__ import annotations

from django.db import transaction
from django.db.models import OuterRef, Subquery

from apps.orders.enums import ENDED_UNSHIPPED
from apps.orders.models import Order, OrderLine


@transaction.atomic
def line_keys_fill() -> int:
    """Fill `enterprise_key` and `is_ended` of lines that older code wrote while a release was
    rolled out, and return how many lines changed. The caller must open the platform scope.
    """
    order = Order.objects.filter(pk=OuterRef("order_id"))
    without_key = OrderLine.objects.filter(enterprise_key=0, order__enterprise__isnull=False)
    lines_to_end = OrderLine.objects.filter(is_ended=False, order__status__in=ENDED_UNSHIPPED)
    return sum(
        (
            without_key.update(enterprise_key=Subquery(order.values("enterprise_id")[:1])),
            lines_to_end.update(is_ended=True),
        )
    )
