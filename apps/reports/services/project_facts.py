"""Outbox handlers for events of orders, returns and invoices. Each message names the orders
whose facts must be updated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apps.invoices.models import InvoiceLine
from apps.orders.enums import OrderEventKind
from apps.reports.services.facts_keep import facts_keep

Handler = Callable[[str, dict[str, Any]], None]


def order_heard(_key: str, payload: dict[str, Any]) -> None:
    """Update the facts of the order that the payload names."""
    facts_keep([payload["order_id"]])


def invoice_heard(key: str, _payload: dict[str, Any]) -> None:
    """Update the facts of the orders on an invoice, blue or red. The message key is its request
    number.
    """
    facts_keep(invoiced_orders([key]))


def invoiced_orders(request_nos: list[str]) -> list[int]:
    """Return the keys of the orders on these invoices."""
    rows = InvoiceLine.objects.filter(invoice__request_no__in=request_nos).order_by("order")
    return list(rows.values_list("order_id", flat=True).distinct())


ORDER_TOPICS = tuple(f"order.{kind}" for kind in OrderEventKind.values)
TOPICS: dict[str, Handler] = {
    **dict.fromkeys(ORDER_TOPICS, order_heard),
    "return.refunded": order_heard,
    "invoice.issued": invoice_heard,
}
