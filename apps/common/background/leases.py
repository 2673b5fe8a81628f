"""Leases: a named row that one process holds until it expires, so that only one of many
processes does the work.
"""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

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
