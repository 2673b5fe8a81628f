"""The worker's side of an export: claim it, write the sheet, store the file, notify the owner.
If a worker dies, another worker takes over.

The lease on the row is a fence: a worker that has lost it, to a cancellation or to another worker,
writes nothing more.
"""

from __future__ import annotations

import shutil
import tempfile
import time
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import IO, Any

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.common.background.delivery import message_lock
from apps.common.background.outbox import outbox_publish
from apps.common.days import format_moment
from apps.common.errors import DomainError, Forbidden
from apps.common.files.kinds import XLSX_TYPE, ZIP_TYPE
from apps.common.services.files import file_keep
from apps.invoices.selectors.invoice_files import (
    archive_name,
    archive_write,
    list_archived_invoices,
)
from apps.org.models import Account
from apps.reports.enums import INVOICE_ARCHIVE, ExportState
from apps.reports.models import ExportJob
from apps.reports.selectors.exports import allow_export, seen_as
from apps.reports.selectors.question import parse_question
from apps.reports.selectors.sheets import get_report_sheet, sheet_write

log = structlog.get_logger(__name__)
ENDED_TOPIC = "export.ended"
# Longer than the longest query of a report. Shorter than the outbox's claim, so that the lease has
# expired at the next delivery.
LEASE = timedelta(seconds=50)
PROGRESS_SECONDS = 1.0
MAX_ATTEMPTS = 3
KEEP_FILE = timedelta(days=7)
PAGE = "/userCenter/report/order?Exports=1"
INVOICE_PAGE = "/userCenter/invoice/list?Exports=1"
GIVEN_UP = "导出进程多次意外中断，请缩小统计期间后重新导出；仍未成功请联系客服"
BROKEN = "生成文件时发生错误，请重新导出；仍未成功请联系客服"
NO_RIGHT = "您已没有该报表的权限，导出已停止"
UNITS = {INVOICE_ARCHIVE: "张发票"}
S = ExportState
OnRow = Callable[[int], None]
# Writes the file, and returns its name and its number of rows. The folder is for temporary files.
Write = Callable[[IO[bytes], str, OnRow], tuple[str, int]]


class RunElsewhere(RuntimeError):
    """Another worker holds the lease. The outbox delivers the message again."""


class LeaseLost(Exception):
    """The export was cancelled, or another worker has taken the lease."""


