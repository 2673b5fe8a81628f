"""The outbox: publish inside the transaction, deliver after the commit; every handler may run twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from threading import Event
from typing import Any

import structlog
from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from apps.common.background.queues import QUEUES, Queue
from apps.common.models.outbox import OutboxMessage
from apps.common.tenancy import open_scope

log = structlog.get_logger(__name__)
Handler = Callable[[str, dict[str, Any]], None]
_handlers: dict[str, list[Handler]] = {}
_queues: dict[str, Queue] = {}
BROKER_REST_SECONDS = 30.0
_broker_back_at = 0.0
# Wake the embedded runner of this process: what is short, and what is long.
published = Event()
published_bulk = Event()
_delivering: ContextVar[int | None] = ContextVar("outbox_delivering", default=None)


def outbox_handler(topic: str, *, queue: Queue = Queue.INTERACTIVE) -> Callable[[Handler], Handler]:
    """Register a function(key, payload) for a topic; register in AppConfig.ready(). All handlers of a topic run in one queue.

    It runs in the writer's tenant scope, opens its own transaction, and must be idempotent: a crash between its effect and the
    mark of delivery runs it again, and so does the failure of another handler of the same topic.
    """

    def register(handler: Handler) -> Handler:
        handlers = _handlers.setdefault(topic, [])
        if handler not in handlers:
            handlers.append(handler)
        if queue != Queue.INTERACTIVE:
            _queues[topic] = queue
        return handler

    return register


def handlers_of(topic: str) -> list[Handler]:
    """Return the functions registered for a topic."""
    return list(_handlers.get(topic, ()))


def queue_of(topic: str) -> Queue:
    """Return the queue in which a topic's messages wait."""
    return _queues.get(topic, Queue.INTERACTIVE)


@contextmanager
def delivering(message: OutboxMessage) -> Generator[None]:
    """Say for the block which message the handlers are given."""
    token = _delivering.set(message.pk)
    try:
        yield
    finally:
        _delivering.reset(token)


def message_number() -> int | None:
    """Return the number of the message that is being delivered, the same each time it is; None outside a delivery."""
    return _delivering.get()


def outbox_publish(*, topic: str, key: str = "", payload: dict[str, Any] | None = None, rest: timedelta = timedelta()) -> OutboxMessage:
    """Return a message, written in the caller's transaction and delivered in the writer's tenant scope after it, `rest` later."""
    scope, queue = open_scope(), queue_of(topic)
    group_id = scope.group_id if scope else None
    message = OutboxMessage.objects.create(
        topic=topic, key=key, payload=payload or {}, group_id=group_id, queue=queue, available_at=timezone.now() + rest
    )
    _nudge_after_commit(queue)
    return message


def outbox_publish_all(*, topic: str, messages: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Write many messages (key, payload) of one topic as outbox_publish does, in few statements."""
    scope, now, queue = open_scope(), timezone.now(), queue_of(topic)
    said: dict[str, Any] = {"topic": topic, "group_id": scope.group_id if scope else None, "queue": queue, "available_at": now}
    rows = (OutboxMessage(key=key, payload=payload, **said) for key, payload in messages)
    OutboxMessage.objects.bulk_create(rows, batch_size=500)
    if messages:
        _nudge_after_commit(queue)


@dataclass(frozen=True, slots=True)
class Nudge:
    """Called after the commit: equal for one queue, so that a transaction nudges each queue once."""

    queue: Queue

    def __call__(self) -> None:
        nudge(self.queue)


def _nudge_after_commit(queue: Queue) -> None:
    wanted = Nudge(queue)
    if not any(function == wanted for _, function, _ in transaction.get_connection().run_on_commit):
        transaction.on_commit(wanted, robust=True)


def nudge(queue: Queue = Queue.INTERACTIVE) -> None:
    """Tell whoever works the queue off that there is something; a broker that is away is left alone for a while, beat comes anyway."""
    global _broker_back_at
    if not settings.CELERY_BROKER_URL:
        (published_bulk if queue == Queue.BULK else published).set()
    elif time.monotonic() >= _broker_back_at:
        try:
            current_app.send_task(QUEUES[queue].task, retry=False)
        except OperationalError as error:
            _broker_back_at = time.monotonic() + BROKER_REST_SECONDS
            log.warning("broker_away", error=str(error)[:200])
