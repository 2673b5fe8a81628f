"""The search by picture: hits for altered pictures and for drawings in another style, and the
time with 10,000 products.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from bench.registry import Figure, at_least, at_most, benchmark, run_measure
from tests.e2e.database import demo_database


@benchmark("image")
def image() -> Iterable[Figure]:
    """Measure on the kind of database in DATABASE_URL. Every third picture is held out and
    reported separately.
    """
    with demo_database(dict(os.environ)) as environment:
        result = run_measure("bench.image.measure", environment)
    for part in ("all", "held out"):
        yield Figure(f"altered pictures, {part}: hit@1", result[f"{part} hit@1"], "")
        yield at_least(f"altered pictures, {part}: hit@10", result[f"{part} hit@10"], 0.9, "")
        yield at_least(
            f"another style, {part}: same kind in the first 10", result[f"{part} kind@10"], 0.6, ""
        )
    for name in sorted(key for key in result if key.startswith("hit@10 ")):
        yield Figure(f"{name.removeprefix('hit@10 ')}: hit@10", result[name], "")
    yield Figure("another style: category guessed right", result["guess"], "")
    yield at_most("search among 10,000 products, p50", result["search"], 150, "ms")
    yield Figure("of it, processor time, p50", result["search cpu"], "ms")
    yield Figure("of it, the scan of 10,000 vectors, p50", result["scan"], "ms")
    yield Figure(
        "scan ÷ one plain pass over the same numbers", result["scan"] / result["pass"], "×"
    )
    yield Figure("describing one picture for the index, p50", result["describe"], "ms")
