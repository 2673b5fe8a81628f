"""Time of the tree of budgets with 2,000 budgets."""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure

GATE = 100


@benchmark("budgets")
def budgets() -> Iterable[Figure]:
    """Measure on a new database of the kind in DATABASE_URL. BENCH_BUDGETS=200 for fewer."""
    result = run_measure("bench.budgets_measure")
    yield at_most("differences", result.pop("differences"), 0, "")
    for name, taken in result.items():
        yield at_most(f"{name}, p50", taken, GATE, "ms")
