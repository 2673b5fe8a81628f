"""What budgets ask of orders: which still wait for a decision, and which a person may open."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.orders.selectors.scope import orders_visible
from apps.org.models import Account


def orders_awaiting() -> QuerySet[Any]:
    """Return the numbers of the orders of the open scope that are in approval."""
    rows: QuerySet[Any] = Order.objects.filter(status=OrderStatus.PENDING_APPROVAL)
    return rows.order_by().values("order_no")


def orders_opened(actor: Account, numbers: Collection[str]) -> set[str]:
    """Return those of the numbers whose order he may open; one query, and one for his department's subtree where he sees that far."""
    return set(orders_visible(actor=actor).filter(order_no__in=numbers).order_by().values_list("order_no", flat=True))
