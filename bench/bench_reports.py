"""Speed of reports with 2,000,000 facts of one group: first pages, drills to lines, an export
of 100,000 rows. PostgreSQL only.
"""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure

PAGE_SECONDS, DRILL_SECONDS, EXPORT_SECONDS, EXPORT_MB = 1.0, 0.3, 20, 200


@benchmark("reports", needs_postgres=True)
def reports() -> Iterable[Figure]:
    """Measure on a new database on the server in DATABASE_URL. BENCH_FACTS=200000 for fewer
    facts.
    """
    result = run_measure("bench.reports_measure")
    yield Figure("facts", result.pop("facts"), "")
    yield Figure("export: rows", result.pop("export: rows"), "")
    yield at_most("export: seconds", result.pop("export: seconds"), EXPORT_SECONDS, "s")
    yield Figure("export: seconds of the processor", result.pop("export: processor"), "s")
    yield at_most("export: memory above idle", result.pop("export: megabytes"), EXPORT_MB, "MB")
    for what, seconds in result.items():
        if what.endswith("the slowest"):
            yield Figure(what, seconds, "s")
        else:
            yield at_most(
                f"{what}, p95",
                seconds,
                DRILL_SECONDS if what.startswith("drill") else PAGE_SECONDS,
                "s",
            )
