"""Time and memory of the sheet of 核算项 with 10,000 rows, in and out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.dimensions_measure import ROWS
from bench.registry import Figure, at_most, benchmark

ROOT = Path(__file__).resolve().parents[1]
MEMORY_MB = 150


@benchmark("dimensions")
def dimensions() -> Iterable[Figure]:
    """Measure on a new database of the kind in DATABASE_URL. BENCH_DIMENSIONS=1000 for fewer."""
    command = [sys.executable, "-m", "bench.dimensions_measure"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        stdout=subprocess.PIPE,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    yield at_most("rows missing", ROWS - found.pop("rows"), 0, "")
    for name, value in found.items():
        if name.endswith("idle"):
            yield at_most(name, value, MEMORY_MB, "MB")
        else:
            yield Figure(name, value, "s")
