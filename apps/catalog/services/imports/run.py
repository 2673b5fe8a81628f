"""The one import service: the admin's pages and `manage.py import_catalogue` call nothing else.

A file is read in batches, so that 50,000 rows stay in bounded memory. It is read twice: first to plan every row and gather every
error without a lock, then, when nothing was refused, to write all of it in one transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.catalog.errors import ImportRefused
from apps.catalog.services.imports.columns import Row, SheetColumns
from apps.catalog.services.imports.importer import Importer, Planned
from apps.catalog.services.imports.kinds import IMPORTERS
from apps.catalog.services.imports.report import Action, Example, ImportReport
from apps.catalog.services.imports.source import Source
from apps.common.errors import FileRefused

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)
BATCH = 500


class _Pass:
    """One reading of the file by one importer."""

    def __init__(self, *, kind: str, source: Source, today: date, importer: type[Importer[Any]] | None, actor: Account | None) -> None:
        self.importer_class = importer or IMPORTERS[kind]
        self.report = ImportReport(kind=kind, title=self.importer_class.title)
        self.source = source
        self.today = today
        self.actor = actor
        self.touched: list[int] = []

    def run(self, *, write: bool, lock: list[int] | None = None) -> ImportReport:
        """Plan every row, and write what was planned where `write` says so and nothing has been refused so far."""
        try:
            rows = self.source.rows()
            headers = [header.strip() for header in next(rows, [])]
            sheet = SheetColumns(columns=self.importer_class.columns, headers=headers)
            for header, message in sheet.problems:
                self.report.refuse(1, header, message)
            if sheet.problems:
                return self.report
            importer: Importer[Any] = self.importer_class(today=self.today, sheet=sheet, actor=self.actor)
            importer.lock(sorted(lock or ()))
            for batch in self._batches(rows, sheet):
                planned = importer.plan(batch)
                self._count(importer, batch, planned)
                if write and self.report.is_clean:
                    importer.write(planned)
        except FileRefused as error:
            self.report.refuse(0, "", error.text)
        return self.report

    def _batches(self, rows: Iterator[list[str]], sheet: SheetColumns) -> Iterator[list[Row]]:
        numbered = ((number, cells) for number, cells in enumerate(rows, start=2) if any(cell.strip() for cell in cells))
        while chunk := list(islice(numbered, BATCH)):
            self.report.rows += len(chunk)
            yield [sheet.read(number, cells, today=self.today) for number, cells in chunk]

    def _count(self, importer: Importer[Any], batch: list[Row], planned: list[Planned[Any]]) -> None:
        for row in batch:
            for header, message in row.refused:
                self.report.refuse(row.number, header, message)
        for item in planned:
            changes = tuple(
                (importer.sheet.header_of(name), importer.shown(name, old), importer.shown(name, new)) for name, old, new in item.changes
            )
            example = None if item.action is Action.UNCHANGED else Example(item.row.number, item.key, item.action, changes)
            self.report.count(item.action, example)
            if item.action is Action.UPDATE:
                self.touched.append(item.instance.pk)


def import_preview(
    *, actor: Account | None, kind: str, source: Source, today: date | None = None, importer: type[Importer[Any]] | None = None
) -> ImportReport:
    """Return what applying the file would do, with every refused cell; nothing is written. `actor` None is the command line.

    `importer` is that of another app, for a kind that is not in the catalogue's table.
    """
    report = _Pass(kind=kind, source=source, today=today or timezone.localdate(), importer=importer, actor=actor).run(write=False)
    log.info("catalogue_import_previewed", kind=kind, rows=report.rows, errors=report.error_count, actor=actor.pk if actor else None)
    return report


def import_apply(
    *, actor: Account | None, kind: str, source: Source, today: date | None = None, importer: type[Importer[Any]] | None = None
) -> ImportReport:
    """Write the whole file or nothing of it; return what was done.

    Raises:
        ImportRefused: at least one cell was refused; its `report` lists them, and nothing was written.
    """
    day = today or timezone.localdate()
    try:
        report = _applied(kind, source, day, importer, actor)
    except IntegrityError:  # somebody has just added some of the same: judged anew, they are there
        report = _applied(kind, source, day, importer, actor)
    log.info(
        "catalogue_imported", kind=kind, rows=report.rows, created=report.created, updated=report.updated, actor=actor.pk if actor else None
    )
    return report


def _applied(kind: str, source: Source, day: date, importer: type[Importer[Any]] | None, actor: Account | None) -> ImportReport:
    reading = partial(_Pass, kind=kind, source=source, today=day, importer=importer, actor=actor)
    first = reading()
    if not first.run(write=False).is_clean:
        raise ImportRefused(first.report)
    if not first.report.created and not first.report.updated:
        first.report.applied = True
        return first.report
    with transaction.atomic():
        report = reading().run(write=True, lock=first.touched)
        if not report.is_clean:
            raise ImportRefused(report)
        report.applied = True
    return report
