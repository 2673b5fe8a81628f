"""The books: what can be counted twice is counted twice. Each app registers its checks in AppConfig.ready, `check_books` runs them.

A check is a function without arguments that yields a `Difference` for every stored figure that is not what its facts make it. It reads
in batches, so that its memory does not grow with the mall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import connection, models, transaction

Row = TypeVar("Row", bound=models.Model)
# A key and its figures.
Keyed = tuple[Any, ...]
BATCH = 2000


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of a subject that is stored as one thing, where its facts say another."""

    subject: str
    figure: str
    stored: Any
    facts: Any

    def __str__(self) -> str:
        return f"{self.subject} 的{self.figure}：账面 {self.stored}，应为 {self.facts}"


Check = Callable[[], Iterable[Difference]]

_checks: dict[str, Check] = {}


def book_check(name: str, check: Check) -> None:
    """Let `check_books` run the check under a Chinese name."""
    _checks[name] = check


def book_checks() -> dict[str, Check]:
    """Return every registered check by its name, in the order of registering: lower apps first."""
    return dict(_checks)


def differences() -> Iterator[tuple[str, Difference]]:
    """Yield the name of the check and the difference, for each that is found; the caller has opened the platform's scope."""
    with one_moment():
        for name, check in _checks.items():
            for found in check():
                yield name, found


def in_batches(rows: models.QuerySet[Row], *, size: int = BATCH) -> Iterator[list[Row]]:
    """Yield the rows by primary key, so many at a time."""
    last = 0
    ordered = rows.order_by("pk")
    while batch := list(ordered.filter(pk__gt=last)[:size]):
        yield batch
        last = batch[-1].pk


def compared(stored: Iterable[Keyed], facts: Iterable[Keyed], *, nothing: tuple[Any, ...]) -> Iterator[tuple[int, Keyed, Keyed]]:
    """Yield (key, stored, facts) where two streams of (key, figures …), both by ascending key, differ; absent is `nothing`.

    Both are read side by side, so that neither is ever held whole.
    """
    left, right = iter(stored), iter(facts)
    mine, theirs = next(left, None), next(right, None)
    while mine is not None or theirs is not None:
        key = min(row[0] for row in (mine, theirs) if row is not None)
        have, said = nothing, nothing
        if mine is not None and mine[0] == key:
            have, mine = tuple(mine[1:]), next(left, None)
        if theirs is not None and theirs[0] == key:
            said, theirs = tuple(theirs[1:]), next(right, None)
        if have != said:
            yield key, have, said


@contextmanager
def one_moment() -> Iterator[None]:
    """Read all books as of one moment, though the mall goes on selling; inside a transaction, as of that one's."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        # Not atomic(): that would keep SQLite's only writer waiting as long as we read.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
