"""The import service: preview, import, and the progress of the newest import of a kind. The admin
pages and `manage.py import_catalogue` call nothing else.

The service reads a file in batches, so 50,000 rows need bounded memory. It plans every row without
a lock and collects all errors before it writes a row. If no row was refused, it writes the rows in
short transactions (`writer.py`).
"""

from __future__ import annotations

import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

import structlog
from django.db.models import Q
from django.utils import timezone

from apps.catalog.errors import ImportRefused, ImportUnderWay
from apps.catalog.services.imports.importer import IMPORTERS, Importer, PlannedRow
from apps.catalog.services.imports.report import Action, ImportReport
from apps.catalog.services.imports.sheet import Row, SheetColumns, Source
from apps.catalog.services.imports.writer import WRITER, count_planned, report_of
from apps.common.background.leases import lease_release, lease_take
from apps.common.days import moment_text
from apps.common.errors import FileRefused
from apps.common.models import ImportRun
from apps.common.models.import_run import OPEN, ImportState
from apps.common.services.import_run import Staging, find_open_import, import_run_work

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)
BATCH = 500
# How long the page of a kind shows its newest import, and with how many errors.
SHOWN_FOR = timedelta(days=1)
MAX_ERRORS = 3
# If the process dies while it plans, the sheet can be confirmed again after this time.
PLANNING_LEASE = timedelta(minutes=1)
Numbered = tuple[int, list[str]]


class _Pass:
    """One pass over the file with one importer."""

    def __init__(
        self,
        *,
        kind: str,
        source: Source,
        today: date,
        importer: type[Importer[Any]] | None,
        actor: Account | None,
    ) -> None:
        self.began_at = timezone.now()
        self.importer_class = importer or IMPORTERS[kind]
        self.report = ImportReport(kind=kind, title=self.importer_class.title)
        self.source = source
        self.today = today
        self.actor = actor

    def run(self) -> ImportReport:
        """Plan every row. Writes nothing."""
        for _ in self._plan_batches():
            pass
        return self.report

    def stage(self, *, upload: str) -> Staging | None:
        """Plan every row and stage the rows that change something. Return None if the file has
        no rows.
        """
        staging: Staging | None = None
        for headers, rows, planned in self._plan_batches():
            if staging is None:
                options = {"headers": headers, "today": self.today.isoformat()}
                staging = Staging(
                    writer=WRITER,
                    kind=self.report.kind,
                    actor=self.actor,
                    options=options,
                    began_at=self.began_at,
                    upload=upload,
                )
            staging.seen(rows)
            if self.report.is_clean:
                changing = {
                    item.row.number for item in planned if item.action is not Action.UNCHANGED
                }
                staging.add(
                    (row for row in rows if row[0] in changing),
                    chunk_rows=self.importer_class.chunk_rows,
                )
        if staging is not None and not (self.report.is_clean and staging.run.rows):
            staging.drop()
        return staging

    def _plan_batches(self) -> Iterator[tuple[list[str], list[Numbered], list[PlannedRow[Any]]]]:
        """Yield (headers, rows, plans of the valid rows) for each batch, and add the batch to
        the report.
        """
        try:
            lines = self.source.rows()
            headers = [header.strip() for header in next(lines, [])]
            sheet = SheetColumns(columns=self.importer_class.columns, headers=headers)
            for header, message in sheet.problems:
                self.report.refuse(1, header, message)
            if sheet.problems:
                return
            importer: Importer[Any] = self.importer_class(
                today=self.today, sheet=sheet, actor=self.actor
            )
            numbered = (
                (number, cells)
                for number, cells in enumerate(lines, start=2)
                if any(cell.strip() for cell in cells)
            )
            while rows := list(islice(numbered, BATCH)):
                self.report.rows += len(rows)
                batch = [sheet.read(number, cells, today=self.today) for number, cells in rows]
                planned = importer.plan(batch)
                self._refuse_batch(batch)
                count_planned(self.report, importer, planned)
                yield headers, rows, planned
        except FileRefused as error:
            self.report.refuse(0, "", error.text)

    def _refuse_batch(self, batch: list[Row]) -> None:
        for row in batch:
            for header, message in row.refused:
                self.report.refuse(row.number, header, message)


def import_preview(
    *,
    actor: Account | None,
    kind: str,
    source: Source,
    today: date | None = None,
    importer: type[Importer[Any]] | None = None,
) -> ImportReport:
    """Return a report of what the import would change, with every refused cell. Writes nothing.

    `actor` None means the command line. `importer` is needed for a kind of another app that is not
    in the catalogue's table.
    """
    report = _Pass(
        kind=kind,
        source=source,
        today=today or timezone.localdate(),
        importer=importer,
        actor=actor,
    ).run()
    log.info(
        "catalogue_import_previewed",
        kind=kind,
        rows=report.rows,
        errors=report.error_count,
        actor=actor.pk if actor else None,
    )
    return report


