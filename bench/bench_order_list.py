"""Speed of the order list with 200,000 orders: each tab, search and filter, in each data scope,
compared with an empty view.
"""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure

GATE = 100


@benchmark("order_list")
def order_list() -> Iterable[Figure]:
    """Measure in one process on a new database of the kind in DATABASE_URL. Query counts
    include authentication.
    """
    result = run_measure("bench.order_list_measure")
    empty = result.pop("empty")
    yield Figure("a view that does nothing, p50", empty, "ms")
    yield at_most("queries, the most of all", result.pop("queries"), 8, "")
    for name, taken in result.items():
        yield at_most(f"{name}, p50", taken, GATE, "ms")
        yield Figure(f"{name} ÷ empty view", taken / empty, "×")
