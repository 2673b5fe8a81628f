"""The sheet of wrong rows that a person left out of an import. It is stored with the run, so that
the person can fetch it later, correct it and send it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from django.db.models import Max

from apps.common.errors import WrongRowsNotFound
from apps.common.models.import_run import ImportRun, ImportWrongRows

# Rows in one record. A large sheet is neither stored nor read as one value.
PART_ROWS = 500
# The option of a run with the name and the header of its sheet of wrong rows.
WRONG_SHEET = "wrong_sheet"


@dataclass(frozen=True, slots=True)
class WrongSheet:
    """A sheet of wrong rows: its name, its header and its rows, with 错误原因 as the last
    column.
    """

    name: str
    header: Sequence[str]
    rows: Iterable[Sequence[str]]


def wrong_rows_add(*, run: ImportRun, rows: Sequence[Sequence[str]]) -> None:
    """Store wrong rows of a saved run, after those that it has."""
    last = run.wrong_rows.aggregate(last=Max("number"))["last"] or 0
    starts = range(0, len(rows), PART_ROWS)
    ImportWrongRows.objects.bulk_create(
        ImportWrongRows(run=run, number=number, rows=list(rows[start : start + PART_ROWS]))
        for number, start in enumerate(starts, start=last + 1)
    )


def has_wrong_sheet(run: ImportRun) -> bool:
    """Return whether a sheet of wrong rows is stored with the run."""
    return WRONG_SHEET in run.options


def get_wrong_sheet(*, run: ImportRun) -> WrongSheet:
    """Return the sheet of the rows that the person left out.

    Raises:
        WrongRowsNotFound: all rows were right, or the run is older than the stored sheets.
    """
    if not has_wrong_sheet(run):
        raise WrongRowsNotFound
    description = run.options[WRONG_SHEET]
    return WrongSheet(description["name"], description["header"], _iterate_rows(run))


def _iterate_rows(run: ImportRun) -> Iterator[list[str]]:
    parts = run.wrong_rows.order_by("number").values_list("rows", flat=True)
    return chain.from_iterable(parts.iterator(chunk_size=1))
