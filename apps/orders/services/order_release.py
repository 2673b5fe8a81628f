"""Give back what an order that ends holds: budget, then stock (locks: order → approval → budget → stock)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Sum

from apps.budgets.services.budget_moves import budget_release
from apps.catalog.services.stock import stock_release
from apps.orders.models import Order

if TYPE_CHECKING:
    from apps.org.models import Account


def order_release(order: Order, *, actor: Account | None, note: str) -> None:
    """Release the budget reservation and the stock of a locked order of which nothing has been shipped."""
    budget_release(actor=actor, reservation=order.budget_reservation, note=note)
    held = order.lines.filter(quantity__gt=0).order_by().values_list("product_id").annotate(pieces=Sum("quantity"))
    stock_release(lines=dict(held), reference=order.order_no)
