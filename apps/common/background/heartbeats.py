"""The last sign of each worker, one row per queue. Every task that Celery beat sends to the
queue updates it, when it begins and regularly until it ends. `/readyz` reads it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread

import structlog
from django.db import DatabaseError, connections
from django.utils import timezone

from apps.common.background.queues import Queue
from apps.common.models.outbox import RunnerLease

log = structlog.get_logger(__name__)

# Celery beat sends a task every 10 s.
SILENT_AFTER = timedelta(seconds=90)
# While a task runs.
BEAT_SECONDS = 30.0


def record_heartbeat(queue: Queue) -> None:
    """Record that a worker of the queue is alive."""
    RunnerLease.objects.update_or_create(
        name=_name(queue),
        defaults={"holder": "worker", "expires_at": timezone.now() + SILENT_AFTER},
    )


@contextmanager
def heartbeats(queue: Queue) -> Generator[None]:
    """Record a heartbeat now and every BEAT_SECONDS until the block ends. A bulk message may take
    minutes, and its worker takes no other task meanwhile. Time limits end a task that hangs.
    """
    record_heartbeat(queue)
    stop = Event()
    thread = Thread(target=_beat, args=(queue, stop), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _beat(queue: Queue, stop: Event) -> None:
    try:
        while not stop.wait(BEAT_SECONDS):
            try:
                record_heartbeat(queue)
            except DatabaseError as error:
                log.warning("heartbeat_failed", queue=queue.value, error=type(error).__name__)
    finally:
        connections.close_all()  # only the connections of this thread


def list_heartbeats() -> dict[str, str]:
    """Return "ok" for each queue, or "silent" if no worker has answered for 90 s."""
    alive = set(
        RunnerLease.objects.filter(
            name__startswith="worker:", expires_at__gt=timezone.now()
        ).values_list("name", flat=True)
    )
    return {queue.value: "ok" if _name(queue) in alive else "silent" for queue in Queue}


def _name(queue: Queue) -> str:
    return f"worker:{queue.value}"
