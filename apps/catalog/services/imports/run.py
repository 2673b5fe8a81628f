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
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

import structlog
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.catalog.errors import (
    ImportOfColleague,
    ImportRefused,
    ImportUnderWay,
    SheetUnderWay,
)
from apps.catalog.services.imports.importer import IMPORTERS, Importer, PlannedRow
from apps.catalog.services.imports.report import Action, ImportReport
from apps.catalog.services.imports.sheet import Row, SheetColumns, SheetFile, Source
from apps.catalog.services.imports.writer import WRITER, build_report, count_planned
from apps.common.background.leases import lease_release, lease_take
from apps.common.days import format_moment
from apps.common.errors import FileRefused, ImportNotFound
from apps.common.models import ImportRun
from apps.common.models.import_run import OPEN, ImportState
from apps.common.services.column_mapping import get_column_mapping, map_headers
from apps.common.services.import_run import (
    CANCELLED,
    CANCELLED_REASON,
    PATIENCE_SECONDS,
    Staging,
    find_done_import,
    find_open_import,
    import_run_cancel,
    import_run_work,
    list_own_imports,
)
from apps.common.services.wrong_rows import WRONG_SHEET, WrongSheet
from apps.documents.excel import REASON

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)
BATCH = 500
# How long the page of a kind shows its newest import, and with how many errors.
RECENT = timedelta(days=1)
MAX_ERRORS = 3
MAX_WRONG_SHEETS = 5
# If the process dies while it plans, the sheet can be confirmed again after this time.
PLANNING_LEASE = timedelta(minutes=1)
Numbered = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Rows of the file as written and as parsed, and the plans of the valid ones with their
    importer.
    """

    importer: Importer[Any]
    headers: list[str]
    rows: list[Numbered]
    read: list[Row]
    planned: list[PlannedRow[Any]]


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
        self.file_headers: list[str] = []

    def run(self) -> ImportReport:
        """Plan every row. Writes nothing."""
        for _ in self._plan_batches():
            pass
        return self.report

    def stage(self, *, upload: str, is_good_only: bool) -> Staging | None:
        """Plan every row and stage the rows that change something. Return None if the file has
        no rows. `is_good_only`: stage the valid rows although others are refused, and store the
        refused ones.
        """
        staging: Staging | None = None
        for batch in self._plan_batches():
            if staging is None:
                options = {"headers": batch.headers, "today": self.today.isoformat()}
                if is_good_only:
                    options["good_only"] = "yes"
                staging = Staging(
                    writer=WRITER,
                    kind=self.report.kind,
                    actor=self.actor,
                    options=options,
                    began_at=self.began_at,
                    upload=upload,
                )
            staging.hash_rows(batch.rows)
            if is_good_only:
                header = self._build_wrong_header(batch)
                rows = list(_iterate_wrong_lines(batch, width=len(header) - 1))
                staging.leave_out(WrongSheet(self.report.title, header, rows))
            if self.report.is_clean or is_good_only:
                confirmed_values = {
                    item.row.number: batch.importer.get_confirmed_value(item)
                    for item in batch.planned
                    if item.action is not Action.UNCHANGED
                }
                staging.add(
                    (
                        (*row, confirmed_values[row[0]])
                        for row in batch.rows
                        if row[0] in confirmed_values
                    ),
                    chunk_rows=self.importer_class.chunk_rows,
                )
        if staging is not None and not (self.is_writable(is_good_only) and staging.run.rows):
            staging.drop()
        return staging

    def is_writable(self, is_good_only: bool) -> bool:
        """Return whether the planned rows may be written."""
        report = self.report
        return report.is_clean or (is_good_only and not report.is_unreadable)

    def iterate_wrong_rows(self) -> Iterator[list[str]]:
        """Plan every row, and yield the header and the refused rows as they are written, each with
        its errors in the last column.
        """
        width = 0
        for batch in self._plan_batches():
            if not width:
                header = self._build_wrong_header(batch)
                width = len(header) - 1
                yield header
            yield from _iterate_wrong_lines(batch, width=width)

    def _build_wrong_header(self, batch: _Batch) -> list[str]:
        """Return the header of the sheet of refused rows. A column that the import ignores keeps
        its own header.
        """
        headers = [
            header or own_header
            for header, own_header in zip(batch.headers, self.file_headers, strict=True)
            if header != REASON
        ]
        return [*headers, REASON]

    def _plan_batches(self) -> Iterator[_Batch]:
        """Yield the batches of the file, and add each to the report."""
        try:
            lines = self.source.iterate_rows()
            self.file_headers = [header.strip() for header in next(lines, [])]
            headers = self._map_headers(self.file_headers)
            sheet = SheetColumns(columns=self.importer_class.columns, headers=headers)
            self.report.unknown = sheet.unknown
            self.report.missing = sheet.missing if sheet.unknown else []
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
                yield _Batch(importer, headers, rows, batch, planned)
        except FileRefused as error:
            self.report.refuse(0, "", error.text)

    def _map_headers(self, headers: list[str]) -> list[str]:
        """Return the headers in the words of the template, as the staff have mapped them."""
        own_headers = [column.header for column in self.importer_class.columns]
        if self.actor is None or set(headers) <= {*own_headers, REASON, ""}:
            return headers
        customer_id = self.source.customer_id if isinstance(self.source, SheetFile) else 0
        mapping = get_column_mapping(kind=self.report.kind, enterprise_id=customer_id)
        return map_headers(headers, template_headers=[*own_headers, REASON], mapping=mapping)

    def _refuse_batch(self, batch: list[Row]) -> None:
        """Add the errors of the rows to the report."""
        for row in batch:
            self.report.wrong_rows += bool(row.refused)
            for header, message in row.refused:
                self.report.refuse(row.number, header, message)


def _iterate_wrong_lines(batch: _Batch, *, width: int) -> Iterator[list[str]]:
    """Yield the refused rows as they are written, each with its errors after `width` columns."""
    for (_number, cells), row in zip(batch.rows, batch.read, strict=True):
        if row.refused:
            texts = [f"{header}：{text}" if header else text for header, text in row.refused]
            yield [*[*cells, *[""] * width][:width], "；".join(texts)]


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


def import_wrong_rows(
    *,
    actor: Account | None,
    kind: str,
    source: Source,
    importer: type[Importer[Any]] | None = None,
) -> Iterator[list[str]]:
    """Yield the header and the refused rows of the file as they are written, each with its errors
    in the last column. The corrected sheet can be imported as it is. Nothing for an unreadable
    file.
    """
    today = timezone.localdate()
    return _Pass(
        kind=kind, source=source, today=today, importer=importer, actor=actor
    ).iterate_wrong_rows()


def import_apply(
    *,
    actor: Account | None,
    kind: str,
    source: Source,
    today: date | None = None,
    importer: type[Importer[Any]] | None = None,
    pauses_between_chunks: bool = True,
    upload: str = "",
    is_good_only: bool = False,
) -> ImportReport:
    """Import the complete file and return the report. If the process dies, a background job
    continues the import. `is_good_only`: import the valid rows although others are refused; the
    report lists the refused cells.

    `pauses_between_chunks`: let other transactions write between two chunks. The demo data turns it
    off. `upload` names the stored file, so that a second confirm of it is answered at once. Its
    confirmation writes for PATIENCE_SECONDS; then a background job continues.

    Raises:
        ImportUnderWay: another request or a background job is writing the sheet.
        ImportRefused: a row was refused during planning or writing; the error's `report` lists the
            cells. Rows already written are restored.
    """
    if earlier_report := _find_answer(kind=kind, upload=upload):
        return earlier_report
    first = _Pass(
        kind=kind,
        source=source,
        today=today or timezone.localdate(),
        importer=importer,
        actor=actor,
    )
    with _planning_lease(kind=kind, actor=actor, upload=upload):
        staging = _stage(first, upload=upload, is_good_only=is_good_only)
        if isinstance(staging, ImportReport):
            return staging
        run = staging.open(_build_begun_report(first.report).as_json())
    return import_finish(
        run_id=run.pk,
        pauses_between_chunks=pauses_between_chunks,
        seconds=PATIENCE_SECONDS if upload else None,
    )


def import_hold(
    *, actor: Account, kind: str, source: Source, upload: str, is_good_only: bool = False
) -> ImportRun | ImportReport:
    """Stage the sheet without writing it, and return its run; `import_run_release` lets it be
    written. Return a report instead if there is nothing to write.

    The run's options have `moved_cents` and, as `staged`, the report of the check.

    Raises:
        ImportUnderWay, ImportRefused: as `import_apply`.
    """
    if earlier_report := _find_answer(kind=kind, upload=upload):
        return earlier_report
    first = _Pass(kind=kind, source=source, today=timezone.localdate(), importer=None, actor=actor)
    with _planning_lease(kind=kind, actor=actor, upload=upload):
        staging = _stage(first, upload=upload, is_good_only=is_good_only)
        if isinstance(staging, ImportReport):
            return staging
        report = first.report
        options = {"moved_cents": report.moved_cents, "staged": report.as_json()}
        return staging.hold(_build_begun_report(report).as_json(), options)


def import_finish(
    *, run_id: int, pauses_between_chunks: bool = True, seconds: float | None = PATIENCE_SECONDS
) -> ImportReport:
    """Write an open run and return the report. After `seconds` a background job continues.

    Raises:
        ImportUnderWay: a background job has taken over, or another process writes the run.
        ImportRefused: a row was refused. Rows already written are restored.
    """
    run = import_run_work(
        run_id=run_id, pauses_between_chunks=pauses_between_chunks, seconds=seconds
    )
    _refuse_open(run)
    report = build_report(run)
    if not report.applied:
        raise ImportRefused(report)
    log.info(
        "catalogue_imported",
        kind=run.kind,
        rows=report.rows,
        created=report.created,
        updated=report.updated,
        actor=run.actor_id,
    )
    return report


def _find_answer(*, kind: str, upload: str) -> ImportReport | None:
    """Return the report of the upload if it has been written.

    Raises:
        ImportUnderWay: it is being written.
    """
    if not upload:
        return None
    if equal := find_open_import(writer=WRITER, kind=kind, upload=upload):
        _refuse_open(equal)
    done_run = find_done_import(writer=WRITER, kind=kind, upload=upload)
    return build_report(done_run) if done_run else None


def _stage(first: _Pass, *, upload: str, is_good_only: bool) -> Staging | ImportReport:
    """Stage the rows to write. Return a report if there are none, or if an equal confirm has
    written them.

    Raises:
        ImportRefused: a row is refused.
        ImportUnderWay: an equal confirm is writing the rows.
    """
    staging = first.stage(upload=upload, is_good_only=is_good_only)
    if not first.is_writable(is_good_only):
        equal = staging.find_equal() if staging is not None else None
        if equal is None:
            raise ImportRefused(first.report)
        _refuse_open(equal)
        return build_report(equal)
    if staging is None or not staging.run.rows:
        first.report.applied = True
        return first.report
    first.importer_class.begin()
    return staging


def _build_begun_report(report: ImportReport) -> ImportReport:
    """Return the report of a run of which nothing is written yet. The chunks count again."""
    return replace(report, created=0, updated=0, moved_cents=0, low_prices=0, examples=[])


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
        raise SheetUnderWay
    try:
        yield
    finally:
        lease_release(name=name, holder=holder)


def _refuse_open(run: ImportRun) -> None:
    """Raise ImportUnderWay if another request is writing the run."""
    if run.state in OPEN:
        raise ImportUnderWay(_format_progress(run))


def list_cancellable_imports(*, staff: Account, kind: str) -> QuerySet[ImportRun]:
    """Return the runs of this kind that the person may cancel: the own ones, for a superuser all.
    A colleague may not undo a sheet that a second person has released.
    """
    runs = ImportRun.objects.filter(writer=WRITER, kind=kind)
    return runs if staff.is_superuser else runs.filter(actor=staff)


def staff_import_cancel(*, staff: Account, kind: str, run_id: int) -> None:
    """Cancel a run of this kind. All staff who may import this kind see its newest run and who
    confirmed it. The refusal therefore names that person.

    Raises:
        ImportNotFound: there is no such run of this kind.
        ImportOfColleague: another person has confirmed the run.
        ImportNotCancellable: the run does not write rows any more.
    """
    try:
        import_run_cancel(runs=list_cancellable_imports(staff=staff, kind=kind), run_id=run_id)
    except ImportNotFound:
        runs = ImportRun.objects.filter(writer=WRITER, kind=kind).select_related("actor")
        run = runs.filter(pk=run_id).first()
        if run is None:
            raise
        raise ImportOfColleague(run.actor.nickname if run.actor else "") from None


def list_own_wrong_sheets(*, staff: Account, kind: str) -> list[ImportRun]:
    """Return the newest runs of this kind that the person has confirmed and that have a sheet of
    wrong rows.
    """
    runs = list_own_imports(actor=staff).filter(writer=WRITER, kind=kind)
    return list(runs.filter(options__has_key=WRONG_SHEET)[:MAX_WRONG_SHEETS])


def is_import_open(*, kind: str) -> bool:
    """Return whether a sheet of this kind is being written."""
    return ImportRun.objects.filter(state__in=OPEN, writer=WRITER, kind=kind).exists()


def get_import_progress(*, kind: str) -> str:
    """Return a Chinese text with the progress or the result of the newest import. Empty if
    there was none in the last day.
    """
    recent = Q(state__in=OPEN) | Q(ended_at__gt=timezone.now() - RECENT)
    run = (
        ImportRun.objects.filter(recent, writer=WRITER, kind=kind)
        .select_related("actor")
        .order_by("-pk")
        .first()
    )
    if run is None:
        return ""
    by = run.actor.nickname if run.actor else "系统"
    return f"{by} {format_moment(run.made_at)} 确认的导入：{_format_progress(run)}"


def _format_progress(run: ImportRun) -> str:
    """Return the state of a run as a Chinese sentence: rows written so far, or its result."""
    if run.state in OPEN:
        stopped = ""
        if not run.holder:
            stopped = "，由后台继续" if run.rows_written else "，等待后台开始写入"
        elif run.held_until < timezone.now():
            stopped = "，已中断，将在一分钟内自动继续"
        if run.state == ImportState.WRITING:
            return (
                f"正在写入，已写入 {run.rows_written:,} / {run.rows:,} 行{stopped}。"
                "可以离开此页，写入不会中断。"
            )
        rows_left_text = _format_rows_left(run)
        reason = CANCELLED_REASON if run.report.get(CANCELLED) else "有行不能写入"
        return f"{reason}，正在撤回，还剩 {run.rows_written:,} 行{rows_left_text}{stopped}。"
    report = build_report(run)
    if report.applied:
        return f"已完成。{report.summary}"
    errors = "；".join(str(error) for error in report.errors[:MAX_ERRORS])
    if run.report.get(CANCELLED):
        count = run.report.get("rows_taken_back", 0)
        return f"{CANCELLED_REASON}，已撤回 {count:,} 行{_format_rows_left(run)}。"
    if not run.report.get("rows_left"):
        return f"未能完成，已全部撤回。{errors}"
    return (
        f"未能完成，已撤回 {run.report['rows_taken_back']:,} 行{_format_rows_left(run)}。{errors}"
    )


def _format_rows_left(run: ImportRun) -> str:
    """Return the text about rows that could not be taken back. Empty if there are none."""
    count = run.report.get("rows_left", 0)
    return f"，{count:,} 行因后来已修改或被引用而保留" if count else ""
