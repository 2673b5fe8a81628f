"""Celery tasks: one per queue of the outbox, and one for the periodic jobs, each with its own
time limits.
"""

from __future__ import annotations

from celery import shared_task

from apps.common.background.delivery import outbox_deliver
from apps.common.background.leases import heartbeats
from apps.common.background.periodic import run_due_jobs
from apps.common.background.queues import JOBS_TASK, QUEUES, Queue

NOW, MAIL, BULK = (QUEUES[queue] for queue in (Queue.INTERACTIVE, Queue.MAIL, Queue.BULK))


@shared_task(name=NOW.task, soft_time_limit=NOW.soft_seconds, time_limit=NOW.hard_seconds)
def deliver() -> int:
    """Deliver due messages of the interactive queue. Return the number of attempts."""
    with heartbeats(Queue.INTERACTIVE):
        return outbox_deliver(batch=200, queues=[Queue.INTERACTIVE])


@shared_task(name=MAIL.task, soft_time_limit=MAIL.soft_seconds, time_limit=MAIL.hard_seconds)
def deliver_mail() -> int:
    """Deliver due messages that are sent to other systems, such as emails. Return the number of
    attempts.
    """
    with heartbeats(Queue.MAIL):
        return outbox_deliver(batch=60, queues=[Queue.MAIL])


@shared_task(name=BULK.task, soft_time_limit=BULK.soft_seconds, time_limit=BULK.hard_seconds)
def deliver_bulk() -> int:
    """Process one bulk message, so that each message gets the full time limit. Return the
    number of attempts.
    """
    with heartbeats(Queue.BULK):
        return outbox_deliver(batch=1, queues=[Queue.BULK])


@shared_task(name=JOBS_TASK, soft_time_limit=900, time_limit=960)
def run_jobs() -> list[str]:
    """Run the due periodic jobs. Return their names."""
    with heartbeats(Queue.INTERACTIVE):
        return run_due_jobs()
