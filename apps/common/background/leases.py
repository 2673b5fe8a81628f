"""Leases of background work, and the heartbeats of the workers."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread

import structlog
from django.db import DatabaseError, IntegrityError, connections, transaction
from django.db.models import Q
from django.utils import timezone

from apps.common.background.queues import Queue
from apps.common.models.outbox import RunnerLease


def lease_take(*, name: str, holder: str, duration: timedelta) -> bool:
    """Take or renew a lease. Return whether `holder` has it now."""
    now = timezone.now()
    until = now + duration
    lease = RunnerLease.objects.filter(name=name).first()
    if lease is None:
        try:
            with transaction.atomic():
                RunnerLease.objects.create(name=name, holder=holder, expires_at=until)
        except IntegrityError:
            return False
        return True
    if lease.holder != holder and lease.expires_at > now:  # another process has it: no write
        return False
    free = RunnerLease.objects.filter(Q(holder=holder) | Q(expires_at__lte=now), name=name)
    return free.update(holder=holder, expires_at=until) == 1


def lease_release(*, name: str, holder: str, after: timedelta = timedelta(0)) -> None:
    """Release the lease, at once or `after` a pause. Does nothing if `holder` no longer has it."""
    RunnerLease.objects.filter(name=name, holder=holder).update(expires_at=timezone.now() + after)


log = structlog.get_logger(__name__)
# Celery beat sends a task every 10 s.
SILENT_AFTER = timedelta(seconds=90)
# While a task runs.
BEAT_SECONDS = 30.0


def record_heartbeat(queue: Queue) -> None:
    """Record that a worker of the queue is alive."""
    RunnerLease.objects.update_or_create(
        name=_get_heartbeat_name(queue),
        defaults={"holder": "worker", "expires_at": timezone.now() + SILENT_AFTER},
    )


@contextmanager
def heartbeats(queue: Queue) -> Generator[None]:
    """Record a heartbeat now and every BEAT_SECONDS until the block ends. A bulk message may take
    minutes, and its worker takes no other task meanwhile. Time limits end a task that hangs.
    """
    record_heartbeat(queue)
    stop = Event()
    thread = Thread(target=_beat_until, args=(queue, stop), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _beat_until(queue: Queue, stop: Event) -> None:
    """Record a heartbeat every BEAT_SECONDS until `stop` is set. Runs in its own thread."""
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
    live_names = set(
        RunnerLease.objects.filter(
            name__startswith="worker:", expires_at__gt=timezone.now()
        ).values_list("name", flat=True)
    )
    return {
        queue.value: "ok" if _get_heartbeat_name(queue) in live_names else "silent"
        for queue in Queue
    }


def _get_heartbeat_name(queue: Queue) -> str:
    return f"worker:{queue.value}"
