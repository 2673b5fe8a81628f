"""When a worker last answered: a row for each queue, written by every task beat sends there (/readyz)."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.common.background.queues import Queue
from apps.common.models.outbox import RunnerLease

# Beat comes every 10 s; a worker that is busy with a long piece of work says so by `message_hold`.
SILENT_AFTER = timedelta(seconds=90)


def heart_beat(queue: Queue) -> None:
    """Say that a worker of the queue is alive."""
    RunnerLease.objects.update_or_create(name=_name(queue), defaults={"holder": "worker", "expires_at": timezone.now() + SILENT_AFTER})


def workers_heard() -> dict[str, str]:
    """Return for each queue "ok", or "silent" where no worker has answered for 90 s."""
    alive = set(RunnerLease.objects.filter(name__startswith="worker:", expires_at__gt=timezone.now()).values_list("name", flat=True))
    return {queue.value: "ok" if _name(queue) in alive else "silent" for queue in Queue}


def _name(queue: Queue) -> str:
    return f"worker:{queue.value}"
