"""Deliver a message once more that has failed too often: staff have mended what it failed of."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from apps.common.errors import WrongState
from apps.common.models import OutboxMessage
from apps.common.outbox import nudge
from apps.common.queues import Queue


@transaction.atomic
def outbox_replay(*, message_id: int) -> None:
    """Make a message due at once, with all of its tries; one that rests after a failure need not wait for its time either.

    Raises:
        WrongState: it has been delivered, or is being delivered for the first time.
    """
    open_messages = OutboxMessage.objects.filter(pk=message_id, delivered_at__isnull=True).exclude(last_error="")
    if not open_messages.update(dead_at=None, attempts=0, available_at=timezone.now()):
        raise WrongState("该消息已投递或正在投递，无需重新投递")
    queue = Queue(OutboxMessage.objects.values_list("queue", flat=True).get(pk=message_id))
    transaction.on_commit(lambda: nudge(queue), robust=True)
