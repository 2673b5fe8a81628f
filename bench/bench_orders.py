"""Speed of buying: add to cart, the cart, checkout and an order of ten lines, compared with an
empty view.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure
from tests.e2e.database import demo_database

TITLES = {
    "add": "add to cart",
    "cart 10": "cart of 10 lines",
    "cart 100": "cart of 100 lines",
    "preview": "checkout of 10 lines",
    "submit": "order of 10 lines",
    "list": "order list",
}
QUERIES = {"add": 20, "cart 10": 6, "cart 100": 6, "preview": 12, "submit": 40, "list": 8}


@benchmark("orders")
def orders() -> Iterable[Figure]:
    """Measure in one process through the whole stack on the kind of database in DATABASE_URL.
    Query counts include authentication.
    """
    with demo_database(dict(os.environ)) as environment:
        result = run_measure("bench.orders_measure", environment)
    yield Figure("a view that does nothing, p50", result["empty"], "ms")
    yield at_most("cart of 100 lines ÷ cart of 10", result["cart 100"] / result["cart 10"], 3, "×")
    for name, title in TITLES.items():
        yield Figure(f"{title}, p50", result[name], "ms")
        yield Figure(f"{title} ÷ empty view", result[name] / result["empty"], "×")
        yield at_most(f"{title}, queries", result[f"{name} queries"], QUERIES[name], "")
