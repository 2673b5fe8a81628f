"""Orders with pieces that can still be returned: the start page for a request without an order
number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Prefetch, Q, QuerySet

from apps.aftersales.selectors.scope import orders_returnable
from apps.orders.models import Order, OrderLine

if TYPE_CHECKING:
    from apps.org.models import Account


def orders_to_return(*, actor: Account, keyword: str = "") -> QuerySet[Order]:
    """Return the orders that the actor may request a return for and that have received pieces
    outside after-sales, newest first.
    """
    queryset = orders_returnable(actor=actor)
    if not actor.is_group_admin:
        queryset = queryset.filter(requester=actor)
    lines = OrderLine.objects.filter(
        received_quantity__gt=F("returning_quantity") + F("returned_quantity")
    )
    if keyword:
        named = (
            Q(name__icontains=keyword)
            | Q(customer_name__icontains=keyword)
            | Q(product_code=keyword)
        )
        queryset = queryset.filter(
            Q(order_no__icontains=keyword) | Q(pk__in=lines.filter(named).values("order"))
        )
    return queryset.filter(pk__in=lines.values("order")).prefetch_related(
        Prefetch("lines", OrderLine.objects.order_by("no"))
    )
