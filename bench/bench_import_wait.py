"""Waiting time of customers during an import: AddToCart in a loop while staff confirm a large
sheet.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.bench_import_catalogue import write_sheet
from bench.bench_speed import asks_of
from bench.load import Ask, Client
from bench.registry import Figure, at_most, benchmark
from bench.scale import size
from bench.server import ROOT, served, settings
from tests.e2e.database import demo_database

ROWS = size(50_000, 200, "BENCH_IMPORT_ROWS")
# The largest sheet of accounts.
PEOPLE = size(5_000, 20, "BENCH_IMPORT_PEOPLE")
SHOPPERS = 3
QUIET_SECONDS = float(size(15, 1))
# A cart holds 200 kinds at most.
KINDS = 50
LONGEST_MS = 1000
# Without them a sheet of 50,000 rows stays below the page's limit of 20 MB.
LONG_COLUMNS = ("详情", "卖点")
PRODUCTS_PAGE = "/admin/catalog/product/import/"


@benchmark("import_wait")
def import_wait() -> Iterable[Figure]:
    """Measure on the kind of database in DATABASE_URL."""
    with _mall() as (port, environment, folder, add):
        # A process answers its first calls late.
        asyncio.run(_shop(port, add, _clock(QUIET_SECONDS / 3)))
        quiet = asyncio.run(_shop(port, add, _clock(QUIET_SECONDS)))
        yield Figure("AddToCart, nothing else running, p50", median(quiet), "ms")
        yield Figure("AddToCart, nothing else running, longest", max(quiet), "ms")
        for name, price_change in (("new products", 0), ("changed prices", 10)):
            sheet = folder / f"{price_change}.csv"
            write_sheet(sheet, price_change=price_change, rows=ROWS, without=LONG_COLUMNS)
            began = time.monotonic()
            confirm = ("import_confirm", str(port), PRODUCTS_PAGE, "products", str(sheet))
            with _confirmation(environment, confirm) as import_ends:
                waits = asyncio.run(_shop(port, add, import_ends))
            seconds = time.monotonic() - began
            yield from _figures(f"{ROWS:,} {name}", seconds, waits, quiet)
        sheet = folder / "people.csv"
        _write_people(sheet)
        began = time.monotonic()
        with _confirmation(environment, ("people_confirm", str(port), str(sheet))) as import_ends:
            waits = asyncio.run(_shop(port, add, import_ends))
        yield from _figures(f"{PEOPLE:,} people", time.monotonic() - began, waits, quiet)


def _figures(what: str, seconds: float, waits: list[float], quiet: list[float]) -> Iterator[Figure]:
    """Yield the figures of one import. The ratios compare with AddToCart alone in the same run, so
    that they say something on a busy machine too.
    """
    yield Figure(f"{what}, looked through and imported", seconds, "s")
    yield Figure(f"AddToCart beside {what}, calls", len(waits), "")
    yield Figure(f"AddToCart beside {what}, p50", median(waits), "ms")
    yield at_most(f"AddToCart beside {what}, longest", max(waits), LONGEST_MS, "ms")
    yield Figure(f"p50 beside {what} to p50 alone", median(waits) / median(quiet), "times")
    yield Figure(f"longest beside {what} to longest alone", max(waits) / max(quiet), "times")


def _write_people(sheet: Path) -> None:
    """Write a sheet of new accounts of the demo's group."""
    lines = (f"bench{number:06d},压测{number},,,,,XLJG,XLJG-01," for number in range(PEOPLE))
    header = "账号*,昵称*,姓名,职务,手机号码,邮箱,企业编码*,部门编码*,角色"
    text = "\n".join([header, *lines])
    sheet.write_text(text, encoding="utf-8")


@contextmanager
def _mall() -> Iterator[tuple[int, dict[str, str], Path, Callable[[int], Ask]]]:
    with demo_database(dict(os.environ)) as environment:
        folder = Path(environment["MEDIA_ROOT"]).parent
        ids = folder / "ids.json"
        subprocess.run(
            [sys.executable, "-m", "bench.prepare", str(ids), "1"],
            cwd=ROOT,
            env=settings(environment),
            check=True,
        )
        lists: dict[str, list[dict[str, Any]]] = json.loads(ids.read_text(encoding="utf-8"))
        with served(environment) as (port, _):
            add = asks_of(lists)["add"]
            yield port, environment, folder, lambda number: add(number % KINDS)


async def _shop(port: int, add: Callable[[int], Ask], has_ended: Callable[[], bool]) -> list[float]:
    """Return the milliseconds of every AddToCart until the deadline. A refused call ends the
    measurement.
    """
    number, waits = 0, []

    async def one() -> None:
        nonlocal number
        client = Client(port)
        while not has_ended():
            number += 1
            waits.append(await client.ask(add(number)))
            await asyncio.sleep(0.05)
        client.close()

    await asyncio.gather(*(one() for _ in range(SHOPPERS)))
    return waits


def _clock(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


@contextmanager
def _confirmation(
    environment: dict[str, str], confirm: Sequence[str]
) -> Iterator[Callable[[], bool]]:
    """Upload and confirm a sheet in a separate process: the module `confirm[0]` with its arguments.
    Yield a function that returns whether all rows are written.
    """
    module, *arguments = confirm
    command = [sys.executable, "-m", f"bench.{module}", *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=settings(environment)) as process:
        yield lambda: process.poll() is not None
    if process.returncode:
        raise RuntimeError("the import failed")
