"""Speed of 耗材查找 and 型号对照 over 1,000,000 rows each, beside the empty view. Needs
PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure

ANSWER_MS = 10
# The reference for the others. It has no gate.
PLAIN = ("empty view",)


@benchmark("finder", needs_postgres=True)
def finder() -> Iterable[Figure]:
    """Measure on a new database on the server in DATABASE_URL. BENCH_FINDER_ROWS=100000 for fewer
    rows.
    """
    result = run_measure("bench.finder_measure")
    yield Figure("rows of 适用机型", result.pop("rows"), "")
    for name, value in result.items():
        if name in PLAIN:
            yield Figure(f"{name}, p50", value, "ms")
        else:
            yield at_most(f"{name}, p50", value, ANSWER_MS, "ms")
