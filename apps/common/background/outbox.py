"""The outbox: messages are published inside the transaction and delivered after the commit.
Every handler may run twice.
"""

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
BatchHandler = Callable[[Sequence[OutboxMessage]], None]
_handlers: dict[str, list[Handler]] = {}
_batch_handlers: dict[Handler, BatchHandler] = {}
_queues: dict[str, Queue] = {}
BROKER_REST_SECONDS = 30.0
_broker_back_at = 0.0
# They wake the two threads of the embedded runner in this process.
published = Event()
published_bulk = Event()
_delivering: ContextVar[int | None] = ContextVar("outbox_delivering", default=None)
_gathered: ContextVar[list[OutboxMessage] | None] = ContextVar("outbox_gathered", default=None)


def register_outbox_handler(
    topic: str, *, queue: Queue = Queue.INTERACTIVE, batch: BatchHandler | None = None
) -> Callable[[Handler], Handler]:
    """Register a function(key, payload) for a topic, in AppConfig.ready(). All handlers of a
    topic use the same queue.

    `batch` is a function(messages) that does the handler's work for several messages of one group
    with few statements. It gets the claimed messages of all topics that name it, oldest first. If
    it fails, the handler runs for each of them.

    A handler runs in the tenant scope of the publisher and opens its own transaction. It must be
    idempotent: it runs again after a crash before the message is marked as delivered, and after a
    failure of another handler of the topic.
    """

    def register(handler: Handler) -> Handler:
        handlers = _handlers.setdefault(topic, [])
        if handler not in handlers:
            handlers.append(handler)
        if batch is not None:
            _batch_handlers[handler] = batch
        if queue != Queue.INTERACTIVE:
            _queues[topic] = queue
        return handler

    return register


def list_handlers(topic: str) -> list[Handler]:
    """Return the functions registered for a topic."""
    return list(_handlers.get(topic, ()))


def find_batch_handler(handler: Handler) -> BatchHandler | None:
    """Return the function that does the work of a handler for several messages, if it has one."""
    return _batch_handlers.get(handler)


def get_queue(topic: str) -> Queue:
    """Return the queue of a topic's messages."""
    return _queues.get(topic, Queue.INTERACTIVE)


@contextmanager
def delivering(message: OutboxMessage) -> Generator[None]:
    """Set the current message for the handlers that run in the block."""
    token = _delivering.set(message.pk)
    try:
        yield
    finally:
        _delivering.reset(token)


def get_message_number() -> int | None:
    """Return the primary key of the message that is being delivered, or None outside a
    delivery. It is the same in every attempt.
    """
    return _delivering.get()


@contextmanager
def outbox_gathered() -> Generator[None]:
    """Write the messages that are published in the block with one statement, when it ends. Use it
    inside the transaction of the messages; after an exception nothing is written.
    """
    if _gathered.get() is not None:  # the outer block writes them
        yield
        return
    messages: list[OutboxMessage] = []
    token = _gathered.set(messages)
    try:
        yield
    finally:
        _gathered.reset(token)
    OutboxMessage.objects.bulk_create(messages, batch_size=500)


def outbox_publish(
    *,
    topic: str,
    key: str = "",
    payload: dict[str, Any] | None = None,
    rest: timedelta = timedelta(),
) -> OutboxMessage:
    """Write a message in the caller's transaction and return it. It is delivered after the
    commit, in the caller's tenant scope, after the pause `rest`. Within `outbox_gathered` it is
    returned unsaved.
    """
    scope, queue = open_scope(), get_queue(topic)
    group_id = scope.group_id if scope else None
    message = OutboxMessage(
        topic=topic,
        key=key,
        payload=payload or {},
        group_id=group_id,
        queue=queue,
        available_at=timezone.now() + rest,
    )
    gathered = _gathered.get()
    if gathered is None:
        message.save(force_insert=True)
    else:
        gathered.append(message)
    _nudge_after_commit(queue)
    return message


def outbox_publish_all(*, topic: str, messages: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Write many messages (key, payload) of one topic, as `outbox_publish` does, with few
    statements.
    """
    scope, now, queue = open_scope(), timezone.now(), get_queue(topic)
    shared: dict[str, Any] = {
        "topic": topic,
        "group_id": scope.group_id if scope else None,
        "queue": queue,
        "available_at": now,
    }
    rows = (OutboxMessage(key=key, payload=payload, **shared) for key, payload in messages)
    OutboxMessage.objects.bulk_create(rows, batch_size=500)
    if messages:
        _nudge_after_commit(queue)


@dataclass(frozen=True, slots=True)
class Nudge:
    """An on_commit callback that nudges a queue. Instances of one queue are equal, so that a
    transaction nudges each queue only once.
    """

    queue: Queue

    def __call__(self) -> None:
        nudge(self.queue)


def _nudge_after_commit(queue: Queue) -> None:
    call = Nudge(queue)
    if not any(function == call for _, function, _ in transaction.get_connection().run_on_commit):
        transaction.on_commit(call, robust=True)


def nudge(queue: Queue = Queue.INTERACTIVE) -> None:
    """Tell the worker of the queue that there is a message. If the broker is down, nudges pause
    for 30 s; Celery beat finds the messages anyway.
    """
    global _broker_back_at
    if not settings.CELERY_BROKER_URL:
        (published_bulk if queue == Queue.BULK else published).set()
    elif time.monotonic() >= _broker_back_at:
        try:
            current_app.send_task(QUEUES[queue].task, retry=False)
        except OperationalError as error:
            _broker_back_at = time.monotonic() + BROKER_REST_SECONDS
            log.warning("broker_away", error=str(error)[:200])
