"""Run every program of this folder once with minimal data. This only shows that each program
still works.

The browser's program needs Chromium and the built front end. Without Chromium it is skipped, unless
BROWSER=required.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.registry import BENCHMARKS, POSTGRES_ONLY
from bench.scale import SMOKE
from tests.e2e.database import demo_database

ROOT = Path(__file__).resolve().parents[1]
WORKERS = 2
# The programs that are no benchmark of the registry.
PROGRAMS: Mapping[str, Sequence[str]] = {
    "pages.mjs": [
        sys.executable,
        "-m",
        "tests.e2e",
        "--",
        "node",
        "bench/pages.mjs",
        "--runs",
        "1",
        "--routes",
        "/login,/shop/cart",
    ],
    "faults": [sys.executable, "-m", "bench.faults", "--help"],
    "affected": [sys.executable, "-m", "bench.affected", "--help"],
    "peers/ours.sh": ["bash", "bench/peers/ours.sh", "--help"],
}
# The longest first, so that the last worker does not end long after the other.
LONGEST = ("pages.mjs", "import_catalogue", "office", "speed", "mix")


def is_on_postgres() -> bool:
    """Whether DATABASE_URL names a PostgreSQL database."""
    return os.environ.get("DATABASE_URL", "").startswith("postgres")


def commands() -> dict[str, Sequence[str]]:
    """Return the programs by name, the longest first."""
    known = {
        name: [sys.executable, "-m", "bench", name]
        for name in BENCHMARKS
        if is_on_postgres() or name not in POSTGRES_ONLY
    }
    started = {**PROGRAMS, **known}
    return {
        name: started[name]
        for name in sorted(started, key=lambda name: (name not in LONGEST, name))
    }


def start(name: str, command: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Run one program. Print its result, and its output if it failed."""
    began = time.monotonic()
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    seconds = time.monotonic() - began
    text = "" if done.returncode == 0 else f"{done.stdout}{done.stderr}"
    sys.stdout.write(
        f"{'FAILED' if text or done.returncode else 'ok    '} {seconds:5.1f} s  {name}\n{text}"
    )
    sys.stdout.flush()
    return done.returncode == 0


def smoke(names: Sequence[str]) -> int:
    """Run the named programs (all if none is named), two at a time. Return 1 if one failed."""
    environment = {**os.environ, "BENCH_SCALE": SMOKE, "PYTHONPATH": str(ROOT)}
    chosen = {name: command for name, command in commands().items() if not names or name in names}
    if not is_on_postgres():
        sys.stdout.write(f"only on PostgreSQL, left out: {', '.join(sorted(POSTGRES_ONLY))}\n")
    # Loaded once: the programs take copies of it.
    with demo_database(dict(os.environ)):
        pass
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        ended = list(pool.map(lambda name: start(name, chosen[name], environment), chosen))
    return int(not all(ended))
