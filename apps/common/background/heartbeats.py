"""The last sign of each worker, one row per queue. Every task that Celery beat sends to the
queue updates it. `/readyz` reads it.
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.common.background.queues import Queue
from apps.common.models.outbox import RunnerLease

# Celery beat sends a task every 10 s.
SILENT_AFTER = timedelta(seconds=90)


def record_heartbeat(queue: Queue) -> None:
    """Record that a worker of the queue is alive."""
    RunnerLease.objects.update_or_create(
        name=_name(queue),
        defaults={"holder": "worker", "expires_at": timezone.now() + SILENT_AFTER},
    )


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
