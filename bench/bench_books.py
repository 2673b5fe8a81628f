"""Time and memory of check_books over 100,000 orders."""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure


@benchmark("books")
def books() -> Iterable[Figure]:
    """Measure on a new database of the kind in DATABASE_URL, filled with received and paid
    orders of four lines.
    """
    found = run_measure("bench.books_measure")
    yield Figure("orders", found["orders"], "")
    yield at_most("check_books", found["seconds"], 60 * found["orders"] / 100_000, "s")
    yield at_most("memory above idle", found["megabytes"], 200, "MB")
    yield at_most("differences", found["differences"], 0, "")
