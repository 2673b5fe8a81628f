"""Speed of 快速下单: a thousand lines parsed, resolved and priced, compared with bare SQL for the
same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure
from tests.e2e.database import demo_database


@benchmark("quick_order")
def quick_order() -> Iterable[Figure]:
    """Measure in one process on the kind of database in DATABASE_URL, with the demo catalogue."""
    with demo_database(dict(os.environ)) as environment:
        result = run_measure("bench.quick_order_measure", environment)
    yield at_most(
        "1,000 lines, nine in ten exact: parse, resolve, price, write out",
        result["mixed"],
        1000,
        "ms",
    )
    yield Figure("of it, processor time of the process", result["processor"], "ms")
    yield Figure("of it, parsing alone", result["parse"], "ms")
    yield Figure(
        "1,000 lines ÷ bare SQL of the same statements", result["mixed"] / result["bare"], "×"
    )
    yield at_most(
        "queries for 100 lines and for 1,000: difference",
        abs(result["queries 1000"] - result["queries 100"]),
        0,
        "",
    )
    yield Figure("1,000 different names, none exact", result["names"], "ms")
    yield at_most("1,000 codes of nobody", result["unknown"], 1000, "ms")
    yield at_most("1,000 codes of clones, or of nobody", result["cloned"], 1000, "ms")
    yield at_most("10,000 lines", result["lines 10000"], 10_000, "ms")
