"""Deliver due outbox messages: claim them, run the handlers, mark them. Delivery is at least once,
with a longer pause after each failure. Staff replay a message that has failed too often.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.common.audit import act_log
from apps.common.background.outbox import (
    BatchHandler,
    Handler,
    delivering,
    find_batch_handler,
    get_message_number,
    list_handlers,
    nudge,
)
from apps.common.background.queues import QUEUES, Queue
from apps.common.errors import WrongState
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope, tenant_scope

log = structlog.get_logger(__name__)

# If a process dies, its claimed messages are due again after this time.
CLAIM = timedelta(seconds=60)
# Messages per claim. Messages that were not started within WORK_SECONDS are released for the next
# claim, long before this claim expires.
MESSAGES_PER_CLAIM = QUEUES[Queue.INTERACTIVE].at_once
WORK_SECONDS = 5.0
FIRST_PAUSE_SECONDS = 5
MAX_PAUSE_SECONDS = 3600
# After this many failures, about three and a half days, a message is dead. Staff can replay it.
MAX_ATTEMPTS = 90
ALL = tuple(Queue)
KEEP_DELIVERED = timedelta(days=30)


def outbox_deliver(*, batch: int = 50, queues: Collection[Queue] = ALL) -> int:
    """Deliver up to `batch` due messages of the queues, oldest first. Return the number of
    attempts. If it is less than `batch`, no message is due.
    """
    at_once = max(QUEUES[queue].at_once for queue in queues)
    count, delivered = 0, list[OutboxMessage]()
    while count < batch:
        claimed_messages = _claim_messages(min(at_once, batch - count), queues, delivered)
        if not claimed_messages:
            return count
        attempts, delivered = _deliver_all(claimed_messages)
        count += attempts
    _mark_delivered(delivered)
    return count


def _claim_messages(
    limit: int, queues: Collection[Queue], delivered: Sequence[OutboxMessage]
) -> list[OutboxMessage]:
    """Mark the messages `delivered`, and claim the next due messages for CLAIM. PostgreSQL skips
    rows that another worker is claiming; SQLite has only one writer.
    """
    now = timezone.now()
    if connection.vendor == "postgresql":
        return _claim_with_one_statement(limit, queues, delivered, now)
    _mark_delivered(delivered)
    due_messages = list_waiting_messages(*queues)
    if not due_messages.exists():  # usually there is nothing, and no lock is needed
        return []
    with transaction.atomic():
        claimed_messages = list(due_messages[:limit])
        _filter_rows(claimed_messages).update(attempts=F("attempts") + 1, available_at=now + CLAIM)
    for message in claimed_messages:
        message.attempts += 1
    return claimed_messages


# A delivered message whose claim has expired is due for this statement too. It is left out, because
# one statement must not change a row twice.
MARK_AND_CLAIM = """
WITH delivered AS (
    UPDATE common_outboxmessage SET delivered_at = %(now)s WHERE id = ANY(%(delivered)s)
), due AS MATERIALIZED (
    SELECT id, available_at FROM common_outboxmessage
    WHERE delivered_at IS NULL AND dead_at IS NULL AND available_at <= %(now)s
        AND queue = ANY(%(queues)s) AND id <> ALL(%(delivered)s)
    ORDER BY available_at, id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE common_outboxmessage message
SET attempts = message.attempts + 1, available_at = %(claimed_until)s
FROM due WHERE message.id = due.id
RETURNING message.*, due.available_at AS due_at
"""


def _claim_with_one_statement(
    limit: int, queues: Collection[Queue], delivered: Sequence[OutboxMessage], now: datetime
) -> list[OutboxMessage]:
    """Do the work of `_claim_messages` on PostgreSQL. Return the claimed messages oldest first."""
    values = {
        "now": now,
        "claimed_until": now + CLAIM,
        "delivered": [message.pk for message in delivered],
        "queues": [queue.value for queue in queues],
        "limit": limit,
    }
    claimed_messages: Any = OutboxMessage.objects.raw(MARK_AND_CLAIM, values)
    return sorted(claimed_messages, key=lambda message: (message.due_at, message.pk))


def list_waiting_messages(*queues: Queue) -> QuerySet[OutboxMessage]:
    """Return the due messages of the queues that nobody has claimed, in the order of their
    delivery.
    """
    return OutboxMessage.objects.filter(
        delivered_at__isnull=True,
        dead_at__isnull=True,
        available_at__lte=timezone.now(),
        queue__in=queues,
    ).order_by("available_at", "id")


def count_messages_before(message: OutboxMessage) -> int:
    """Return the number of messages of its queue that are due before this one, and of those that
    were claimed within CLAIM.
    """
    now = timezone.now()
    is_earlier = Q(available_at__lt=message.available_at) | Q(
        available_at=message.available_at, pk__lt=message.pk
    )
    is_claimed = Q(available_at__gt=now, available_at__lte=now + CLAIM, last_error="")
    return OutboxMessage.objects.filter(
        is_earlier | is_claimed & Q(attempts__gt=0),
        delivered_at__isnull=True,
        dead_at__isnull=True,
        queue=message.queue,
    ).count()


def message_lock() -> None:
    """Extend the claim of the message that is being delivered by another CLAIM. A long handler
    calls it every few seconds.
    """
    OutboxMessage.objects.filter(pk=get_message_number() or 0, delivered_at__isnull=True).update(
        available_at=timezone.now() + CLAIM
    )


def _filter_rows(messages: Sequence[OutboxMessage]) -> QuerySet[OutboxMessage]:
    return OutboxMessage.objects.filter(pk__in=[message.pk for message in messages])


def _mark_delivered(messages: Sequence[OutboxMessage]) -> None:
    """Save that the messages are delivered. No query for no message."""
    if messages:
        _filter_rows(messages).update(delivered_at=timezone.now())


def _deliver_all(messages: Sequence[OutboxMessage]) -> tuple[int, list[OutboxMessage]]:
    """Run the handlers of the claimed messages. Return the number of attempts and the messages
    without a failure, which are not marked yet. Messages that were not started in time are due
    again at once.
    """
    end, count = time.monotonic() + WORK_SECONDS, 0
    finished_in_batches = _run_batches(messages)
    delivered = []
    for message in messages:
        if count and time.monotonic() > end:
            break
        count += 1
        if _deliver_message(message, finished_handlers=finished_in_batches[message.pk]):
            delivered.append(message)
    if unprocessed := messages[count:]:
        _filter_rows(unprocessed).update(attempts=F("attempts") - 1, available_at=timezone.now())
    return count, delivered


def _build_scope(message: OutboxMessage) -> AbstractContextManager[object]:
    """Return the tenant scope in which the message was published."""
    if message.group_id is None:
        return platform_scope(reason=f"outbox {message.topic}")
    return tenant_scope(group_id=message.group_id)


def _run_batches(messages: Sequence[OutboxMessage]) -> defaultdict[int, set[Handler]]:
    """Run the batch handlers that have at least two of the messages. Return, by primary key of a
    message, its handlers whose work is done.

    A message of the platform and one that has failed before take part in no batch: the former has
    no group, the latter would stop the others again.
    """
    batches: dict[tuple[int, BatchHandler], list[tuple[OutboxMessage, Handler]]] = defaultdict(list)
    for message in messages:
        if message.group_id is None or message.attempts > 1:
            continue
        for handler in list_handlers(message.topic):
            if batch_handler := find_batch_handler(handler):
                batches[message.group_id, batch_handler].append((message, handler))
    done: defaultdict[int, set[Handler]] = defaultdict(set)
    for (_, batch_handler), tasks in batches.items():
        if len(tasks) < 2:
            continue
        try:
            with _build_scope(tasks[0][0]):
                batch_handler([message for message, _ in tasks])
        except Exception:
            log.exception("outbox_batch_failed", messages=[message.pk for message, _ in tasks])
            continue
        for message, handler in tasks:
            done[message.pk].add(handler)
    return done


def _deliver_message(message: OutboxMessage, *, finished_handlers: Collection[Handler]) -> bool:
    """Run the handlers of a message, except `finished_handlers`. Return whether all succeeded.
    After a failure the message is due again after a pause, or dead after MAX_ATTEMPTS.
    """
    topic = message.topic
    try:
        with _build_scope(message), delivering(message):
            for handler in list_handlers(topic):
                if handler not in finished_handlers:
                    handler(message.key, message.payload)
    except Exception as error:
        log.exception("outbox_failed", topic=topic, key=message.key, attempts=message.attempts)
        message.last_error = f"{type(error).__name__}: {error}"[:500]
        message.available_at = timezone.now() + pause_after(message.attempts)
        if message.attempts >= MAX_ATTEMPTS:
            message.dead_at = timezone.now()
            log.error("outbox_dead", topic=topic, key=message.key, message=message.pk)
        message.save(update_fields=["last_error", "available_at", "dead_at"])
        return False
    return True


def pause_after(attempts: int) -> timedelta:
    """Return the pause after the n-th failure of a message: 5 s, 10 s, 20 s … at most one hour."""
    return timedelta(
        seconds=min(FIRST_PAUSE_SECONDS * 2 ** min(attempts - 1, 12), MAX_PAUSE_SECONDS)
    )


def purge_delivered() -> int:
    """Delete messages that were delivered more than 30 days ago. Return how many were deleted."""
    deleted, _ = OutboxMessage.objects.filter(
        delivered_at__lt=timezone.now() - KEEP_DELIVERED
    ).delete()
    return deleted


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
