"""The measurements of bench_order_rate. Runs in its own process on the database in DATABASE_URL,
which it fills, and serves the mall itself; prints JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import statistics
import sys
import time
import uuid
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from bench.load import OK, Ask, Client, count_per_second
from bench.scale import size
from bench.server import served

CLIENTS, SECONDS = 2, size(60, 1, "BENCH_SECONDS")
# The rate is of orders a second, the pace of reads of each kind.
RATE, STEADY_SECONDS, PACE = size(40, 4, "BENCH_RATE"), size(25, 2), 4
SUBMITS, CONNECTIONS, PAIRS = size(200, 4), size(40, 2), size(2, 1, "BENCH_PAIRS")
# More carts than two clients can submit.
MOST_RATE = 60
DELIVERY_SECONDS = 180
WARM_UPS = 4
Shoppers = Sequence[dict[str, Any]]


@dataclass(slots=True)
class Taken:
    """The milliseconds of the answers, and how many requests the server refused as too many."""

    milliseconds: list[float] = field(default_factory=list)
    refused: int = 0


def percentile(values: Sequence[float], share: float = 0.95) -> float:
    """Return the value that this share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def build_order(shopper: dict[str, Any]) -> Ask:
    """Return the submit of the shopper's cart."""
    return Ask("POST", "/api/Order", shopper["bearer"], {}, uuid.uuid4().hex)


def count_open_messages(since: datetime) -> int:
    """Return the number of messages written since then that are due and not delivered yet."""
    from django.db.models import Q
    from django.utils import timezone

    from apps.common.models import OutboxMessage

    is_due = Q(attempts__gt=0) | Q(available_at__lte=timezone.now())
    rows = OutboxMessage.objects.filter(created_at__gte=since)
    return rows.filter(is_due, delivered_at=None, dead_at=None).count()


def wait_for_delivery(since: datetime) -> None:
    """Wait until every message written since then is delivered."""
    end = time.monotonic() + DELIVERY_SECONDS
    while count_open_messages(since):
        if time.monotonic() > end:
            raise SystemExit(f"{count_open_messages(since)} messages are still not delivered")
        time.sleep(0.1)


def list_delivery_seconds(since: datetime) -> list[float]:
    """Return the seconds from the order to the delivery of each message written since then."""
    from apps.common.models import OutboxMessage

    rows = OutboxMessage.objects.filter(created_at__gte=since, delivered_at__isnull=False)
    times = rows.values_list("created_at", "delivered_at")
    return [(delivered - created).total_seconds() for created, delivered in times if delivered]


def measure_rate(port: int, shoppers: Iterator[dict[str, Any]]) -> dict[str, float]:
    """Return the orders a second that two clients place, and the orders a second until all their
    messages are delivered. The empty view is measured before and after.
    """
    from django.utils import timezone

    def count_empty() -> float:
        return count_per_second(
            port, lambda _: Ask("GET", "/api/Bare"), clients=CLIENTS, seconds=SECONDS / 10
        )

    before, since, began = count_empty(), timezone.now(), time.monotonic()
    placed = count_per_second(
        port, lambda _: build_order(next(shoppers)), clients=CLIENTS, seconds=SECONDS
    )
    placing = time.monotonic() - began
    wait_for_delivery(since)
    delivered = placed * placing / (time.monotonic() - began)
    return {
        "empty": (before + count_empty()) / 2,
        "placed": placed,
        "delivered": delivered,
    }


