"""The lists of the back office over 200,000 rows each: as they open, and searched. PostgreSQL only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.registry import Figure, at_most, benchmark

ROOT = Path(__file__).resolve().parents[1]
GATE = 300


@benchmark("office")
def office() -> Iterable[Figure]:
    """On a copy of the demo whose every long table is multiplied, in the process; BENCH_ROWS=20000 for fewer."""
    command = [sys.executable, "-m", "bench.office_measure"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    yield Figure("a view that does nothing, p50", found.pop("empty"), "ms")
    for what, taken in found.items():
        name, _, rows = what.partition("|")
        yield at_most(f"{name} ({rows} rows), p50", taken, GATE, "ms")
