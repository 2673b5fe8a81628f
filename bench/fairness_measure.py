"""Ordinary clients beside greedy ones, each from its own address. python -m
bench.fairness_measure PORT SECONDS runs the greedy ones.

An ordinary client requests a page, pauses, and requests the next. A greedy client requests the
largest pages over many connections without a pause, and retries at once after a refusal. Greedy
clients have their own process, so that they do not slow down the clock of the others.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass, field

from bench.load import OK, Ask, Client
from bench.server import ROOT

ORDINARY, GREEDY, CONNECTIONS = 20, 4, 16
THINK_SECONDS = (0.5, 1.5)
GREEDY_PATH = "/api/Product?PageSize=100"


@dataclass(slots=True)
class Measured:
    """The results of the ordinary clients: milliseconds of each call, and the number of
    failures.
    """

    taken: list[float] = field(default_factory=list)
    failed: int = 0

    @property
    def p95(self) -> float:
        """The 95th percentile in milliseconds."""
        return sorted(self.taken)[int(len(self.taken) * 0.95)]


def paths_of(port: int) -> list[str]:
    """Return the pages that ordinary clients request: the list and its products."""
    with urllib.request.urlopen(
        f"http://127.0.0.1:{port}/api/Product?PageSize=50", timeout=30
    ) as answer:
        codes = [row["ProductCode"] for row in json.load(answer)["MsgBody"]["Items"]]
    return [f"/api/Product?PageIndex={number}" for number in range(1, 11)] + [
        f"/api/Product/{code}" for code in codes[:20]
    ]


def ordinary(port: int, paths: list[str], measured: Measured, *, seconds: float) -> None:
    """Run the ordinary clients for some seconds and add their results to `measured`."""

    async def one(number: int, end: float) -> None:
        client, draw = Client(port), random.Random(number)
        await asyncio.sleep(draw.uniform(0, THINK_SECONDS[1]))
        while time.perf_counter() < end:
            began = time.perf_counter()
            head, body = await client.answer(
                Ask("GET", draw.choice(paths), address=f"198.51.100.{number}")
            )
            measured.taken.append((time.perf_counter() - began) * 1000)
            measured.failed += b" 200 " not in head[:20] or OK not in body[:200]
            await asyncio.sleep(draw.uniform(*THINK_SECONDS))
        client.close()

    async def all_of_them() -> None:
        end = time.perf_counter() + seconds
        await asyncio.gather(*(one(number, end) for number in range(1, ORDINARY + 1)))

    asyncio.run(all_of_them())


def beside_greedy(
    port: int, paths: list[str], measured: Measured, *, seconds: float
) -> Counter[str]:
    """Run the ordinary clients beside the greedy ones. Return the greedy clients' answers by
    status.
    """
    command = [
        sys.executable,
        "-m",
        "bench.fairness_measure",
        str(port),
        str(seconds + THINK_SECONDS[1]),
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        ordinary(port, paths, measured, seconds=seconds)
        texts, _ = process.communicate()
    return Counter(json.loads(texts))


def greedy(port: int, seconds: float) -> Counter[str]:
    """Return the answers by status that the greedy clients received within the seconds."""
    statuses: Counter[str] = Counter()

    async def one(number: int, end: float) -> None:
        client = Client(port)
        while time.perf_counter() < end:
            head, _ = await client.answer(Ask("GET", GREEDY_PATH, address=f"203.0.113.{number}"))
            statuses[head.split(b" ", 2)[1].decode()] += 1
        client.close()

    async def all_of_them() -> None:
        end = time.perf_counter() + seconds
        await asyncio.gather(
            *(one(number, end) for number in range(1, GREEDY + 1) for _ in range(CONNECTIONS))
        )

    asyncio.run(all_of_them())
    return statuses


if __name__ == "__main__":
    print(json.dumps(greedy(int(sys.argv[1]), float(sys.argv[2]))))
