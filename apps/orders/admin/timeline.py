"""The timeline and the snapshots of an order as staff see them."""

from __future__ import annotations

from django.utils.safestring import SafeString

from apps.common.admin.timeline import timeline_table as table_of
from apps.orders.enums import OrderEventKind, OrderStatus
from apps.orders.models import Order

KINDS = {
    **dict(OrderEventKind.choices),
    "approval.approved": "审批同意",
    "approval.skipped": "自动跳过",
    "approval.transferred": "转交审批",
    "approval.amended": "调整数量",
    "approval.asked": "退回询问",
    "approval.answered": "答复询问",
    "approval.reminded": "超时提醒",
    "approval.escalated": "超时升级",
    "approval.urged": "申请人催办",
}
STATES = dict(OrderStatus.choices)


def timeline_table(order: Order) -> SafeString:
    """Return the events as a table, oldest first; every text in it is escaped."""
    return table_of(order, kinds=KINDS, states=STATES)


def snapshot_text(snapshot: dict[str, str]) -> str:
    """Return the values of a snapshot in one line."""
    return " ".join(value for name, value in snapshot.items() if name != "Id" and value)
