"""Delete the files of exports after seven days and their rows after thirty days."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.common.background.periodic import run_for_each
from apps.common.services.file_store import file_forget
from apps.reports.enums import OPEN_EXPORTS, ExportState
from apps.reports.models import ExportJob

KEEP_ROWS = timedelta(days=30)


def exports_purge() -> int:
    """Delete expired files and rows older than 30 days. Return the number of expired exports.
    Runs in the platform's scope.
    """
    now = timezone.now()
    over = ExportJob.objects.filter(state=ExportState.DONE, expires_at__lte=now).values_list("pk")[
        :500
    ]
    done = run_for_each(list(over), _expire)
    old = ExportJob.objects.filter(created_at__lt=now - KEEP_ROWS, file__isnull=True).exclude(
        state__in=[*OPEN_EXPORTS, ExportState.DONE]
    )
    old.delete()
    return done


def _expire(pk: int) -> bool:
    """Delete the file before the state changes. After a crash between the two steps, the next
    run completes the change.
    """
    job = ExportJob.objects.select_related("file").get(pk=pk)
    if job.file is not None:
        file_forget(job.file)
    ExportJob.objects.filter(pk=pk, state=ExportState.DONE).update(
        state=ExportState.EXPIRED, file=None
    )
    return True
