"""Time and memory of the sheet of 核算项 with 10,000 rows, in and out."""

from __future__ import annotations

from collections.abc import Iterable

from bench.dimensions_measure import ROWS
from bench.registry import Figure, at_most, benchmark, run_measure

MEMORY_MB = 150


@benchmark("dimensions")
def dimensions() -> Iterable[Figure]:
    """Measure on a new database of the kind in DATABASE_URL. BENCH_DIMENSIONS=1000 for fewer."""
    result = run_measure("bench.dimensions_measure")
    yield at_most("rows missing", ROWS - result.pop("rows"), 0, "")
    for name, value in result.items():
        if name.endswith("idle"):
            yield at_most(name, value, MEMORY_MB, "MB")
        else:
            yield Figure(name, value, "s")
