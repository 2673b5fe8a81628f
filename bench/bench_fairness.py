"""Effect of greedy clients: twenty ordinary clients alone, and beside four that send requests
without pause.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

from bench.fairness_measure import ORDINARY, Measured, beside_greedy, ordinary, paths_of
from bench.registry import Figure, at_most, benchmark
from bench.scale import size
from bench.server import served
from tests.e2e.database import demo_database

# They take turns, so that whatever else the machine does weighs on both.
PAIRS, SECONDS = size(6, 1), float(size(6, 1))
MOST_TIMES = 2.0
CASES = {"shares alone": "false", "shares and limits": "true"}


@benchmark("fairness")
def fairness() -> Iterable[Figure]:
    """Measure on the kind of database in DATABASE_URL, once without rate limits (only shares
    protect) and once with them.
    """
    with demo_database(dict(os.environ)) as environment:
        for title, limits in CASES.items():
            with served({**environment, "TRUSTED_PROXIES": "1", "BENCH_LIMITS": limits}) as (
                port,
                _,
            ):
                yield from _figures(port, title)


def _figures(port: int, title: str) -> Iterable[Figure]:
    paths, alone, beside, greedy = paths_of(port), Measured(), Measured(), Counter[str]()
    ordinary(port, paths, Measured(), seconds=SECONDS / 2)
    for _ in range(PAIRS):
        ordinary(port, paths, alone, seconds=SECONDS)
        greedy += beside_greedy(port, paths, beside, seconds=SECONDS)
    yield Figure(f"{title}: {ORDINARY} ordinary clients alone, p95", alone.p95, "ms")
    yield Figure(f"{title}: beside greedy ones, p95", beside.p95, "ms")
    yield at_most(f"{title}: p95 beside ÷ alone", beside.p95 / alone.p95, MOST_TIMES, "×")
    yield at_most(
        f"{title}: ordinary calls that failed, of {len(beside.taken)}", beside.failed, 0, ""
    )
    for status, number in sorted(greedy.items()):
        yield Figure(
            f"{title}: answers {status} to greedy clients", number / (PAIRS * SECONDS), "/s"
        )
