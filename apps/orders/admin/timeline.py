"""The timeline and the snapshots of an order as staff see them."""

from __future__ import annotations

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common.events import events_of
from apps.orders.enums import OrderEventKind, OrderStatus
from apps.orders.models import Order

KINDS = {
    **dict(OrderEventKind.choices),
    "approval.approved": "审批同意",
    "approval.skipped": "自动跳过",
    "approval.transferred": "转交审批",
}
STATES = dict(OrderStatus.choices)
CELL = "<td class='pr-4 py-1'>{}</td>"
ROW = f"<tr>{CELL * 5}</tr>"


def timeline_table(order: Order) -> SafeString:
    """Return the events as a table, oldest first; every text in it is escaped."""
    rows = [
        (
            f"{timezone.localtime(event.at):%Y-%m-%d %H:%M:%S}",
            KINDS.get(event.kind, event.kind),
            "系统" if event.actor is None else str(event.actor),
            STATES.get(event.to_state, event.to_state),
            event.note,
        )
        for event in events_of(order)
    ]
    return format_html("<table><tbody>{}</tbody></table>", format_html_join("", ROW, rows))


def snapshot_text(snapshot: dict[str, str]) -> str:
    """Return the values of a snapshot in one line."""
    return " ".join(value for name, value in snapshot.items() if name != "Id" and value)
