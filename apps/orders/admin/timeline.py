"""Texts of the timeline, and the snapshots of an order as text for staff."""

from __future__ import annotations

from apps.office.timeline import register_timeline_words
from apps.orders.enums import EVENT_NAMES, OrderStatus
from apps.orders.models import Order
from apps.orders.services.notes import NOTE_ADDED

register_timeline_words(
    Order, kinds={**EVENT_NAMES, NOTE_ADDED: "添加备注"}, states=dict(OrderStatus.choices)
)


def snapshot_text(snapshot: dict[str, str]) -> str:
    """Return the values of a snapshot in one line."""
    return " ".join(value for name, value in snapshot.items() if name != "Id" and value)
