"""Delete the sends of subscriptions after one year."""

from datetime import timedelta

from django.utils import timezone

from apps.reports.models import ReportSend

KEEP = timedelta(days=366)


def sends_purge() -> int:
    """Delete sends older than one year with their letters. Return the number of deleted rows.
    Runs in the platform's scope.
    """
    deleted: int = ReportSend.objects.filter(created_at__lt=timezone.now() - KEEP).delete()[0]
    return deleted
