"""Hot keywords of a group: the categories of its orders in a period."""

from __future__ import annotations

from django.db.models import Count

from apps.orders.models import OrderLine
from apps.search.selectors.hot_words import HotPeriod

MOST = 50


def ordered_categories(period: HotPeriod) -> list[tuple[str, int]]:
    """Return (third-level category, number of orders with it) of the group, most ordered first.
    One query.
    """
    lines = OrderLine.objects.filter(
        group_id=period.group_id,
        order__submitted_at__gte=period.begin,
        order__submitted_at__lte=period.end,
    )
    counted = (
        lines.order_by()
        .values_list("product__l3__name")
        .annotate(orders=Count("order", distinct=True))
    )
    return list(counted.order_by("-orders", "product__l3__name")[:MOST])
