"""Orders over HTTP: how many two clients place, a steady rate, and one row that everybody needs.
PostgreSQL only.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.order_rate_measure import CLIENTS, RATE, SECONDS, SUBMITS
from bench.registry import ROOT, Figure, at_least, at_most, benchmark, run_measure
from bench.scale import size
from tests.e2e.database import demo_database

PRODUCTS = size(20_000, 1, "BENCH_PRODUCTS")
OSCAR_GATE, READ_GATE, DELIVERY_GATE, ROW_GATE = 5, 1.5, 5, 150
# The folder of the harness that other shops are measured with; it is no part of this repository.
PEERS = Path(os.environ.get("PEERS", ROOT.parent / "shared" / "peers"))


@benchmark("order_rate", needs_postgres=True)
def order_rate() -> Iterable[Figure]:
    """Measure over HTTP with two web processes and one for background work. PEER_DIR names the
    folder of a served django-oscar, which is then asked for orders before ours are.
    """
    oscar = measure_oscar()
    with demo_database(dict(os.environ)) as environment:
        own = {**environment, "DJANGO_SETTINGS_MODULE": "bench.settings", "PYTHONPATH": str(ROOT)}
        subprocess.run(
            [sys.executable, "-m", "bench.grow", str(PRODUCTS)], cwd=ROOT, env=own, check=True
        )
        found = run_measure("bench.order_rate_measure", own)
    yield Figure(f"empty view, {CLIENTS} clients", found["empty"], "/s")
    for name in ("placed", "delivered"):
        yield Figure(f"orders of 10 lines, {CLIENTS} clients, {name}", found[name], "/s")
        yield Figure(f"the same ÷ empty view, {name}", 100 * found[name] / found["empty"], "%")
    if oscar is not None:
        yield Figure(f"oscar, {CLIENTS} clients", oscar, "/s")
        yield at_least("delivered ÷ oscar", found["delivered"] / oscar, OSCAR_GATE, "×")
    yield Figure(f"{RATE} orders a second: placed", found["steady placed"], "/s")
    yield Figure(f"{RATE} orders a second: calls refused with 503", found["steady refused"], "")
    yield Figure(f"{RATE} orders a second: p95 of the submit", found["steady order"], "ms")
    yield at_most(
        f"{RATE} orders a second: p95 of the delivery", found["steady delivery"], DELIVERY_GATE, "s"
    )
    for name in ("list", "detail"):
        idle, steady = found[f"idle {name}"], found[f"steady {name}"]
        yield Figure(f"{name}, p95 idle", idle, "ms")
        yield at_most(f"{name}, p95 beside {RATE} orders ÷ idle", steady / idle, READ_GATE, "×")
    one, many = found["one row"], found["own rows"]
    yield at_least(f"{SUBMITS} submits at once, one budget and one product", one, ROW_GATE, "/s")
    yield Figure(f"{SUBMITS} submits at once, own enterprises, budgets, products", many, "/s")
    yield Figure("one row ÷ own rows", 100 * one / many, "%")


def measure_oscar() -> float | None:
    """Return the orders a second that two clients place in the oscar of PEER_DIR. None if no such
    folder is named.
    """
    if not os.environ.get("PEER_DIR"):
        return None
    with TemporaryDirectory() as folder:
        out = Path(folder) / "oscar.json"
        command = [sys.executable, str(PEERS / "load.py"), str(PEERS / "target-oscar.json")]
        options = ["--jobs", "order10", "--clients", str(CLIENTS), "--seconds", str(SECONDS)]
        ports = {"PORT": os.environ.get("PEER_PORT", "8701"), "PGPORT": "5498", **os.environ}
        subprocess.run([*command, *options, "--out", str(out)], env=ports, check=True)
        [level] = json.loads(out.read_text(encoding="utf-8"))["jobs"]["order10"]["levels"]
    return float(level["rps"])