async def run_paced(
    port: int, asks: Iterator[Ask], *, rate: float, seconds: float, taken: Taken
) -> None:
    """Send `rate` requests a second, each on time even if earlier ones have no answer yet, and add
    the milliseconds of each. A server that cannot keep up refuses some with 503.
    """
    free: list[Client] = []

    async def one(ask: Ask) -> None:
        client = free.pop() if free else Client(port)
        began = time.perf_counter()
        head, body = await client.answer(ask)
        if b" 503 " in head[:20]:
            taken.refused += 1
        elif b" 200 " in head[:20] and OK in body[:200]:
            taken.milliseconds.append((time.perf_counter() - began) * 1000)
        else:
            raise SystemExit(f"{ask.method} {ask.path}: {head[:60]!r} {body[:300]!r}")
        free.append(client)

    began, tasks = time.perf_counter(), []
    for number in range(round(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
        tasks.append(asyncio.create_task(one(next(asks))))
    await asyncio.gather(*tasks)
    for client in free:
        client.close()


def measure_steady(
    port: int, shoppers: Iterator[dict[str, Any]], lists: Mapping[str, Shoppers]
) -> dict[str, float]:
    """Return the p95 of list and detail alone and beside RATE orders a second, what was placed, and
    the p95 of the delivery of the messages.
    """
    from django.utils import timezone

    bearer, draw = lists["ten"][0]["bearer"], random.Random(7)
    reads: dict[str, Callable[[], Ask]] = {
        "list": lambda: Ask(
            "GET", f"/api/Product?Facets=0&Total=0&Cid={draw.choice(lists['leaf'])['id']}", bearer
        ),
        "detail": lambda: Ask(
            "GET", f"/api/Product/{draw.choice(lists['product'])['code']}", bearer
        ),
    }

    def read(*others: Coroutine[Any, Any, None]) -> dict[str, Taken]:
        taken = {name: Taken() for name in reads}

        async def run() -> None:
            await asyncio.gather(
                *others,
                *(
                    run_paced(
                        port,
                        iter(reads[name], None),
                        rate=PACE,
                        seconds=STEADY_SECONDS,
                        taken=taken[name],
                    )
                    for name in reads
                ),
            )

        asyncio.run(run())
        return taken

    idle, since, began, taken = read(), timezone.now(), time.monotonic(), Taken()
    orders = (build_order(shopper) for shopper in shoppers)
    busy = read(run_paced(port, orders, rate=RATE, seconds=STEADY_SECONDS, taken=taken))
    placing = time.monotonic() - began
    wait_for_delivery(since)
    return {
        "steady placed": len(taken.milliseconds) / placing,
        "steady refused": sum(each.refused for each in (taken, *busy.values())),
        "steady order": percentile(taken.milliseconds),
        "steady delivery": percentile(list_delivery_seconds(since)),
        **{f"idle {name}": percentile(each.milliseconds) for name, each in idle.items()},
        **{f"steady {name}": percentile(each.milliseconds) for name, each in busy.items()},
    }


def measure_submits(port: int, shoppers: Shoppers) -> float:
    """Return how many of these submits, sent at once, end each second."""

    async def run() -> float:
        waiting = iter(shoppers)

        async def one() -> None:
            client = Client(port)
            for shopper in waiting:
                await client.ask(build_order(shopper))
            client.close()

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
        return len(shoppers) / (time.perf_counter() - began)

    return asyncio.run(run())


class Crowds:
    """People who order one line each: all of one enterprise from one budget and of one product, or
    each connection's people of another enterprise, from own budgets and of own products.
    """

    def __init__(self, codes: Sequence[str]) -> None:
        from apps.catalog.models import Product

        self.products = list(Product.objects.filter(code__in=codes).order_by("code")[:CONNECTIONS])
        self.number = 0

    def create_on_one_row(self) -> Shoppers:
        """Return the people of one enterprise, one budget and one product."""
        from apps.budgets.models import Budget
        from bench.prepare import ENOUGH, create_boss

        boss = create_boss()
        shoppers = self._create(boss, SUBMITS, self.products[0])
        Budget.objects.filter(enterprise=boss.enterprise).delete()
        Budget.objects.create(
            name="企业预算",
            owner_type="enterprise",
            group=boss.group,
            enterprise=boss.enterprise,
            amount=ENOUGH,
            period="year",
            period_from=date(2000, 1, 1),
            period_to=date(2099, 12, 31),
        )
        return shoppers

    def create_on_own_rows(self) -> Shoppers:
        """Return the people of as many enterprises as there are connections, by turns."""
        from bench.prepare import create_boss

        pools = [
            self._create(create_boss(), SUBMITS // CONNECTIONS, product)
            for product in self.products
        ]
        return [shopper for turn in zip(*pools, strict=True) for shopper in turn]

    def _create(self, boss: Any, count: int, product: Any) -> Shoppers:
        from bench.prepare import create_shoppers

        self.number += 1
        return create_shoppers(
            boss, f"row{self.number}", count, 1, [product], random.Random(self.number)
        )


def measure() -> dict[str, float]:
    """Fill the database, serve it, and return the figures by name."""
    from django.db import connection

    from apps.common.tenancy import platform_scope
    from bench.prepare import prepare

    with platform_scope(reason="bench"):
        lists = prepare(WARM_UPS + SECONDS * MOST_RATE + RATE * STEADY_SECONDS)
        crowds = Crowds([row["code"] for row in lists["product"]])
        pairs = [(crowds.create_on_one_row(), crowds.create_on_own_rows()) for _ in range(PAIRS)]
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        shoppers = iter(lists["order"])
        with served(dict(os.environ)) as (port, _):
            measure_submits(port, [next(shoppers) for _ in range(WARM_UPS)])
            found = measure_rate(port, shoppers)
            found |= measure_steady(port, shoppers, lists)
            rates = [(measure_submits(port, one), measure_submits(port, own)) for one, own in pairs]
    found["one row"] = statistics.median(one for one, _ in rates)
    found["own rows"] = statistics.median(own for _, own in rates)
    return found


def main() -> None:
    """Measure and print."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    import django

    django.setup()
    json.dump(measure(), sys.stdout)


if __name__ == "__main__":
    main()
