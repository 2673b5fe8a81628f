"""Time of the tree of budgets with 2,000 budgets."""

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


@benchmark("budgets")
def budgets() -> Iterable[Figure]:
    """Measure on a new database of the kind in DATABASE_URL. BENCH_BUDGETS=200 for fewer."""
    command = [sys.executable, "-m", "bench.budgets_measure"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        stdout=subprocess.PIPE,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    yield at_most("differences", found.pop("differences"), 0, "")
    for name, taken in found.items():
        yield at_most(f"{name}, p50", taken, GATE, "ms")
