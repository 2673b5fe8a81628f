"""The speed gates over HTTP: two web processes, 20,000 products, compared with an empty view on
the same server.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.load import Ask, count_per_second, get_cpu_seconds, measure_in_turns
from bench.registry import Figure, at_least, at_most, benchmark
from bench.scale import size
from bench.server import ROOT, served, settings
from tests.e2e.database import demo_database

PRODUCTS = size(20_000, 1, "BENCH_PRODUCTS")
ROUNDS, SECONDS, CLIENTS, ORDERS = size(60, 1), size(4000, 50) / 1000, 2, size(600, 60)
# ms at one client, answers a second at two: what well-trimmed peers reach (docs: the speed gates).
FLOORS = {
    "list": (20, 88),
    "search": (72, 26),
    "detail": (16, 113),
    "add": (24, 100),
    "cart 100": (39, 45),
    "order": (53, 42),
}
TITLES = {
    "list": "list rows",
    "list with facets": "list with total and facets",
    "search": "search",
    "detail": "detail",
    "suggestion": "suggestion",
    "menu": "category menu",
    "add": "add to cart",
    "cart 10": "cart of 10 lines",
    "cart 100": "cart of 100 lines",
    "preview": "checkout of 10 lines",
    "order": "order of 10 lines",
}
# Of ten requests: five lists, two details, and one each of the others.
MIX = ("list", "detail", "list", "suggestion", "list", "cart 10", "list", "detail", "add", "list")
MIX_GATE, MIX_CLIENTS, MIX_PAIRS, MIX_SLICE = 8, 4, size(16, 1), size(1000, 100) / 1000
Lists = dict[str, list[dict[str, Any]]]


@benchmark("speed")
def speed() -> Iterable[Figure]:
    """Measure on the kind of database in DATABASE_URL. BENCH_PRODUCTS sets the number of
    products.
    """
    with mall() as (port, _, asks):
        yield from _figures(port, asks)


@benchmark("mix")
def mix() -> Iterable[Figure]:
    """Measure the mix of requests and the empty view in alternating short slices, so that other
    load affects both equally.
    """
    with mall() as (port, server, asks):

        def mixed(number: int) -> Ask:
            return asks[MIX[number % len(MIX)]](number)

        for ask in (asks["bare"], mixed):
            count_per_second(port, ask, clients=MIX_CLIENTS, seconds=SECONDS)
        pairs, spent = [], dict.fromkeys(("bare", "mix"), (0.0, 0.0))
        for _ in range(MIX_PAIRS):
            rates = []
            for name, ask in (("bare", asks["bare"]), ("mix", mixed)):
                before = get_cpu_seconds(server)
                rates.append(count_per_second(port, ask, clients=MIX_CLIENTS, seconds=MIX_SLICE))
                seconds, answers = spent[name]
                spent[name] = (
                    seconds + get_cpu_seconds(server) - before,
                    answers + rates[-1] * MIX_SLICE,
                )
            pairs.append(100 * rates[1] / rates[0])
    bare, mixed_time = (1000 * seconds / answers for seconds, answers in spent.values())
    yield at_least("mix ÷ empty view, answers a second", median(pairs), MIX_GATE, "%")
    yield Figure("mix, processor time of the web processes for an answer", mixed_time, "ms")
    yield Figure(
        "empty view ÷ mix, processor time of the web processes", 100 * bare / mixed_time, "%"
    )


@contextmanager
def mall() -> Iterator[tuple[int, int, dict[str, Callable[[int], Ask]]]]:
    """Yield the port and the process of a served mall with that many products, and the requests
    to send.
    """
    with demo_database(dict(os.environ)) as environment:
        for_bench = settings(environment)
        ids = Path(environment["MEDIA_ROOT"]).parent / "ids.json"
        subprocess.run(
            [sys.executable, "-m", "bench.grow", str(PRODUCTS)], cwd=ROOT, env=for_bench, check=True
        )
        subprocess.run(
            [sys.executable, "-m", "bench.prepare", str(ids), str(ORDERS)],
            cwd=ROOT,
            env=for_bench,
            check=True,
        )
        lists: Lists = json.loads(ids.read_text(encoding="utf-8"))
        with served(environment) as (port, server):
            yield port, server, asks_of(lists)


def asks_of(lists: Lists) -> dict[str, Callable[[int], Ask]]:
    """Return, by kind of request, a function from the request's number to the request."""

    def of(name: str, number: int) -> Any:
        return lists[name][number % len(lists[name])]

    def bearer(name: str, number: int) -> str:
        return str(of(name, number)["bearer"])

    orders = iter(lists["order"])

    def add(n: int) -> Ask:
        product = of("product", n)
        item = {"ProductCode": product["code"], "Quantity": product["quantity"]}
        return Ask(
            "POST",
            "/api/ShoppingCart/AddToCart",
            bearer("add", n),
            {"Items": [item]},
            uuid.uuid4().hex,
        )

    one = lists["ten"][0]["bearer"]
    return {
        "bare": lambda _n: Ask("GET", "/api/Bare"),
        "list": lambda n: Ask(
            "GET", f"/api/Product?Facets=0&Total=0&Cid={of('leaf', n)['id']}", one
        ),
        "list with facets": lambda n: Ask("GET", f"/api/Product?Cid={of('leaf', n)['id']}", one),
        "search": lambda n: Ask(
            "GET", f"/api/Product?Facets=0&Total=0&Keyword={of('term', n)['q']}", one
        ),
        "detail": lambda n: Ask("GET", f"/api/Product/{of('product', n)['code']}", one),
        "suggestion": lambda n: Ask(
            "POST", "/api/Product/Search", one, {"Key": of("prefix", n)["key"]}
        ),
        "menu": lambda _n: Ask("POST", "/api/Category/GetCustomerCategories", one, {}),
        "add": add,
        "cart 10": lambda _n: Ask("GET", "/api/ShoppingCart", one),
        "cart 100": lambda n: Ask("GET", "/api/ShoppingCart", bearer("big", n)),
        "preview": lambda _n: Ask("POST", "/api/Order/Preview", one, {}),
        "order": lambda _n: Ask(
            "POST", "/api/Order", str(next(orders)["bearer"]), {}, uuid.uuid4().hex
        ),
    }


def _figures(port: int, asks: dict[str, Callable[[int], Ask]]) -> Iterable[Figure]:
    result = measure_in_turns(port, asks, ROUNDS)
    bare = result["bare"]
    yield Figure("an empty view of the framework, p50", bare, "ms")
    for name, title in TITLES.items():
        floor = FLOORS.get(name)
        yield (
            at_most(f"{title}, p50", result[name], floor[0], "ms")
            if floor
            else Figure(f"{title}, p50", result[name], "ms")
        )
        yield Figure(f"{title} ÷ empty view", result[name] / bare, "×")
    yield at_most("cart of 100 lines ÷ cart of 10", result["cart 100"] / result["cart 10"], 3, "×")
    for name, (_, least) in FLOORS.items():
        rate = count_per_second(port, asks[name], clients=CLIENTS, seconds=SECONDS)
        yield at_least(f"{TITLES[name]}, {CLIENTS} clients", rate, least, "/s")