def export_run_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox handler of RUN_TOPIC. A failed attempt is retried, with at most three attempts in
    total.
    """
    job = _claim_job(int(payload["JobId"]))
    if job is None:
        return
    try:
        _write_export(job)
    except LeaseLost:
        log.info("export_lost", job=job.pk)
    except DomainError as refusal:
        _mark_failed(job, NO_RIGHT if isinstance(refusal, Forbidden) else refusal.text)
    except Exception:
        if job.attempts >= MAX_ATTEMPTS:
            _mark_failed(job, BROKEN)
        else:
            _filter_leased_job(job).update(state=S.QUEUED, holder="", lease_until=None)
        raise


def _claim_job(pk: int) -> ExportJob | None:
    """Return the export if this worker has taken the lease, or None if the export has ended.

    Raises:
        RunElsewhere: another worker holds the lease.
    """
    now, holder = timezone.now(), uuid.uuid4().hex
    job_row = ExportJob.objects.filter(pk=pk)
    free_row = job_row.filter(Q(state=S.QUEUED) | Q(state=S.RUNNING, lease_until__lte=now))
    lease_values = {"holder": holder, "lease_until": now + LEASE, "started_at": now, "rows_done": 0}
    if free_row.filter(attempts__lt=MAX_ATTEMPTS).update(
        state=S.RUNNING, attempts=F("attempts") + 1, **lease_values
    ):
        job: ExportJob = job_row.select_related("owner").get()
        return job
    if free_row.exists():
        _mark_failed(job_row.get(), GIVEN_UP)
    elif job_row.filter(state=S.RUNNING).exists():
        raise RunElsewhere
    return None


def _filter_leased_job(job: ExportJob) -> QuerySet[ExportJob]:
    """Return the job as a queryset. Empty if another worker holds it now."""
    rows: QuerySet[ExportJob] = ExportJob.objects.filter(
        pk=job.pk, state=S.RUNNING, holder=job.holder
    )
    return rows


def _write_export(job: ExportJob) -> None:
    """Write the sheet with the owner's current rights and data scope.

    Raises:
        LeaseLost, Forbidden, ValidationFailed
    """
    actor: Account = job.owner
    if not actor.is_active:
        raise Forbidden
    allow_export(actor, job.report)
    data_scope_text = seen_as(actor, job.report)
    write, total = _choose_writer(job)
    _save_progress(job, rows_total=total)
    last = time.monotonic()

    def save_progress(number: int) -> None:
        nonlocal last
        if time.monotonic() - last >= PROGRESS_SECONDS:
            last = time.monotonic()
            _save_progress(job, rows_done=number)

    with _open_work_folder(job) as folder:
        path = folder / "export"
        with path.open("wb") as file:
            name, rows = write(file, str(folder), save_progress)
        _save_result(job, path, name=name, rows=rows, data_scope_text=data_scope_text)


def _choose_writer(job: ExportJob) -> tuple[Write, int]:
    """Return (function that writes the file, its number of rows or invoices)."""
    actor: Account = job.owner
    if job.report == INVOICE_ARCHIVE:
        invoices = list_archived_invoices(actor=actor, invoice_ids=job.question["InvoiceIds"])

        def write_archive(
            file: IO[bytes], _open_work_folder: str, on_row: OnRow
        ) -> tuple[str, int]:
            count = archive_write(invoices, file, on_invoice=on_row)
            return archive_name(count), count

        return write_archive, len(invoices)
    sheet = get_report_sheet(
        actor=actor, name=job.report, question=parse_question(job.question), sort=job.sort
    )

    def write_sheet(file: IO[bytes], folder: str, on_row: OnRow) -> tuple[str, int]:
        return sheet.file_name, sheet_write(sheet, file, folder=folder, on_row=on_row)

    return write_sheet, sheet.row_count


def _save_progress(job: ExportJob, **figures: int) -> None:
    """Save the progress and extend the lease. Raises LeaseLost if another worker has it."""
    if not _filter_leased_job(job).update(lease_until=timezone.now() + LEASE, **figures):
        raise LeaseLost
    message_lock()


@contextmanager
def _open_work_folder(job: ExportJob) -> Generator[Path]:
    """Yield an empty temporary folder and delete it afterwards. Also delete folders that a
    killed worker left for the same export.
    """
    temporary_root = Path(tempfile.gettempdir())
    for stale_folder in temporary_root.glob(f"export-{job.key.hex}-*"):
        shutil.rmtree(stale_folder, ignore_errors=True)
    with tempfile.TemporaryDirectory(
        prefix=f"export-{job.key.hex}-", ignore_cleanup_errors=True
    ) as folder_name:
        yield Path(folder_name)


@transaction.atomic
def _save_result(job: ExportJob, path: Path, *, name: str, rows: int, data_scope_text: str) -> None:
    """Store the file and mark the export as done. The new file replaces any earlier file of the
    export.

    Raises:
        LeaseLost: another worker has taken over the export.
    """
    locked_job = _filter_leased_job(job).select_for_update(no_key=True).first()
    if locked_job is None:
        raise LeaseLost
    now = timezone.now()
    with path.open("rb") as file:
        stored_file = file_keep(
            owner=job.owner,
            file=file,
            path=f"exports/{job.key}.{name.rpartition('.')[2]}",
            name=name,
            content_type=ZIP_TYPE if job.report == INVOICE_ARCHIVE else XLSX_TYPE,
            replaced=locked_job.file,
        )
    result_values = {
        "state": S.DONE,
        "rows_done": rows,
        "rows_total": rows,
        "seen_as": data_scope_text,
        "file": stored_file,
        "error": "",
    }
    _filter_leased_job(job).update(
        **result_values, ended_at=now, expires_at=now + KEEP_FILE, lease_until=None
    )
    unit = UNITS.get(job.report, "行")
    owner_notify(
        job,
        title=f"{job.title} 已导出",
        text=f"共 {rows:,} {unit}，请在 {format_moment(now + KEEP_FILE)} 前下载",
    )


@transaction.atomic
def _mark_failed(job: ExportJob, why: str) -> None:
    rows = ExportJob.objects.filter(pk=job.pk, state__in=[S.QUEUED, S.RUNNING], holder=job.holder)
    if rows.update(state=S.FAILED, error=why[:200], ended_at=timezone.now(), lease_until=None):
        owner_notify(job, title=f"{job.title} 导出失败", text=why)


def owner_notify(job: ExportJob, *, title: str, text: str) -> None:
    """Publish a notice about the result to the owner, in the caller's transaction."""
    payload = {
        "To": [job.owner_id],
        "Title": title,
        "Text": text,
        "Link": INVOICE_PAGE if job.report == INVOICE_ARCHIVE else PAGE,
        "SubjectKey": f"export:{job.pk}",
    }
    outbox_publish(topic=ENDED_TOPIC, key=str(job.pk), payload=payload)
