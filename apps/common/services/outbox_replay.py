"""Deliver a failed message again, after staff have fixed the cause."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.common.audit import act_log
from apps.common.background.outbox import nudge
from apps.common.background.queues import Queue
from apps.common.errors import WrongState
from apps.common.models import OutboxMessage


@transaction.atomic
def outbox_replay(*, staff: Any, message_id: int) -> None:
    """Make a message due at once and reset its attempts. This also ends the pause after a
    failure. Writes an audit entry.

    Raises:
        WrongState: the message has been delivered, or its first delivery is running.
    """
    open_messages = OutboxMessage.objects.filter(pk=message_id, delivered_at__isnull=True).exclude(
        last_error=""
    )
    if not open_messages.update(dead_at=None, attempts=0, available_at=timezone.now()):
        raise WrongState("该消息已投递或正在投递，无需重新投递")
    message = OutboxMessage.objects.get(pk=message_id)
    act_log(subject=message, staff=staff, changes={"投递": ("失败", "重新投递")})
    queue = Queue(message.queue)
    transaction.on_commit(lambda: nudge(queue), robust=True)
