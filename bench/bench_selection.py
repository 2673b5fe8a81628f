"""Speed of 一键选品: an item list and a scenario over the demo catalogue, through the whole
stack.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure
from tests.e2e.database import demo_database


@benchmark("selection")
def selection() -> Iterable[Figure]:
    """Measure in one process on the kind of database in DATABASE_URL. For scenarios the slowest
    of five counts.
    """
    with demo_database(dict(os.environ)) as environment:
        result = run_measure("bench.selection_measure", environment)
    for name in ("onboarding", "meeting", "printing", "festival", "100,000 people"):
        yield at_most(f"scenario {name}, slowest", result[name], 2000, "ms")
    yield Figure("wish list of 10 lines, p50", result["10 lines"], "ms")
    yield at_most("wish list of 100 lines, p50", result["100 lines"], 2000, "ms")
    yield at_most("100 lines ÷ 10 lines", result["100 lines"] / result["10 lines"], 10, "×")
