"""A year later what was sent is known no more."""

from datetime import timedelta

from django.utils import timezone

from apps.reports.models import ReportSend

KEEP = timedelta(days=366)


def sends_purge() -> int:
    """Delete sends of more than a year ago with their letters; return how many rows. Runs in the platform's scope."""
    deleted: int = ReportSend.objects.filter(created_at__lt=timezone.now() - KEEP).delete()[0]
    return deleted
