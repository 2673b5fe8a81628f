"""Queue an export for a worker, cancel it, or queue it again."""

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
# Limit of unfinished exports per person.
MOST_OPEN = 3


@transaction.atomic
def export_start(*, actor: Account, report: str, question: ReportQuestion, sort: str) -> ExportJob:
    """Return a new export. A worker starts it after the commit. Its days are fixed now, even if
    the worker starts later.

    Raises:
        Forbidden: the actor does not have this report's menu code.
        ValidationFailed: the days of the question make no valid period, or the sort column is
            unknown.
        WrongState: the actor has three unfinished exports.
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
        ExportNotFound, Forbidden: the actor has no such export, or no longer has the report's menu
            code.
        WrongState: the export is not failed, cancelled or expired, or the actor has three
            unfinished ones.
    """
    job = export_get(actor=actor, pk=pk)
    allow_report(actor, job.report)
    refuse_more(actor, "您")
    export_queue_again(job)
    return export_get(actor=actor, pk=pk)


def export_queue_again(job: ExportJob) -> None:
    """Queue the export with the same filters and days, in the caller's transaction and in the
    tenant scope of its group.

    Raises:
        WrongState: the export is not failed, cancelled or expired.
    """
    again = ExportJob.objects.filter(
        pk=job.pk, state__in=[ExportState.FAILED, ExportState.CANCELLED, ExportState.EXPIRED]
    )
    fresh = {
        "attempts": 0,
        "rows_done": 0,
        "rows_total": 0,
        "error": "",
        "started_at": None,
        "ended_at": None,
        "lease_until": None,
    }
    if not again.update(state=ExportState.QUEUED, expires_at=None, holder="", **fresh):
        raise WrongState
    _publish(job)


@transaction.atomic
def export_cancel(*, actor: Account, pk: str) -> ExportJob:
    """Return the cancelled export. A worker that is writing it stops within a second.

    Raises:
        ExportNotFound: the actor has no such export.
        WrongState: the export has already ended.
    """
    export_end(export_get(actor=actor, pk=pk))
    return export_get(actor=actor, pk=pk)


def export_end(job: ExportJob, why: str = "") -> None:
    """Cancel a queued or running export, in the caller's transaction.

    Raises:
        WrongState: the export has already ended.
    """
    is_open = ExportJob.objects.filter(pk=job.pk, state__in=OPEN_EXPORTS)
    if not is_open.update(
        state=ExportState.CANCELLED, error=why, ended_at=timezone.now(), lease_until=None
    ):
        raise WrongState("该导出任务已结束，不能取消")


def refuse_more(owner: Account, called: str) -> None:
    """Enforce the limit of open exports. Locks the owner's account, so that concurrent requests
    are counted one after the other.

    Raises:
        WrongState: the owner has three unfinished exports.
    """
    lock_account(owner.pk)
    if ExportJob.objects.filter(owner=owner, state__in=OPEN_EXPORTS).count() >= MOST_OPEN:
        raise WrongState(f"{called}有 {MOST_OPEN} 个导出任务尚未完成，请等待完成或取消后再导出")


def _publish(job: ExportJob) -> None:
    outbox_publish(topic=RUN_TOPIC, key=str(job.pk), payload={"JobId": job.pk})
