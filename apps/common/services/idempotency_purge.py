"""Delete old answers stored under an Idempotency-Key."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.common.models import IdempotencyRecord

KEEP = timedelta(days=7)


def idempotency_purge() -> int:
    """Delete records older than 7 days. Return how many were deleted."""
    deleted, _ = IdempotencyRecord.objects.filter(created_at__lt=timezone.now() - KEEP).delete()
    return deleted
