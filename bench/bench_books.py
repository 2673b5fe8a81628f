"""Time and memory of check_books over 100,000 orders."""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure


@benchmark("books")
def books() -> Iterable[Figure]:
    """Measure on a new database of the kind in DATABASE_URL, filled with received and paid
    orders of four lines.
    """
    result = run_measure("bench.books_measure")
    yield Figure("orders", result["orders"], "")
    yield at_most("check_books", result["seconds"], 60 * result["orders"] / 100_000, "s")
    yield at_most("memory above idle", result["megabytes"], 200, "MB")
    yield at_most("differences", result["differences"], 0, "")
