"""What an order costs: processor time of the submit beside an empty view, and its statements,
together with the work that it sets off.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable

from bench.registry import ROOT, Figure, at_most, benchmark, run_measure
from bench.scale import size
from tests.e2e.database import demo_database

PRODUCTS = size(20_000, 1, "BENCH_PRODUCTS")
RATIO_GATE, STATEMENTS_GATE = 12, 60


@benchmark("order_cost")
def order_cost() -> Iterable[Figure]:
    """Measure in one process, with the settings of production, on the kind of database in
    DATABASE_URL. Processor time depends less on other load than elapsed time.
    """
    with demo_database(dict(os.environ)) as environment:
        own = {**environment, "DJANGO_SETTINGS_MODULE": "bench.settings", "PYTHONPATH": str(ROOT)}
        subprocess.run(
            [sys.executable, "-m", "bench.grow", str(PRODUCTS)], cwd=ROOT, env=own, check=True
        )
        found = run_measure("bench.order_cost_measure", own)
    empty = found["empty"] + found["empty database"]
    yield Figure("a view that only authenticates, processor time", empty, "ms")
    for name, title in (("order", "order of 10 lines"), ("alone", "its background work, alone")):
        whole = found[name] + found[f"{name} database"]
        yield Figure(f"{title}, processor time", whole, "ms")
        yield Figure(f"{title}, of it the database", found[f"{name} database"], "ms")
    ratio = (found["order"] + found["order database"]) / empty
    yield at_most("order of 10 lines ÷ empty view, processor time", ratio, RATIO_GATE, "×")
    alone, together = found["alone statements"], found["together statements"]
    yield Figure("order of 10 lines, statements", found["order statements"], "")
    yield Figure("its background work, statements: 20 orders together", together, "")
    yield at_most(
        "order and its background work alone, statements",
        found["order statements"] + alone,
        STATEMENTS_GATE,
        "",
    )
