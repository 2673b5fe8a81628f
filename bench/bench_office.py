"""Speed of the back office's lists with 200,000 rows each: first page and searches. PostgreSQL
only.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure
from tests.e2e.database import demo_database

GATE = 300


@benchmark("office", needs_postgres=True)
def office() -> Iterable[Figure]:
    """Measure in one process on a copy of the demo with multiplied tables. BENCH_ROWS=20000 for
    fewer rows.
    """
    with demo_database(dict(os.environ)) as environment:
        result = run_measure("bench.office_measure", environment)
    yield Figure("a view that does nothing, p50", result.pop("empty"), "ms")
    for what, taken in result.items():
        name, _, rows = what.partition("|")
        yield at_most(f"{name} ({rows} rows), p50", taken, GATE, "ms")
