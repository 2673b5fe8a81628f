"""Quality of the embedded assistant: the judged questions of bench/assistant, with the held-out
part shown separately.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from bench.registry import Figure, at_least, benchmark
from tests.e2e.database import demo_database

ROOT = Path(__file__).resolve().parents[1]
GATE = 0.9


@benchmark("assistant")
def assistant() -> Iterable[Figure]:
    """Measure on a private copy of the demo data. An answer is right if the tool and every fact
    are right.
    """
    with demo_database(dict(os.environ)) as environment:
        command = [sys.executable, "-m", "bench.assistant.measure"]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**environment, "PYTHONPATH": str(ROOT)},
            check=True,
            stdout=subprocess.PIPE,
        )
    found = json.loads(done.stdout.splitlines()[-1])
    for missed in found["missed"]:
        print(f"{missed['id']}  {missed['ask']}\n    {missed['why']}", file=sys.stderr)
    yield Figure("questions", found["open"]["asked"] + found["held"]["asked"], "")
    for name, title in (("open", "worked on"), ("held", "held out")):
        part = found[name]
        yield at_least(
            f"{title} ({part['asked']}): tool and facts right",
            part["right"] / part["asked"],
            GATE,
            "",
        )
        yield Figure(f"{title}: tool right", part["tool"] / part["asked"], "")
    yield Figure("an answer, p50", found["p50"], "ms")
    yield Figure("an answer, p95", found["p95"], "ms")
