"""Ask for an export by a worker, end it, ask for it again."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from apps.common.errors import WrongState
from apps.common.outbox import outbox_publish
from apps.org.locks import lock_account
from apps.org.models import Account
from apps.reports.enums import OPEN_EXPORTS, ExportState, ReportName
from apps.reports.models import ExportJob
from apps.reports.selectors.exports import export_get
from apps.reports.selectors.kept import question_kept
from apps.reports.selectors.question import ReportQuestion, allow_report

RUN_TOPIC = "export.run"
# Of one person at a time; a worker does one after the other anyway.
MOST_OPEN = 3


@transaction.atomic
def export_start(*, actor: Account, report: str, question: ReportQuestion, sort: str) -> ExportJob:
    """Return the export, which a worker takes up after the commit. Its days are those of now, however late it is run.

    Raises:
        Forbidden: the actor has not this report's right.
        ValidationFailed: the days asked for make no period.
        WrongState: three of his are not finished yet.
    """
    allow_report(actor, report)
    days = question.windows().window
    _refuse_more(actor)
    job: ExportJob = ExportJob.objects.create(
        group_id=actor.group_id,
        owner=actor,
        report=report,
        question=question_kept(question.within(days)),
        sort=sort,
        title=f"{ReportName(report).label} {days.since:%Y-%m-%d} 至 {days.until:%Y-%m-%d}",
    )
    _publish(job)
    return job


@transaction.atomic
def export_retry(*, actor: Account, pk: str) -> ExportJob:
    """Return the export, queued again with the same filters and days.

    Raises:
        ExportNotFound, Forbidden: he has none such, or not its report's right any more.
        WrongState: it has not failed, ended or run out, or three of his are not finished yet.
    """
    job = export_get(actor=actor, pk=pk)
    allow_report(actor, job.report)
    _refuse_more(actor)
    again = ExportJob.objects.filter(pk=job.pk, state__in=[ExportState.FAILED, ExportState.CANCELLED, ExportState.EXPIRED])
    fresh = {"attempts": 0, "rows_done": 0, "rows_total": 0, "error": "", "started_at": None, "ended_at": None, "lease_until": None}
    if not again.update(state=ExportState.QUEUED, expires_at=None, holder="", **fresh):
        raise WrongState
    _publish(job)
    return export_get(actor=actor, pk=pk)


@transaction.atomic
def export_cancel(*, actor: Account, pk: str) -> ExportJob:
    """Return the export, ended; a worker that is at it stops within a second of writing.

    Raises:
        ExportNotFound: he has none such.
        WrongState: it has ended already.
    """
    job = export_get(actor=actor, pk=pk)
    is_open = ExportJob.objects.filter(pk=job.pk, state__in=OPEN_EXPORTS)
    if not is_open.update(state=ExportState.CANCELLED, ended_at=timezone.now(), lease_until=None):
        raise WrongState("该导出任务已结束，不能取消")
    return export_get(actor=actor, pk=pk)


def _refuse_more(actor: Account) -> None:
    """Of two that come at once the second waits here and sees the first."""
    lock_account(actor.pk)
    if ExportJob.objects.filter(owner=actor, state__in=OPEN_EXPORTS).count() >= MOST_OPEN:
        raise WrongState(f"您有 {MOST_OPEN} 个导出任务尚未完成，请等待完成或取消后再导出")


def _publish(job: ExportJob) -> None:
    outbox_publish(topic=RUN_TOPIC, key=str(job.pk), payload={"JobId": job.pk})
