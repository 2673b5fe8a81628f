"""Quality of the search: the judged queries of bench/search over the demo catalogue, nDCG@10
and the share without results.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from bench.registry import Figure, at_least, benchmark, run_measure
from tests.e2e.database import demo_database

PARTS = (("tuned", "tuning part"), ("held", "held out"))
GATE = 0.92
# Every class must reach this on its own, so that a weak class is not hidden in the mean.
CLASS_GATE = 0.85


@benchmark("search")
def search() -> Iterable[Figure]:
    """Measure on the kind of database in DATABASE_URL."""
    with demo_database(dict(os.environ)) as environment:
        parts = run_measure("bench.search.measure", environment)
    for name, title in PARTS:
        part = parts[name]
        yield at_least(f"nDCG@10, {title} ({part['queries']} queries)", part["ndcg"], GATE, "")
        yield Figure(f"without a result, {title}", part["empty"] * 100, "%")
    for name, title in PARTS:
        for part_name, part in sorted(parts.items()):
            if part_name.startswith(f"{name} "):
                kind = part_name.removeprefix(f"{name} ")
                yield at_least(
                    f"nDCG@10, {kind}, {title} ({part['queries']})", part["ndcg"], CLASS_GATE, ""
                )
    yield Figure(
        f"rightly without a result ({parts['absent']['queries']})",
        parts["absent"]["empty"] * 100,
        "%",
    )
