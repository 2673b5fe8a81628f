"""The timeline and the snapshots of an order as staff see them."""

from __future__ import annotations

from django.utils.safestring import SafeString

from apps.common.admin.timeline import timeline_table as table_of
from apps.orders.enums import EVENT_NAMES, OrderStatus
from apps.orders.models import Order

STATES = dict(OrderStatus.choices)


def timeline_table(order: Order) -> SafeString:
    """Return the events as a table, oldest first; every text in it is escaped."""
    return table_of(order, kinds=EVENT_NAMES, states=STATES)


def snapshot_text(snapshot: dict[str, str]) -> str:
    """Return the values of a snapshot in one line."""
    return " ".join(value for name, value in snapshot.items() if name != "Id" and value)
