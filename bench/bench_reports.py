"""How long the first page of each report takes over 2,000,000 facts of one group, and a drill down to its lines. PostgreSQL only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.registry import Figure, at_most, benchmark

ROOT = Path(__file__).resolve().parents[1]
PAGE_SECONDS, DRILL_SECONDS = 1.0, 0.3


@benchmark("reports")
def reports() -> Iterable[Figure]:
    """On a migrated database of its own on the server that DATABASE_URL names; BENCH_FACTS=200000 for fewer."""
    command = [sys.executable, "-m", "bench.reports_measure"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    yield Figure("facts", found.pop("facts"), "")
    for what, seconds in found.items():
        yield at_most(what, seconds, DRILL_SECONDS if what.startswith("drill") else PAGE_SECONDS, "s")
