"""The three queues of the outbox: a long export keeps no letter waiting, a slow mail server no order (docs/operations.md)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import models


class Queue(models.TextChoices):
    """What a message waits in; its topic says which (`outbox_handler`)."""

    INTERACTIVE = "interactive", "即时"
    MAIL = "mail", "对外发送"
    BULK = "bulk", "批量"


@dataclass(frozen=True, slots=True)
class QueueRule:
    """How a queue is worked off: by which task, after how many seconds the task is warned and killed, how many messages a claim takes."""

    task: str
    soft_seconds: int
    hard_seconds: int
    at_once: int


# The hard limit stays below VISIBLE_AGAIN_SECONDS: until then no broker gives a task to a second worker.
QUEUES: dict[Queue, QueueRule] = {
    Queue.INTERACTIVE: QueueRule("common.outbox_deliver", 120, 180, 20),
    Queue.MAIL: QueueRule("common.outbox_deliver_mail", 300, 360, 20),
    # One at a time: what it takes may last for minutes, and nothing else waits behind it with its claim running out.
    Queue.BULK: QueueRule("common.outbox_deliver_bulk", 1500, 1800, 1),
}
JOBS_TASK = "common.run_due_jobs"
VISIBLE_AGAIN_SECONDS = 3600
# What the embedded runner's first thread works off; the second has BULK alone.
SHORT = (Queue.INTERACTIVE, Queue.MAIL)
