"""A database with the demo data for one run; the loaded one is kept in var/e2e and made anew when what it is made of changes."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import urlsplit, urlunsplit
from zoneinfo import ZoneInfo

import psycopg

from deploy.step import digest
from tests.e2e.transfer import transfer

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "var" / "e2e"
MADE_OF = ("demo", "apps/orders/demo", "apps/common/migrations", "requirements.txt")


def day() -> str:
    """Return the day from which the dates in the sheets count: DEMO_DAY, the day a run began, or today in Shanghai."""
    return os.environ.get("DEMO_DAY") or datetime.now(tz=ZoneInfo("Asia/Shanghai")).date().isoformat()


def state_key() -> str:
    """Return the hash of what the loaded database depends on."""
    inputs = [ROOT / path for path in MADE_OF]
    inputs += [*ROOT.glob("apps/*/migrations"), *ROOT.glob("apps/*/management"), ROOT / "apps" / "catalog" / "services"]
    return digest([path for path in inputs if path.exists()], [day()])[:12]


# Described once for all walks: else each server begins with a minute of it.
DESCRIBE_PICTURES = "from apps.catalog.services.picture_index import pictures_index; pictures_index(seconds=600)"


# Of the run's other database: what is loaded must not tell its cache and its workers.
SHARED = ("CACHE_URL", "CELERY_BROKER_URL")
MIGRATE = ("migrate", "--verbosity", "0")
LOAD = (MIGRATE, ("load_demo",), ("shell", "--verbosity", "0", "--command", DESCRIBE_PICTURES))


def manage(environment: dict[str, str], *commands: Sequence[str]) -> None:
    """Run commands of manage.py on the database that `environment` names."""
    for command in commands:
        subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env={**environment, "LOG_LEVEL": "WARNING"},
            check=True,
            stdin=subprocess.DEVNULL,
            # Whoever asked may read an address from our own output.
            stdout=sys.stderr,
        )


def kept_folder(kind: str) -> Path:
    """Return the folder of the loaded state, without the folders of earlier states."""
    folder = KEPT / f"{kind}-{state_key()}"
    for old in KEPT.glob(f"{kind}-*"):
        if old != folder:
            shutil.rmtree(old)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def loaded(environment: dict[str, str]) -> Path:
    """Return the folder of the loaded SQLite file and its media; load them where they are not there."""
    folder = kept_folder("sqlite")
    if not (folder / "done").exists():
        (folder / "mall.sqlite3").unlink(missing_ok=True)
        own = {name: value for name, value in environment.items() if name not in SHARED}
        manage({**own, "DATABASE_URL": f"sqlite:///{folder / 'mall.sqlite3'}", "MEDIA_ROOT": str(folder / "media")}, *LOAD)
        with sqlite3.connect(folder / "mall.sqlite3") as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (folder / "done").touch()
    return folder


@contextmanager
def on_sqlite(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the environment of a private copy of the loaded SQLite file and of its media."""
    folder = loaded(environment)
    run = Path(mkdtemp(prefix="mall-e2e-"))
    try:
        shutil.copy(folder / "mall.sqlite3", run / "mall.sqlite3")
        copy_media(folder, run)
        yield {**environment, "DATABASE_URL": f"sqlite:///{run / 'mall.sqlite3'}", "MEDIA_ROOT": str(run / "media")}
    finally:
        shutil.rmtree(run, ignore_errors=True)


@contextmanager
def on_postgres(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the environment of a private copy, by CREATE DATABASE … TEMPLATE, of the PostgreSQL database that got the loaded rows."""
    source, folder = loaded(environment), kept_folder("postgres")
    parts = urlsplit(environment["DATABASE_URL"])
    template, private = f"mall_demo_{folder.name.removeprefix('postgres-')}", f"mall_e2e_{os.getpid()}"

    def address(name: str) -> str:
        return urlunsplit(parts._replace(path=f"/{name}"))

    run = Path(mkdtemp(prefix="mall-e2e-"))
    with psycopg.connect(address("postgres"), autocommit=True) as connection:
        known = [name for (name,) in connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'mall_demo_%'").fetchall()]
        if not (folder / "done").exists() or template not in known:
            for name in known:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
            connection.execute(f"CREATE DATABASE {template} TEMPLATE template0 ENCODING 'UTF8'")
            manage({**environment, "DATABASE_URL": address(template)}, MIGRATE)
            transfer(source / "mall.sqlite3", address(template))
            (folder / "done").touch()
        connection.execute(f"CREATE DATABASE {private} TEMPLATE {template}")
        try:
            copy_media(source, run)
            yield {**environment, "DATABASE_URL": address(private), "MEDIA_ROOT": str(run / "media")}
        finally:
            connection.execute(f"DROP DATABASE {private} WITH (FORCE)")
            shutil.rmtree(run, ignore_errors=True)


def copy_media(folder: Path, run: Path) -> None:
    """Give the run its own media folder: what it writes does not reach the kept one."""
    if (folder / "media").exists():
        shutil.copytree(folder / "media", run / "media", copy_function=shutil.copy)


@contextmanager
def demo_database(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the environment of a database filled with the demo data, on the kind DATABASE_URL names, SQLite when it names none."""
    on = on_sqlite if environment.get("DATABASE_URL", "sqlite").startswith("sqlite") else on_postgres
    with on(environment) as prepared:
        yield prepared
