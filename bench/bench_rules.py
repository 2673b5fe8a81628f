"""Speed of approval rules that look at earlier orders: each kind of condition over 1,000,000 order
lines of one enterprise, and the replay of 20,000 orders. PostgreSQL only.
"""

from __future__ import annotations

from collections.abc import Iterable

from bench.registry import Figure, at_most, benchmark, run_measure

CONDITION_MS, REPLAY_SECONDS, REPLAY_MB = 20, 30, 200


@benchmark("rules", needs_postgres=True)
def rules() -> Iterable[Figure]:
    """Measure on a new database on the server in DATABASE_URL. BENCH_RULE_LINES=100000 for fewer
    lines.
    """
    result = run_measure("bench.rules_measure")
    yield Figure("order lines", result.pop("lines"), "")
    yield Figure("orders of the replay", result.pop("replayed"), "")
    yield at_most("replay", result.pop("replay"), REPLAY_SECONDS, "s")
    yield Figure("replay, processor time of the worker", result.pop("replay processor"), "s")
    yield at_most("replay, memory above idle", result.pop("replay megabytes"), REPLAY_MB, "MB")
    yield Figure("replay, progress stored", result.pop("replay progress"), "times")
    for name, value in result.items():
        if name.endswith("p50"):
            yield at_most(name, value, CONDITION_MS, "ms")
        else:
            yield Figure(name, value, "×" if "÷" in name else "ms")
