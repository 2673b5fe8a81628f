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
    result = run_measure("bench.invoices_measure")
    yield Figure("lines and freights available", result["lines"], "")
    yield Figure("a view that does nothing, p50", result["empty"], "ms")
    yield at_most("first page of them with its sums, p50", result["available"], 150, "ms")
    yield Figure("first page ÷ empty view", result["available"] / result["empty"], "×")
    yield at_most("first page, queries", result["queries"], 8, "")
    yield at_most("an application of 2,000 lines", result["application"], 3, "s")
