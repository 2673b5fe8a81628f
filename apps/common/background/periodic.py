"""Periodic jobs. Apps register them. Each job runs once per period across all processes."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.utils import timezone

from apps.common.background.leases import lease_release, lease_take
from apps.common.models.outbox import JobRun
from apps.common.tenancy import platform_scope

log = structlog.get_logger(__name__)
Job = Callable[[], object]
RETRY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class PeriodicJob:
    """A job, its Chinese title and its period."""

    name: str
    title: str
    every: timedelta
    run: Job


_jobs: dict[str, PeriodicJob] = {}


def register_periodic_job(name: str, *, title: str, every: timedelta) -> Callable[[Job], Job]:
    """Register a function without arguments to run once per period in the platform scope.
    Register it in AppConfig.ready(). Staff see the title.

    It must be idempotent: a job that fails or crashes runs again.
    """

    def register(job: Job) -> Job:
        _jobs[name] = PeriodicJob(name, title, every, job)
        return job

    return register


def list_periodic_jobs() -> list[PeriodicJob]:
    """Return every registered job, sorted by name."""
    return [_jobs[name] for name in sorted(_jobs)]


def run_for_each(rows: Iterable[tuple[Any, ...]], work: Callable[..., bool]) -> int:
    """Call `work` for each row. Return for how many rows it returned True. A failure is logged
    and does not stop the other rows.
    """
    count = 0
    for row in rows:
        try:
            count += work(*row)
        except Exception:
            log.exception("job_row_failed", work=work.__name__, row=row)
    return count


def run_due_jobs() -> list[str]:
    """Run each job whose period has begun. Return the names of these jobs.

    The lease of a job lasts for its period, so that no other process runs it as well.
    """
    return [job.name for job in list_periodic_jobs() if _run_job(job)]


def _run_job(job: PeriodicJob) -> bool:
    """Run a job if its lease is free, and record the run. Return whether it ran. After a failure it
    is due again after RETRY.
    """
    lease, holder = f"job:{job.name}", uuid.uuid4().hex
    if not lease_take(name=lease, holder=holder, duration=job.every):
        return False
    started_at, began = timezone.now(), time.monotonic()
    try:
        with platform_scope(reason=lease):
            outcome = job.run()
    except Exception as error:
        log.exception("job_failed", job=job.name)
        lease_release(name=lease, holder=holder, after=min(RETRY, job.every))
        _record_run(job, started_at, time.monotonic() - began, error=repr(error))
        return True
    _record_run(job, started_at, time.monotonic() - began, outcome=outcome)
    log.info("job_done", job=job.name, outcome=outcome if isinstance(outcome, int) else None)
    return True


def _record_run(
    job: PeriodicJob,
    started_at: datetime,
    seconds: float,
    *,
    outcome: object = None,
    error: str = "",
) -> None:
    """Replace the record of the job's newest run."""
    values = {
        "started_at": started_at,
        "seconds": seconds,
        "count": outcome if isinstance(outcome, int) else None,
        "error": error[:200],
    }
    JobRun.objects.update_or_create(name=job.name, defaults=values)
