"""Time and memory of check_books over 100,000 orders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.registry import Figure, at_most, benchmark

ROOT = Path(__file__).resolve().parents[1]


@benchmark("books")
def books() -> Iterable[Figure]:
    """Measure on a new database of the kind in DATABASE_URL, filled with received and paid
    orders of four lines.
    """
    command = [sys.executable, "-m", "bench.books_measure"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        stdout=subprocess.PIPE,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    yield Figure("orders", found["orders"], "")
    yield at_most("check_books", found["seconds"], 60 * found["orders"] / 100_000, "s")
    yield at_most("memory above idle", found["megabytes"], 200, "MB")
    yield at_most("differences", found["differences"], 0, "")
