"""Files of exports go after seven days, their rows after thirty."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.common.background.periodic import done_for_each
from apps.common.services.file_store import file_forget
from apps.reports.enums import OPEN_EXPORTS, ExportState
from apps.reports.models import ExportJob

KEEP_ROWS = timedelta(days=30)


def exports_purge() -> int:
    """Delete the files that have run out and the rows of a month ago; return how many files. Runs in the platform's scope."""
    now = timezone.now()
    over = ExportJob.objects.filter(state=ExportState.DONE, expires_at__lte=now).values_list("pk")[:500]
    done = done_for_each(list(over), _expire)
    old = ExportJob.objects.filter(created_at__lt=now - KEEP_ROWS, file__isnull=True).exclude(state__in=[*OPEN_EXPORTS, ExportState.DONE])
    old.delete()
    return done


def _expire(pk: int) -> bool:
    """The file first: after a crash in between the next turn finds the mark missing and makes it."""
    job = ExportJob.objects.select_related("file").get(pk=pk)
    if job.file is not None:
        file_forget(job.file)
    ExportJob.objects.filter(pk=pk, state=ExportState.DONE).update(state=ExportState.EXPIRED, file=None)
    return True