def import_apply(
    *,
    actor: Account | None,
    kind: str,
    source: Source,
    today: date | None = None,
    importer: type[Importer[Any]] | None = None,
    rests: bool = True,
    upload: str = "",
) -> ImportReport:
    """Import the complete file and return the report. If the process dies, a background job
    continues the import.

    `rests`: pause between two chunks, so that other transactions can write. The demo data turns it
    off. `upload` names the stored file, so that a second confirm of it is answered at once.

    Raises:
        ImportUnderWay: another request is writing the sheet.
        ImportRefused: a row was refused during planning or writing; the error's `report` lists the
            cells. Rows already written are restored.
    """
    if upload and (equal := find_open_import(writer=WRITER, kind=kind, upload=upload)):
        _refuse_open(equal)
    first = _Pass(
        kind=kind,
        source=source,
        today=today or timezone.localdate(),
        importer=importer,
        actor=actor,
    )
    with _planning_lease(kind=kind, actor=actor, upload=upload):
        staging = first.stage(upload=upload)
        report = first.report
        if not report.is_clean:
            equal = staging.find_equal() if staging is not None else None
            if equal is None:
                raise ImportRefused(report)
            _refuse_open(equal)
            return report_of(equal)
        if staging is None or not staging.run.rows:
            report.applied = True
            return report
        first.importer_class.begin()
        begun = ImportReport(
            kind=kind, title=report.title, rows=report.rows, unchanged=report.unchanged
        )
        run = staging.open(begun.as_json())
    run = import_run_work(run_id=run.pk, rests=rests)
    _refuse_open(run)
    report = report_of(run)
    if not report.applied:
        raise ImportRefused(report)
    log.info(
        "catalogue_imported",
        kind=kind,
        rows=report.rows,
        created=report.created,
        updated=report.updated,
        actor=actor.pk if actor else None,
    )
    return report


@contextmanager
def _planning_lease(*, kind: str, actor: Account | None, upload: str) -> Generator[None]:
    """Let one confirmed upload of a kind be planned at a time for a person. A double click would
    otherwise read a large sheet twice at once, and customers would wait for the processor.

    Raises:
        ImportUnderWay: another request of the person plans a sheet of this kind.
    """
    if not upload or actor is None:
        yield
        return
    name, holder = f"import:{kind}:{actor.pk}", uuid.uuid4().hex
    if not lease_take(name=name, holder=holder, duration=PLANNING_LEASE):
        raise ImportUnderWay("正在核对表格。刷新页面可查看进度。")
    try:
        yield
    finally:
        lease_release(name=name, holder=holder)


def _refuse_open(run: ImportRun) -> None:
    """Raise ImportUnderWay if another request is writing the run."""
    if run.state in OPEN:
        raise ImportUnderWay(_progress_text(run))


def get_import_progress(*, kind: str) -> str:
    """Return a Chinese text with the progress or the result of the newest import. Empty if
    there was none in the last day.
    """
    recent = Q(state__in=OPEN) | Q(ended_at__gt=timezone.now() - SHOWN_FOR)
    run = (
        ImportRun.objects.filter(recent, writer=WRITER, kind=kind)
        .select_related("actor")
        .order_by("-pk")
        .first()
    )
    if run is None:
        return ""
    by = run.actor.nickname if run.actor else "系统"
    return f"{by} {moment_text(run.made_at)} 确认的导入：{_progress_text(run)}"


def _progress_text(run: ImportRun) -> str:
    if run.state in OPEN:
        is_stopped = not run.holder or run.held_until < timezone.now()
        stopped = "，已中断，将在一分钟内自动继续" if is_stopped else ""
        if run.state == ImportState.WRITING:
            return (
                f"正在写入，已写入 {run.rows_written:,} / {run.rows:,} 行{stopped}。"
                "刷新页面可查看进度。"
            )
        return (
            f"有行不能写入，正在撤回，还剩 {run.rows_written:,} 行{_rows_left_text(run)}{stopped}。"
        )
    report = report_of(run)
    if report.applied:
        return f"已完成。{report.summary}"
    errors = "；".join(str(error) for error in report.errors[:MAX_ERRORS])
    if not run.report.get("rows_left"):
        return f"未能完成，已全部撤回。{errors}"
    return f"未能完成，已撤回 {run.report['rows_taken_back']:,} 行{_rows_left_text(run)}。{errors}"


def _rows_left_text(run: ImportRun) -> str:
    """Return the text about rows that could not be taken back. Empty if there are none."""
    count = run.report.get("rows_left", 0)
    return f"，{count:,} 行因后来已修改或被引用而保留" if count else ""
