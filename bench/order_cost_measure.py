"""The measurements of bench_order_cost. Runs in its own process on the database in DATABASE_URL;
prints JSON. `python -m bench.order_cost_measure --profile` prints where the processor time goes.
"""

from __future__ import annotations

import cProfile
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.scale import size

# Orders that are measured, whose statements are counted, and that are delivered together.
ROUNDS, COUNTED, TOGETHER = size(60, 1, "BENCH_ROUNDS"), size(12, 1), size(20, 2)
# Prepared statements and compiled queries are warm after so many orders.
WARM_UPS = size(5, 1)
PROFILED = size(40, 1)
# The first part of a path that fits names the layer.
LAYERS = {
    "/psycopg": "driver, with the wait for the database",
    "/django/db/models/sql": "ORM: compile",
    "/django/db/backends": "ORM: execute",
    "/django/db/": "ORM: build queries, instances",
    "/django/": "framework",
    "/rest_framework": "framework",
    "/apps/": "our code",
    "/mall/": "our code",
}


@dataclass(slots=True)
class Spent:
    """Milliseconds of the processor for each call: of this process, and of its database session."""

    process: list[float] = field(default_factory=list)
    database: list[float] = field(default_factory=list)

    def measure(self, call: Callable[[], Any]) -> None:
        """Run the call once and note its times."""
        began, database_began = time.process_time(), read_database_seconds()
        call()
        self.process.append((time.process_time() - began) * 1000)
        self.database.append((read_database_seconds() - database_began) * 1000)


def read_database_seconds() -> float:
    """Return the processor seconds so far of the session of this process on a PostgreSQL of the
    same machine; otherwise 0.
    """
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    try:
        statistic = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
    except OSError:
        return 0.0
    return int(statistic.split()[0]) / 1e9


def count_statements(call: Callable[[], Any]) -> int:
    """Return the number of statements of the call, without BEGIN, COMMIT and savepoints."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from apps.common.testing.database import FRAME

    with CaptureQueriesContext(connection) as captured:
        call()
    return sum(not query["sql"].startswith(FRAME) for query in captured.captured_queries)


def deliver_all() -> None:
    """Deliver every message that is due, as the process for background work does."""
    from apps.common.background.delivery import MESSAGES_PER_CLAIM, outbox_deliver
    from apps.common.background.queues import SHORT

    while outbox_deliver(batch=MESSAGES_PER_CLAIM, queues=SHORT) == MESSAGES_PER_CLAIM:
        pass


class Shop:
    """Shoppers with a cart of ten lines each, of whom each orders once."""

    def __init__(self, orders: int) -> None:
        from apps.common.tenancy import platform_scope
        from apps.common.testing import ApiClient
        from bench.prepare import prepare

        with platform_scope(reason="bench"):
            shoppers = prepare(orders)["order"]
        self.bearers = [shopper["bearer"] for shopper in shoppers]
        self.client = ApiClient()
        self.next = iter(shoppers)
        deliver_all()

    def order(self) -> None:
        """Submit the cart of the next shopper."""
        self._order(next(self.next))

    def _order(self, shopper: dict[str, Any]) -> None:
        self.client.bearer = shopper["bearer"]
        self._expect(self.client.post("/api/Order", {}, key=shopper["key"]))

    def order_all(self) -> None:
        """Submit the carts of all shoppers that are left."""
        for shopper in self.next:
            self._order(shopper)

    def empty(self) -> None:
        """Call the view that only authenticates."""
        self.client.bearer = self.bearers[0]
        self._expect(self.client.post("/api/Empty"))

    def bare(self) -> None:
        """Call the framework's empty view."""
        if self.client.client.get("/api/Bare").status_code != 200:
            raise SystemExit("the empty view failed")

    def _expect(self, answer: Any) -> None:
        if not answer.ok:
            raise SystemExit(f"{answer.code} {answer.message} {answer.body}")


def measure() -> dict[str, float]:
    """Return milliseconds of the processor and statements, by measurement. The calls take turns,
    so that other load of the machine affects all equally.
    """
    shop = Shop(WARM_UPS + COUNTED + ROUNDS + TOGETHER)
    for _ in range(WARM_UPS):
        shop.order()
        shop.empty()
        shop.bare()
        deliver_all()
    counts = {"order": 0, "alone": 0}
    for _ in range(COUNTED):
        counts["order"] += count_statements(shop.order)
        counts["alone"] += count_statements(deliver_all)
    found = {f"{name} statements": count / COUNTED for name, count in counts.items()}
    times = {name: Spent() for name in ("bare", "empty", "order", "alone")}
    for _ in range(ROUNDS):
        times["bare"].measure(shop.bare)
        times["empty"].measure(shop.empty)
        times["order"].measure(shop.order)
        times["alone"].measure(deliver_all)
    for name, spent in times.items():
        found[name] = statistics.median(spent.process)
        found[f"{name} database"] = statistics.median(spent.database)
    for _ in range(TOGETHER):
        shop.order()
    found["together statements"] = count_statements(deliver_all) / TOGETHER
    return found


def profile() -> None:
    """Print the processor time of submits by layer, and by function with all that it calls."""
    shop = Shop(WARM_UPS + PROFILED)
    for _ in range(WARM_UPS):
        shop.order()
    for title, call in (
        ("submit", shop.order_all),
        ("background, together", deliver_all),
    ):
        profiler = cProfile.Profile(time.process_time)
        profiler.runcall(call)
        print_profile(title, profiler)


def print_profile(title: str, profiler: cProfile.Profile) -> None:
    """Print the shares of the layers, and the functions of our own code that take most."""
    import pstats

    rows = pstats.Stats(profiler).stats  # type: ignore[attr-defined]
    whole = sum(own for _, _, own, _, _ in rows.values())
    layers: dict[str, float] = {}
    for (path, _, _), (_, _, own, _, _) in rows.items():
        layer = next((name for part, name in LAYERS.items() if part in path), "Python and others")
        layers[layer] = layers.get(layer, 0) + own
    sys.stdout.write(f"\n{title}: {whole * 1000 / PROFILED:.1f} ms for each order\n")
    for layer, own in sorted(layers.items(), key=lambda row: -row[1]):
        sys.stdout.write(f"  {100 * own / whole:5.1f} %  {layer}\n")
    functions = sorted(
        ((total, path, name) for (path, _, name), (_, _, _, total, _) in rows.items()),
        reverse=True,
    )
    for total, path, name in [row for row in functions if "/apps/" in row[1]][:60]:
        where = path.partition("/apps/")[2]
        sys.stdout.write(f"  {100 * total / whole:5.1f} %  {where}: {name}\n")


def main() -> None:
    """Measure and print."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    import django

    django.setup()
    from django.test.utils import setup_test_environment

    setup_test_environment()
    if "--profile" in sys.argv:
        profile()
    else:
        json.dump(measure(), sys.stdout)


if __name__ == "__main__":
    main()
