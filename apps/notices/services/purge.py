"""Forget what was told long ago."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.notices.models import Notice, NoticeDigest

KEPT = timedelta(days=365)
AT_ONCE = 2000


def notices_purge() -> int:
    """Delete notices older than a year, with their deliveries and links, 2,000 at once; return how many. Runs in the platform's scope."""
    before, gone = timezone.now() - KEPT, 0
    while keys := list(Notice.objects.filter(created_at__lt=before).order_by("created_at").values_list("pk", flat=True)[:AT_ONCE]):
        Notice.objects.filter(pk__in=keys).delete()
        gone += len(keys)
    NoticeDigest.objects.filter(day__lt=timezone.localdate(before)).delete()
    return gone
