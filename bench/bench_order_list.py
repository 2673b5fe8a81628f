"""Speed of the order list with 200,000 orders: each tab, search and filter, in each data scope,
compared with an empty view.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.registry import Figure, at_most, benchmark

ROOT = Path(__file__).resolve().parents[1]
GATE = 100


@benchmark("order_list")
def order_list() -> Iterable[Figure]:
    """Measure in one process on a new database of the kind in DATABASE_URL. Query counts
    include authentication.
    """
    command = [sys.executable, "-m", "bench.order_list_measure"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        stdout=subprocess.PIPE,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    empty = found.pop("empty")
    yield Figure("a view that does nothing, p50", empty, "ms")
    yield at_most("queries, the most of all", found.pop("queries"), 8, "")
    for name, taken in found.items():
        yield at_most(f"{name}, p50", taken, GATE, "ms")
        yield Figure(f"{name} ÷ empty view", taken / empty, "×")
