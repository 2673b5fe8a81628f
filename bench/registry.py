"""The registry of benchmarks."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.scale import is_smoke


@dataclass(frozen=True)
class Figure:
    """A measured figure. `gate` is its required value as text, `ok` whether it is met (None
    without a gate).
    """

    what: str
    value: float
    unit: str
    gate: str = ""
    ok: bool | None = None


ROOT = Path(__file__).resolve().parents[1]
Benchmark = Callable[[], Iterable[Figure]]
BENCHMARKS: dict[str, Benchmark] = {}
POSTGRES_ONLY: set[str] = set()


def benchmark(name: str, *, needs_postgres: bool = False) -> Callable[[Benchmark], Benchmark]:
    """Register the decorated function under `name`; `make bench BENCH=name` runs it."""

    def register(function: Benchmark) -> Benchmark:
        BENCHMARKS[name] = function
        if needs_postgres:
            POSTGRES_ONLY.add(name)
        return function

    return register


def run_measure(module: str, environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Run a module of `bench` in a process of its own. Return the figures of its last line, a
    JSON object. `environment` names the database; without it, the module sets up its own.
    """
    done = subprocess.run(
        [sys.executable, "-m", module],
        cwd=ROOT,
        env={**environment, "PYTHONPATH": str(ROOT)},
        check=True,
        stdout=subprocess.PIPE,
    )
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def at_most(what: str, value: float, limit: float, unit: str) -> Figure:
    """Return a figure with an upper limit."""
    return _build_gated_figure(what, value, unit, f"≤ {limit:g}", is_kept=value <= limit)


def at_least(what: str, value: float, limit: float, unit: str) -> Figure:
    """Return a figure with a lower limit."""
    return _build_gated_figure(what, value, unit, f"≥ {limit:g}", is_kept=value >= limit)


def _build_gated_figure(what: str, value: float, unit: str, gate: str, *, is_kept: bool) -> Figure:
    return Figure(what, value, unit) if is_smoke() else Figure(what, value, unit, gate, is_kept)
