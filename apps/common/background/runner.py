"""The runner. Without a broker, one process at a time delivers the outbox and runs the periodic
jobs: a process of its own (`manage.py run_background`), or one of the web processes.

Each process that may run them also has a thread for the bulk queue.
"""

from __future__ import annotations

import atexit
import os
import socket
import threading
import time
import uuid
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import close_old_connections

from apps.common.background.delivery import MESSAGES_PER_CLAIM, outbox_deliver
from apps.common.background.leases import lease_release, lease_take
from apps.common.background.outbox import published, published_bulk
from apps.common.background.periodic import run_due_jobs
from apps.common.background.queues import SHORT, Queue

log = structlog.get_logger(__name__)

LEASE = "runner"
# Other processes check the lease every RENEW_SECONDS, so a dead holder is replaced within 26 s.
TAKEOVER = timedelta(seconds=20)
RENEW_SECONDS = 6.0
# A web process is woken by its own messages (`published`), a process of its own only looks.
POLL_SECONDS = 2.0
OWN_PROCESS_POLL_SECONDS = 0.5
BULK_POLL_SECONDS = 5.0
JOBS_SECONDS = 10.0
# Requests come first: after a batch the runner pauses twice as long as it worked. Meanwhile the
# next batch accumulates.
REST_TIMES = 2.0
REST_SECONDS = (0.1, 2.0)


class Runner:
    """A process that competes for the runner's lease. `turn()` does the due work if this
    process holds the lease.
    """

    def __init__(self, poll_seconds: float = POLL_SECONDS) -> None:
        self.poll_seconds = poll_seconds
        self.holder = f"{socket.gethostname()[:60]}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self._renewed_at = float("-inf")
        self._jobs_at = float("-inf")
        self._holds = False

    def turn(self) -> bool:
        """Deliver due messages in batches and run due jobs. Return whether this process holds
        the lease.
        """
        if not self._renew_lease():
            return False
        self._deliver_outbox()
        if self._holds and self._are_jobs_due():
            self._jobs_at = time.monotonic()
            run_due_jobs()
        return self._holds

    def _deliver_outbox(self) -> None:
        """Deliver messages until the queue is empty, the lease is lost, or periodic jobs are
        due.
        """
        # One claim at a time, so that a long queue neither loses the lease nor delays the jobs.
        began = time.monotonic()
        while (
            outbox_deliver(batch=MESSAGES_PER_CLAIM, queues=SHORT) == MESSAGES_PER_CLAIM
            and self._renew_lease()
            and not self._are_jobs_due()
        ):
            least, most = REST_SECONDS
            time.sleep(min(max(least, (time.monotonic() - began) * REST_TIMES), most))
            began = time.monotonic()

    def _are_jobs_due(self) -> bool:
        return time.monotonic() - self._jobs_at >= JOBS_SECONDS

    def _renew_lease(self) -> bool:
        """Return whether this process holds the lease. It is renewed every RENEW_SECONDS."""
        if time.monotonic() - self._renewed_at >= RENEW_SECONDS:
            self._holds = lease_take(name=LEASE, holder=self.holder, duration=TAKEOVER)
            if self._holds:
                self._renewed_at = time.monotonic()
        return self._holds

    def release(self) -> None:
        """Release the lease at once, so that another process can take it."""
        if self._holds:
            self._holds = False
            lease_release(name=LEASE, holder=self.holder)

    def forever(self) -> None:
        """Deliver messages and run due jobs in turn until the process ends."""
        while True:
            close_old_connections()
            published.clear()
            try:
                holds = self.turn()
            except Exception:  # the database may be down or not yet migrated
                log.exception("runner_failed")
                holds = False
            if holds:
                published.wait(self.poll_seconds)
            else:
                time.sleep(RENEW_SECONDS)


def process_bulk_forever() -> None:
    """Process the bulk queue, one message at a time, until the process ends. This needs no
    lease, because each message is claimed on its own.
    """
    while True:
        close_old_connections()
        published_bulk.clear()
        try:
            while outbox_deliver(batch=1, queues=[Queue.BULK]):
                time.sleep(REST_SECONDS[0])
        except Exception:  # the database may be down or not yet migrated
            log.exception("runner_failed")
        published_bulk.wait(BULK_POLL_SECONDS)


_started_in: int | None = None


def ensure_runner() -> None:
    """Start the runner's threads in this web process, once, if EMBEDDED_RUNNER is set."""
    global _started_in
    if not settings.EMBEDDED_RUNNER or _started_in == os.getpid():
        return
    _started_in = os.getpid()
    os.register_at_fork(after_in_child=ensure_runner)
    start_threads(Runner())


def start_threads(runner: Runner) -> None:
    """Start the runner and the thread for the bulk queue. The end of the process releases the
    lease.
    """
    atexit.register(runner.release)
    threading.Thread(target=runner.forever, name="runner", daemon=True).start()
    threading.Thread(target=process_bulk_forever, name="bulk", daemon=True).start()
