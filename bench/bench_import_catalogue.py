"""Time and additional peak memory of an import of 50,000 products, in its own process and
database.

If DATABASE_URL names PostgreSQL, the run uses a scratch database on it and drops it afterwards;
otherwise an SQLite file.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from bench.registry import Figure, at_most, benchmark
from bench.scale import is_smoke, size
from tests.e2e.database import demo_database

ROWS = size(50_000, 20)
ROOT = Path(__file__).resolve().parents[1]
SHEETS = ROOT / "demo" / "catalogue"
FIRST_CODE = 400_000_000


@contextmanager
def scratch_database(folder: Path) -> Iterator[str]:
    """Yield the address of an empty database."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        yield f"sqlite:///{folder / 'bench.sqlite3'}"
        return
    import psycopg

    name = f"bench_import_{os.getpid()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
        yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def empty_catalogue(folder: Path) -> Iterator[str]:
    """Yield the address of a database with only the demo's categories and brands. A smoke run
    uses the whole demo.
    """
    if is_smoke():
        with demo_database(dict(os.environ)) as environment:
            yield environment["DATABASE_URL"]
        return
    with scratch_database(folder) as url:
        manage(url, "migrate")
        for kind in ("categories", "brands"):
            manage(url, "import_catalogue", "--kind", kind, str(SHEETS / f"{kind}.csv"))
        yield url


def write_sheet(
    path: Path, *, price_change: int = 0, rows: int = ROWS, without: Sequence[str] = ()
) -> None:
    """Write a sheet of products cloned from the demo's, with prices raised by some 分. `without`
    names columns that it lacks.
    """
    with (SHEETS / "products.csv").open(encoding="utf-8-sig", newline="") as source:
        originals = list(csv.DictReader(source))
    with path.open("w", encoding="utf-8-sig", newline="") as target:
        names = [name for name in originals[0] if name not in without]
        writer = csv.DictWriter(target, names, extrasaction="ignore")
        writer.writeheader()
        for number in range(rows):
            row = dict(originals[number % len(originals)])
            row["商品编码"] = str(FIRST_CODE + number)
            row["名称"] = f"{row['名称']} {number}"[:120]
            row["市场价"] = f"{float(row['市场价']) + price_change / 100:.2f}"
            writer.writerow(row)


def manage(url: str, *arguments: str) -> tuple[float, float]:
    """Run manage.py on the scratch database; return seconds and peak memory in MB."""
    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "mall.settings.dev"}
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"manage.py {' '.join(arguments)} failed")
    return time.monotonic() - began, usage.ru_maxrss / 1024


@benchmark("import_catalogue")
def import_catalogue() -> Iterable[Figure]:
    """Measure preview, create, unchanged and update of 50,000 rows."""
    with tempfile.TemporaryDirectory() as name, empty_catalogue(Path(name)) as url:
        first, second = Path(name) / "first.csv", Path(name) / "second.csv"
        write_sheet(first)
        write_sheet(second, price_change=10)
        idle_seconds, idle = manage(
            url, "import_catalogue", "--kind", "brands", "--dry-run", str(SHEETS / "brands.csv")
        )
        runs = (
            ("preview of new rows", ("--dry-run", str(first))),
            ("create", (str(first),)),
            ("nothing changed", (str(first),)),
            ("update of every price", (str(second),)),
        )
        for what, arguments in runs[: size(len(runs), 2)]:
            seconds, memory = manage(url, "import_catalogue", "--kind", "products", *arguments)
            yield Figure(f"50,000 products: {what}", seconds - idle_seconds, "s")
            yield at_most(f"50,000 products: {what}: memory above idle", memory - idle, 150, "MB")
