"""Queries of budgets about orders: the orders in approval, and the orders that a person may
open.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.orders.selectors.scope import orders_visible
from apps.org.models import Account


def orders_awaiting() -> QuerySet[Any]:
    """Return the numbers of the orders in approval in the open scope."""
    rows: QuerySet[Any] = Order.objects.filter(status=OrderStatus.PENDING_APPROVAL)
    return rows.order_by().values("order_no")


def orders_opened(actor: Account, numbers: Collection[str]) -> set[str]:
    """Return those of the numbers whose orders the actor may open. One query, and one for the
    department subtree if the data scope needs it.
    """
    return set(
        orders_visible(actor=actor)
        .filter(order_no__in=numbers)
        .order_by()
        .values_list("order_no", flat=True)
    )
