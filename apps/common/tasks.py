"""The worker's side of the outbox and of the periodic jobs: a task for each queue, with its own limits of time."""

from __future__ import annotations

from celery import shared_task

from apps.common.background.delivery import outbox_deliver
from apps.common.background.heartbeats import heart_beat
from apps.common.background.periodic import run_due_jobs
from apps.common.background.queues import JOBS_TASK, QUEUES, Queue

NOW, MAIL, BULK = (QUEUES[queue] for queue in (Queue.INTERACTIVE, Queue.MAIL, Queue.BULK))


@shared_task(name=NOW.task, soft_time_limit=NOW.soft_seconds, time_limit=NOW.hard_seconds)
def deliver() -> int:
    """Deliver what is due now; return how many messages were tried."""
    heart_beat(Queue.INTERACTIVE)
    return outbox_deliver(batch=200, queues=[Queue.INTERACTIVE])


@shared_task(name=MAIL.task, soft_time_limit=MAIL.soft_seconds, time_limit=MAIL.hard_seconds)
def deliver_mail() -> int:
    """Deliver what leaves the house; return how many messages were tried."""
    heart_beat(Queue.MAIL)
    return outbox_deliver(batch=60, queues=[Queue.MAIL])


@shared_task(name=BULK.task, soft_time_limit=BULK.soft_seconds, time_limit=BULK.hard_seconds)
def deliver_bulk() -> int:
    """Do one long piece of work, so that each has the whole limit of time; return how many were tried."""
    heart_beat(Queue.BULK)
    return outbox_deliver(batch=1, queues=[Queue.BULK])


@shared_task(name=JOBS_TASK, soft_time_limit=900, time_limit=960)
def run_jobs() -> list[str]:
    """Run the periodic jobs whose time has come; return their names."""
    return run_due_jobs()
