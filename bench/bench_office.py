"""Speed of the back office's lists with 200,000 rows each: first page and searches. PostgreSQL
only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.registry import Figure, at_most, benchmark
from tests.e2e.database import demo_database

ROOT = Path(__file__).resolve().parents[1]
GATE = 300


@benchmark("office", needs_postgres=True)
def office() -> Iterable[Figure]:
    """Measure in one process on a copy of the demo with multiplied tables. BENCH_ROWS=20000 for
    fewer rows.
    """
    with demo_database(dict(os.environ)) as environment:
        command = [sys.executable, "-m", "bench.office_measure"]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**environment, "PYTHONPATH": str(ROOT)},
            check=True,
            stdout=subprocess.PIPE,
        )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    yield Figure("a view that does nothing, p50", found.pop("empty"), "ms")
    for what, taken in found.items():
        name, _, rows = what.partition("|")
        yield at_most(f"{name} ({rows} rows), p50", taken, GATE, "ms")
