"""Ask for an export by a worker, end it, ask for it again."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import WrongState
from apps.org.locks import lock_account
from apps.org.models import Account
from apps.reports.enums import OPEN_EXPORTS, ExportState, ReportName
from apps.reports.models import ExportJob
from apps.reports.selectors.exports import export_get
from apps.reports.selectors.kept import question_kept
from apps.reports.selectors.question import ReportQuestion, allow_report
from apps.reports.selectors.reports import sort_of

RUN_TOPIC = "export.run"
# Of one person at a time; a worker does one after the other anyway.
MOST_OPEN = 3


@transaction.atomic
def export_start(*, actor: Account, report: str, question: ReportQuestion, sort: str) -> ExportJob:
    """Return the export, which a worker takes up after the commit. Its days are those of now, however late it is run.

    Raises:
        Forbidden: the actor has not this report's right.
        ValidationFailed: the days asked for make no period, or the report has no such order.
        WrongState: three of his are not finished yet.
    """
    allow_report(actor, report)
    days = question.windows().window
    sort_of(report, sort)
    refuse_more(actor, "您")
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
    refuse_more(actor, "您")
    export_queue_again(job)
    return export_get(actor=actor, pk=pk)


def export_queue_again(job: ExportJob) -> None:
    """Queue it with the same filters and days, in the caller's transaction and the scope of its group.

    Raises:
        WrongState: it has not failed, ended or run out.
    """
    again = ExportJob.objects.filter(pk=job.pk, state__in=[ExportState.FAILED, ExportState.CANCELLED, ExportState.EXPIRED])
    fresh = {"attempts": 0, "rows_done": 0, "rows_total": 0, "error": "", "started_at": None, "ended_at": None, "lease_until": None}
    if not again.update(state=ExportState.QUEUED, expires_at=None, holder="", **fresh):
        raise WrongState
    _publish(job)


@transaction.atomic
def export_cancel(*, actor: Account, pk: str) -> ExportJob:
    """Return the export, ended; a worker that is at it stops within a second of writing.

    Raises:
        ExportNotFound: he has none such.
        WrongState: it has ended already.
    """
    export_end(export_get(actor=actor, pk=pk))
    return export_get(actor=actor, pk=pk)


def export_end(job: ExportJob, why: str = "") -> None:
    """End it before it is done, in the caller's transaction.

    Raises:
        WrongState: it has ended already.
    """
    is_open = ExportJob.objects.filter(pk=job.pk, state__in=OPEN_EXPORTS)
    if not is_open.update(state=ExportState.CANCELLED, error=why, ended_at=timezone.now(), lease_until=None):
        raise WrongState("该导出任务已结束，不能取消")


def refuse_more(owner: Account, called: str) -> None:
    """Of two that come at once the second waits here and sees the first.

    Raises:
        WrongState: three of his are not finished yet.
    """
    lock_account(owner.pk)
    if ExportJob.objects.filter(owner=owner, state__in=OPEN_EXPORTS).count() >= MOST_OPEN:
        raise WrongState(f"{called}有 {MOST_OPEN} 个导出任务尚未完成，请等待完成或取消后再导出")


def _publish(job: ExportJob) -> None:
    outbox_publish(topic=RUN_TOPIC, key=str(job.pk), payload={"JobId": job.pk})
