"""The words of the timeline, and the snapshots of an order as staff see them."""

from __future__ import annotations

from apps.common.admin.timeline import timeline_words
from apps.orders.enums import EVENT_NAMES, OrderStatus
from apps.orders.models import Order
from apps.orders.services.order_note import NOTED

timeline_words(Order, kinds={**EVENT_NAMES, NOTED: "添加备注"}, states=dict(OrderStatus.choices))


def snapshot_text(snapshot: dict[str, str]) -> str:
    """Return the values of a snapshot in one line."""
    return " ".join(value for name, value in snapshot.items() if name != "Id" and value)
