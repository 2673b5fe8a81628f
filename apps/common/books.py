"""Reconciliation: compare stored figures with the rows they are derived from.

Each app registers its checks in AppConfig.ready; `manage.py check_books` runs them. A check is a
function without arguments that yields a `Difference` for each wrong figure. It reads in batches, so
that its memory does not grow with the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import connection, models, transaction

Row = TypeVar("Row", bound=models.Model)
# A key, followed by its figures.
Keyed = tuple[Any, ...]
BATCH = 2000


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored figure that differs from the figure derived from its rows."""

    subject: str
    figure: str
    stored: Any
    facts: Any

    def __str__(self) -> str:
        return f"{self.subject} 的{self.figure}：账面 {self.stored}，应为 {self.facts}"


Check = Callable[[], Iterable[Difference]]

_checks: dict[str, Check] = {}


def register_book_check(name: str, check: Check) -> None:
    """Register a check under a Chinese name."""
    _checks[name] = check


Repair = Callable[[], int]

_repairs: dict[str, Repair] = {}


def register_book_repair(name: str, repair: Repair) -> None:
    """Register a repair under a Chinese name. It fills derived columns that older code left empty,
    never figures of money or stock, and returns the number of changed rows.
    """
    _repairs[name] = repair


def run_book_repairs() -> dict[str, int]:
    """Run all repairs and return {name: changed rows}. The caller must open the platform scope."""
    return {name: repair() for name, repair in _repairs.items()}


def list_book_checks() -> dict[str, Check]:
    """Return the checks by name, in the order of registration: lower apps first."""
    return dict(_checks)


def list_differences() -> Iterator[tuple[str, Difference]]:
    """Yield (name of the check, difference). The caller must open the platform scope."""
    with read_snapshot():
        for name, check in _checks.items():
            for difference in check():
                yield name, difference


def iterate_batches(rows: models.QuerySet[Row], *, size: int = BATCH) -> Iterator[list[Row]]:
    """Yield the rows in lists of `size`, ordered by primary key."""
    last_pk = 0
    ordered_rows = rows.order_by("pk")
    while batch := list(ordered_rows.filter(pk__gt=last_pk)[:size]):
        yield batch
        last_pk = batch[-1].pk


def compare_streams(
    stored: Iterable[Keyed], facts: Iterable[Keyed], *, missing_figures: tuple[Any, ...]
) -> Iterator[tuple[int, Keyed, Keyed]]:
    """Yield key, stored figures and expected figures for each key whose figures differ between two
    streams.

    Both streams hold tuples of key and figures, in ascending order of keys. A missing key counts as
    `missing_figures`. The streams are merged, so that neither is ever held in memory.
    """
    stored_rows, fact_rows = iter(stored), iter(facts)
    stored_row, fact_row = next(stored_rows, None), next(fact_rows, None)
    while stored_row is not None or fact_row is not None:
        key = min(row[0] for row in (stored_row, fact_row) if row is not None)
        stored_figures, fact_figures = missing_figures, missing_figures
        if stored_row is not None and stored_row[0] == key:
            stored_figures, stored_row = tuple(stored_row[1:]), next(stored_rows, None)
        if fact_row is not None and fact_row[0] == key:
            fact_figures, fact_row = tuple(fact_row[1:]), next(fact_rows, None)
        if stored_figures != fact_figures:
            yield key, stored_figures, fact_figures


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Read from one snapshot of the database; inside a transaction, from that transaction's."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        # Not atomic(): its IMMEDIATE transaction would block the only writer of SQLite.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
