"""The size of a benchmark: the size of its gates, or with BENCH_SCALE=smoke just enough to run
(`python -m bench --smoke`).
"""

from __future__ import annotations

import os

SMOKE = "smoke"


def is_smoke() -> bool:
    """Whether the benchmarks run only to show that they work. Their figures are then
    meaningless and no gate applies.
    """
    return os.environ.get("BENCH_SCALE") == SMOKE


def size(full: int, smoke: int, name: str = "") -> int:
    """Return the value of the environment variable `name`, otherwise the full or the smoke
    size.
    """
    return int(os.environ.get(name) or (smoke if is_smoke() else full))
