"""Queue an export for a worker, cancel it or queue it again, by its owner or by staff, and delete
old exports.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.common.audit import act_log
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.errors import Forbidden, WrongState
from apps.common.services.files import file_forget
from apps.common.tenancy import tenant_scope
from apps.invoices.selectors.invoice_files import list_matching_invoice_ids
from apps.invoices.selectors.invoices import InvoiceFilter
from apps.org.locks import lock_account
from apps.org.models import Account
from apps.reports.enums import INVOICE_ARCHIVE, OPEN_EXPORTS, ExportState, ReportName
from apps.reports.errors import ExportEnded, ExportNotAllowed, TooManyExports
from apps.reports.models import ExportJob
from apps.reports.selectors.exports import allow_export, get_export
from apps.reports.selectors.question import ReportQuestion, allow_report, serialize_question
from apps.reports.selectors.reports import sort_of
from apps.reports.services.export_run import owner_notify

RUN_TOPIC = "export.run"
# Limit of unfinished exports per person.
MAX_OPEN_EXPORTS = 3
KEEP_ROWS = timedelta(days=30)


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
    days = question.get_windows().window
    sort_of(report, sort)
    check_open_exports(actor)
    job: ExportJob = ExportJob.objects.create(
        group_id=actor.group_id,
        owner=actor,
        report=report,
        question=serialize_question(question.restrict_to(days)),
        sort=sort,
        title=f"{ReportName(report).label} {days.since:%Y-%m-%d} 至 {days.until:%Y-%m-%d}",
    )
    _publish_run(job)
    return job


@transaction.atomic
def invoice_archive_start(*, actor: Account, filters: InvoiceFilter) -> ExportJob:
    """Return a new export of the files of all issued invoices that match the list's filter. Its
    invoices are fixed now.

    Raises:
        Forbidden: the actor does not have the menu code of invoices.
        ValidationFailed: none or more than 1,000 invoices match.
        WrongState: the actor has three unfinished exports.
    """
    allow_export(actor, INVOICE_ARCHIVE)
    keys = list_matching_invoice_ids(actor=actor, filters=filters)
    check_open_exports(actor)
    job: ExportJob = ExportJob.objects.create(
        group_id=actor.group_id,
        owner=actor,
        report=INVOICE_ARCHIVE,
        question={"InvoiceIds": keys},
        title=f"发票文件 {len(keys):,} 张",
    )
    _publish_run(job)
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
    job = get_export(actor=actor, pk=pk)
    allow_export(actor, job.report)
    check_open_exports(actor)
    export_queue_again(job)
    return get_export(actor=actor, pk=pk)


@transaction.atomic
def export_cancel(*, actor: Account, pk: str) -> ExportJob:
    """Return the cancelled export. A worker that is writing it stops within a second.

    Raises:
        ExportNotFound: the actor has no such export.
        WrongState: the export has already ended.
    """
    export_end(get_export(actor=actor, pk=pk))
    return get_export(actor=actor, pk=pk)


@transaction.atomic
def export_requeue_by_staff(*, staff: Any, job_id: int) -> None:
    """Queue a failed, cancelled or expired export again, with its original filters and days.
    Writes a log entry.

    Raises:
        WrongState: the export is in another state, its owner has lost the report's menu code, or
            the owner has three unfinished exports.
    """
    job = _get_job(job_id)
    # The outbox delivers a message in the scope in which it was published. This must be the
    # owner's group, not the whole platform.
    with tenant_scope(group_id=job.group_id):
        _refuse_without_right(job)
        check_open_exports(job.owner, is_staff_asking=True)
        export_queue_again(job)
    act_log(
        subject=job,
        staff=staff,
        changes={"状态": (job.get_state_display(), ExportState.QUEUED.label)},
    )


@transaction.atomic
def export_cancel_by_staff(*, staff: Any, job_id: int, reason: str) -> None:
    """Cancel a queued or running export. Notifies its owner with the reason and writes a log
    entry.

    Raises:
        WrongState: the export has already ended.
    """
    job = _get_job(job_id)
    with tenant_scope(group_id=job.group_id):
        export_end(job, f"平台工作人员已取消：{reason}"[:200])
        owner_notify(
            job, title=f"{job.title} 导出已取消", text=f"平台工作人员取消了该导出：{reason}"
        )
    act_log(
        subject=job,
        staff=staff,
        changes={
            "状态": (job.get_state_display(), ExportState.CANCELLED.label),
            "原因": ("", reason),
        },
    )


def export_queue_again(job: ExportJob) -> None:
    """Queue the export with the same filters and days, in the caller's transaction and in the
    tenant scope of its group.

    Raises:
        WrongState: the export is not failed, cancelled or expired.
    """
    again = ExportJob.objects.filter(
        pk=job.pk, state__in=[ExportState.FAILED, ExportState.CANCELLED, ExportState.EXPIRED]
    )
    initial_values = {
        "attempts": 0,
        "rows_done": 0,
        "rows_total": 0,
        "error": "",
        "started_at": None,
        "ended_at": None,
        "lease_until": None,
    }
    if not again.update(state=ExportState.QUEUED, expires_at=None, holder="", **initial_values):
        raise WrongState
    _publish_run(job)


def export_end(job: ExportJob, why: str = "") -> None:
    """Cancel a queued or running export, in the caller's transaction.

    Raises:
        WrongState: the export has already ended.
    """
    is_open = ExportJob.objects.filter(pk=job.pk, state__in=OPEN_EXPORTS)
    if not is_open.update(
        state=ExportState.CANCELLED, error=why, ended_at=timezone.now(), lease_until=None
    ):
        raise ExportEnded


def check_open_exports(owner: Account, *, is_staff_asking: bool = False) -> None:
    """Enforce the limit of open exports. Locks the owner's account, so that concurrent requests
    are counted one after the other.

    Raises:
        WrongState: the owner has three unfinished exports.
    """
    lock_account(owner.pk)
    if ExportJob.objects.filter(owner=owner, state__in=OPEN_EXPORTS).count() >= MAX_OPEN_EXPORTS:
        raise TooManyExports(MAX_OPEN_EXPORTS, is_staff_asking=is_staff_asking)


def _get_job(pk: int) -> ExportJob:
    job: ExportJob = ExportJob.objects.select_related("owner").get(pk=pk)
    return job


def _refuse_without_right(job: ExportJob) -> None:
    try:
        if not job.owner.is_active:
            raise Forbidden
        allow_export(job.owner, job.report)
    except Forbidden as error:
        raise ExportNotAllowed from error


def _publish_run(job: ExportJob) -> None:
    outbox_publish(topic=RUN_TOPIC, key=str(job.pk), payload={"JobId": job.pk})


def exports_purge() -> int:
    """Delete expired files and rows older than 30 days. Return the number of expired exports. The
    caller must open the platform scope.
    """
    now = timezone.now()
    expired_ids = ExportJob.objects.filter(state=ExportState.DONE, expires_at__lte=now).values_list(
        "pk"
    )[:500]
    expired_count = run_for_each(list(expired_ids), _expire_export)
    old = ExportJob.objects.filter(created_at__lt=now - KEEP_ROWS, file__isnull=True).exclude(
        state__in=[*OPEN_EXPORTS, ExportState.DONE]
    )
    old.delete()
    return expired_count


def _expire_export(pk: int) -> bool:
    """Delete the file, then set the state EXPIRED. Return True: the export counts as expired.
    After a crash between the two steps, the next run completes the change.
    """
    job = ExportJob.objects.select_related("file").get(pk=pk)
    if job.file is not None:
        file_forget(job.file)
    ExportJob.objects.filter(pk=pk, state=ExportState.DONE).update(
        state=ExportState.EXPIRED, file=None
    )
    return True
