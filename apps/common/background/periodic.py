"""Jobs that run by the clock: registered by the apps, run once per period over all processes."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog

from apps.common.background.leases import lease_release, lease_take
from apps.common.tenancy import platform_scope

log = structlog.get_logger(__name__)
Job = Callable[[], object]
RETRY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class PeriodicJob:
    """A job and how often it runs."""

    name: str
    every: timedelta
    run: Job


_jobs: dict[str, PeriodicJob] = {}


def periodic_job(name: str, *, every: timedelta) -> Callable[[Job], Job]:
    """Register a function without arguments to run every so often, in the platform's scope; register in AppConfig.ready().

    It must be idempotent: a job that dies in the middle is run again in the next period.
    """

    def register(job: Job) -> Job:
        _jobs[name] = PeriodicJob(name, every, job)
        return job

    return register


def periodic_jobs() -> list[PeriodicJob]:
    """Return every registered job by name."""
    return [_jobs[name] for name in sorted(_jobs)]


def done_for_each(rows: Iterable[tuple[Any, ...]], work: Callable[..., bool]) -> int:
    """Do a job's work row by row and return for how many it was done; one that fails is logged, and keeps none behind it waiting."""
    done = 0
    for row in rows:
        try:
            done += work(*row)
        except Exception:
            log.exception("job_row_failed", work=work.__name__, row=row)
    return done


def run_due_jobs() -> list[str]:
    """Run each job whose period has begun; return their names. The lease of a job lasts its period, so no other process runs it too."""
    return [job.name for job in periodic_jobs() if _run(job)]


def _run(job: PeriodicJob) -> bool:
    lease, holder = f"job:{job.name}", uuid.uuid4().hex
    if not lease_take(name=lease, holder=holder, duration=job.every):
        return False
    try:
        with platform_scope(reason=lease):
            outcome = job.run()
    except Exception:
        log.exception("job_failed", job=job.name)
        lease_release(name=lease, holder=holder, after=min(RETRY, job.every))
        return True
    log.info("job_done", job=job.name, outcome=outcome if isinstance(outcome, int) else None)
    return True
