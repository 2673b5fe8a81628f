"""Quality of the embedded assistant: the judged questions of bench/assistant by class, with the
held-out part shown separately.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from bench.registry import Figure, at_least, at_most, benchmark, run_measure
from tests.e2e.database import demo_database

RIGHT_GATE = 0.92
ANOTHER_GATE = 0.01
PARTS = (("tune", "worked on"), ("held", "held out"))


@benchmark("assistant")
def assistant() -> Iterable[Figure]:
    """Measure on a private copy of the demo data. Print the wrong answers of the questions that
    are worked on.
    """
    with demo_database(dict(os.environ)) as environment:
        result = run_measure("bench.assistant.measure", environment)
    for missed in result["missed"]:
        print(f"{missed['row']}  {missed['verdict']}  {missed['ask']}", file=sys.stderr)
    for part, title in PARTS:
        yield from _figures_of_part(result["verdicts"], part, title)
    yield Figure("an answer, p50", result["p50"], "ms")
    yield Figure("an answer, p95", result["p95"], "ms")


def _figures_of_part(verdicts: dict[str, int], part: str, title: str) -> Iterable[Figure]:
    """Yield the rates of a part over all classes, then the rate of right answers by class."""
    own: list[tuple[str, str, int]] = []
    for key, count in verdicts.items():
        name, kind, verdict = key.split()
        if name == part:
            own.append((kind, verdict, count))
    query = sum(count for *_, count in own)
    rates = {
        verdict: sum(count for _, other, count in own if other == verdict) / max(1, query)
        for verdict in ("right", "asked", "another")
    }
    yield at_least(f"{title} ({query}): right", rates["right"], RIGHT_GATE, "")
    yield at_most(f"{title}: answered another question", rates["another"], ANOTHER_GATE, "")
    yield Figure(f"{title}: asked back or said so", rates["asked"], "")
    for kind in dict.fromkeys(kind for kind, *_ in own):
        counts = [(verdict, count) for other, verdict, count in own if other == kind]
        right = sum(count for verdict, count in counts if verdict == "right")
        yield Figure(f"{title}: {kind}", right / sum(count for _, count in counts), "")
