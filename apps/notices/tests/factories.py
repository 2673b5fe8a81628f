"""Notices for tests."""

from __future__ import annotations

from itertools import count
from typing import Any

from apps.common.background.delivery import outbox_deliver
from apps.common.models import OutboxMessage
from apps.notices.enums import NoticeKind
from apps.notices.models import Notice
from apps.org.models import Account

numbers = count(1)


def make_notice(recipient: Account, **fields: Any) -> Notice:
    """Return an unread notice on the page."""
    number = next(numbers)
    fields = {
        "kind": NoticeKind.ORDER_SHIPPED,
        "title": f"订单 SO{number} 已发货",
        "once": f"test:{number}",
        **fields,
    }
    notice: Notice = Notice.objects.create(
        recipient=recipient, group_id=recipient.group_id, **fields
    )
    return notice


def deliver_all() -> None:
    """Deliver the outbox, including messages that handlers publish."""
    while outbox_deliver():
        pass


def list_topics() -> list[str]:
    """Return the published topics, the oldest first."""
    return list(OutboxMessage.objects.order_by("pk").values_list("topic", flat=True))
