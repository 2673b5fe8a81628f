"""What the forecast of budgets asks: which orders still wait for a decision."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from apps.orders.enums import OrderStatus
from apps.orders.models import Order


def orders_awaiting() -> QuerySet[Any]:
    """Return the numbers of the orders of the open scope that are in approval."""
    rows: QuerySet[Any] = Order.objects.filter(status=OrderStatus.PENDING_APPROVAL)
    return rows.order_by().values("order_no")
