"""Release the budget, stock and requisitions of an order that ends.

Lock order: order, approval, budget, stock, requisition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Q, Sum

from apps.budgets.services.budget_moves import budget_release
from apps.catalog.services.stock import stock_release
from apps.orders.models import Order
from apps.requisitions.services.requisition_order import requisitions_free

if TYPE_CHECKING:
    from apps.org.models import Account


def order_release(order: Order, *, actor: Account | None, note: str) -> None:
    """Release everything that a locked, unshipped order holds. Its requisition lines wait for a
    buyer again.
    """
    budget_release(actor=actor, reservation=order.budget_reservation, note=note)
    held = list(
        order.lines.filter(quantity__gt=0)
        .order_by()
        .values("product_id")
        .annotate(pieces=Sum("quantity"), asked=Count("pk", filter=~Q(requisition_no="")))
    )
    stock_release(
        lines={row["product_id"]: row["pieces"] for row in held}, reference=order.order_no
    )
    if any(row["asked"] for row in held):
        requisitions_free(actor=actor, order_no=order.order_no)
