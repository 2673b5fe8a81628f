"""Search for the sender of a receipt by enterprise name, order number or statement number."""

from __future__ import annotations

from dataclasses import dataclass

from apps.invoices.models import Statement
from apps.orders.models import Order
from apps.org.models import Enterprise

MOST = 10


@dataclass(frozen=True, slots=True)
class Target:
    """A possible target of a match. `query` is its part of the page's address."""

    text: str
    query: str


def targets_named(words: str) -> list[Target]:
    """Return the enterprises, orders and statements of all customers that match the words.
    Three queries.
    """
    enterprises = Enterprise.objects.filter(name__icontains=words).order_by("name")[:MOST]
    found = [Target(row.name, f"enterprise={row.pk}") for row in enterprises]
    orders = Order.objects.filter(order_no=words).select_related("enterprise")[:MOST]
    found += [
        Target(f"{row.enterprise.name}（订单 {row.order_no}）", f"enterprise={row.enterprise_id}")
        for row in orders
    ]
    statements = Statement.objects.filter(statement_no=words).select_related("enterprise")[:MOST]
    return found + [
        Target(f"{row.enterprise.name} {row.month:%Y-%m} 对账单", f"statement={row.pk}")
        for row in statements
    ]
