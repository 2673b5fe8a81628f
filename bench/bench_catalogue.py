"""Speed of the catalogue: list rows, facets, search, suggestions and detail, compared with bare
SQL for the same rows; growth.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable

from bench.families_measure import GATED_LISTS, LISTS
from bench.registry import ROOT, Figure, at_most, benchmark, run_measure
from bench.scale import size
from tests.e2e.database import demo_database

# A size below the demo's own adds no product.
SMALL, LARGE = size(5_000, 1), size(20_000, 1)
TIMED = (
    "list",
    "list by price",
    "list with facets",
    "search",
    "detail",
    "suggestion",
    "suggestion groups",
    "menu",
)
GROWN = int(os.environ.get("BENCH_PRODUCTS", "0"))


@benchmark("catalogue")
def catalogue() -> Iterable[Figure]:
    """Measure on the kind of database in DATABASE_URL. BENCH_PRODUCTS=100000 adds the gate for
    growth.
    """
    with demo_database(dict(os.environ)) as environment:
        at = {size: _measured(size, environment) for size in sorted({SMALL, LARGE, GROWN} - {0})}
    large = at[LARGE]
    yield at_most(
        "list rows ÷ bare SQL of page and prices, 20,000 products",
        large["list"] / large["bare list"],
        6,
        "×",
    )
    yield at_most(
        "list with total and facets ÷ its bare SQL",
        large["list with facets"] / large["bare list with facets"],
        2,
        "×",
    )
    yield at_most(
        f"list rows at {max(at):,} ÷ at 5,000 products",
        at[max(at)]["list"] / at[SMALL]["list"],
        1.5,
        "×",
    )
    yield at_most("suggestion groups, p50 in the server", large["suggestion groups"], 5, "ms")
    yield Figure(
        "suggestion groups ÷ their bare SQL",
        large["suggestion groups"] / large["bare suggestion groups"],
        "×",
    )
    for name in TIMED:
        yield Figure(f"{name}, p50", large[name], "ms")
        yield Figure(f"{name}, bare SQL p50", large[f"bare {name}"], "ms")


@benchmark("families")
def families() -> Iterable[Figure]:
    """Measure the list with one card for each family beside the list of products, with 20,000
    products, on the kind of database in DATABASE_URL.
    """
    with demo_database(dict(os.environ)) as environment:
        _grow(LARGE, environment)
        result = run_measure("bench.families_measure", environment)
    for name in LISTS:
        alone, grouped = result[f"{name}, products"], result[f"{name}, families"]
        ratio = f"{name}, families ÷ products"
        if name in GATED_LISTS:
            yield at_most(ratio, grouped / alone, 1.15, "×")
        else:
            yield Figure(ratio, grouped / alone, "×")
        yield Figure(f"{name}, families, p50", grouped, "ms")


def _measured(size: int, environment: dict[str, str]) -> dict[str, float]:
    _grow(size, environment)
    return run_measure("bench.catalogue_measure", environment)


def _grow(size: int, environment: dict[str, str]) -> None:
    subprocess.run(
        [sys.executable, "-m", "bench.grow", str(size)],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": str(ROOT)},
        check=True,
    )
