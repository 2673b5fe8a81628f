"""The worker's side of the outbox and of the periodic jobs."""

from __future__ import annotations

from celery import shared_task

from apps.common.delivery import outbox_deliver
from apps.common.outbox import DELIVER_TASK
from apps.common.periodic import run_due_jobs


@shared_task(name=DELIVER_TASK)
def deliver() -> int:
    """Deliver what is due; return how many messages were tried."""
    return outbox_deliver(batch=200)


@shared_task(name="common.run_due_jobs")
def run_jobs() -> list[str]:
    """Run the periodic jobs whose time has come; return their names."""
    return run_due_jobs()
