"""What a benchmark is, and the table of those there are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured figure; `gate` says what it must be (docs: the speed gates) and `ok` whether it is. No gate: None."""

    what: str
    value: float
    unit: str
    gate: str = ""
    ok: bool | None = None


Benchmark = Callable[[], Iterable[Figure]]
BENCHMARKS: dict[str, Benchmark] = {}


def benchmark(name: str) -> Callable[[Benchmark], Benchmark]:
    """Register the decorated function under `name`, by which `make bench BENCH=name` runs it."""

    def register(function: Benchmark) -> Benchmark:
        BENCHMARKS[name] = function
        return function

    return register


def at_most(what: str, value: float, limit: float, unit: str) -> Figure:
    """Return the figure of a gate from above."""
    return Figure(what, value, unit, f"≤ {limit:g}", value <= limit)


def at_least(what: str, value: float, limit: float, unit: str) -> Figure:
    """Return the figure of a gate from below."""
    return Figure(what, value, unit, f"≥ {limit:g}", value >= limit)
