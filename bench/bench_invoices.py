"""Speed of the list of 50,000 invoiceable lines and of an application for 2,000 of them,
compared with an empty view.
"""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure


@benchmark("invoices")
def invoices() -> Iterable[Figure]:
    """Measure in one process on a new database of the kind in DATABASE_URL. Query counts
    include authentication.
    """
    found = run_measure("bench.invoices_measure")
    yield Figure("lines and freights available", found["lines"], "")
    yield Figure("a view that does nothing, p50", found["empty"], "ms")
    yield at_most("first page of them with its sums, p50", found["available"], 150, "ms")
    yield Figure("first page ÷ empty view", found["available"] / found["empty"], "×")
    yield at_most("first page, queries", found["queries"], 8, "")
    yield at_most("an application of 2,000 lines", found["application"], 3, "s")
