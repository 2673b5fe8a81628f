"""A migrated template database that every test process copies, and the assertion of the number of
queries. The migrations run once per change, not once per worker.

The template also contains the staff groups, which `make data` writes after the migrations, because
writing them takes a third of a second.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.transaction import Atomic
from django.test.utils import CaptureQueriesContext

TEMPLATE_SOURCES = (
    "migrations/*.py",
    "pages/*.md",
    "services/staff.py",
    "services/controlled_acts.py",
)
# The schema of a PostgreSQL template that has a copy of every row of the template.
TEMPLATE_ROWS = "template_rows"


class undone(Atomic):  # noqa: N801
    """A block whose writes are rolled back at its end."""

    def __init__(self) -> None:
        super().__init__(using=None, savepoint=True, durable=False)

    def __exit__(self, *error: Any) -> None:
        if error[0] is None:
            transaction.set_rollback(True)
        super().__exit__(*error)


def examples(count: int) -> int:
    """Return how many random examples a property test of the back end's invariants tries: a sixth
    on SQLite, half on PostgreSQL, and all of them with GAUNTLET=full. The long ones run on both
    databases (tests/on_postgres.py).
    """
    if os.environ.get("GAUNTLET") == "full":
        return count
    return count // 2 if connection.vendor == "postgresql" else max(5, count // 6)


@cache
def compute_migrations_digest() -> str:
    """Return a hash of all migrations, the pages they load, the staff groups and their limits."""
    digest = hashlib.sha256(f"{django.__version__} {TEMPLATE_ROWS}".encode())
    for config in apps.get_app_configs():
        folder = Path(config.path)
        for file in sorted([file for pattern in TEMPLATE_SOURCES for file in folder.glob(pattern)]):
            digest.update(f"{config.label}/{file.name}".encode() + file.read_bytes())
    return digest.hexdigest()[:12]


@contextmanager
def test_database(worker: str) -> Generator[None]:
    """Point the default connection at a fresh copy of the template for the block, then drop it."""
    name = f"{os.getpid()}_{worker}"
    manage = _sqlite_copy if connection.vendor == "sqlite" else _postgres_copy
    with manage(name):
        yield
        connections.close_all()


def restore_template() -> None:
    """Give every table the rows of the template again, after a test that has committed.

    Django's own flush truncates all tables, which takes more than a second on PostgreSQL, and
    writes the permissions anew.
    """
    if connection.vendor == "sqlite":
        copy = Path(settings.DATABASES["default"]["NAME"])
        connections.close_all()
        for name in (f"{copy}-wal", f"{copy}-shm"):
            Path(name).unlink(missing_ok=True)
        shutil.copy(_get_sqlite_template(), copy)
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s", [TEMPLATE_ROWS])
        kept_tables = [name for (name,) in cursor.fetchall()]
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        # Triggers on other tables count their changes in one of the kept tables, so that these
        # come last.
        tables = sorted(
            (name for (name,) in cursor.fetchall()), key=lambda name: name in kept_tables
        )
        statements = [f'DELETE FROM "{name}"' for name in tables]
        statements += [
            f'INSERT INTO "{name}" TABLE {TEMPLATE_ROWS}."{name}"' for name in kept_tables
        ]
        cursor.execute(";".join(statements))


def _point_at(name: str) -> None:
    connection.close()
    settings.DATABASES["default"]["NAME"] = name
    connection.settings_dict["NAME"] = name


def _migrate_database(name: str) -> None:
    _point_at(name)
    call_command("migrate", run_syncdb=True, verbosity=0)
    call_command("sync_staff_groups", stdout=io.StringIO())
    if connection.vendor == "postgresql":
        _copy_template_rows()
    connection.close()


def _copy_template_rows() -> None:
    """Copy the tables that have rows into a schema of their own, for restore_template."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {TEMPLATE_ROWS}")
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (name,) in cursor.fetchall():
            cursor.execute(f'SELECT EXISTS (SELECT 1 FROM "{name}")')
            if cursor.fetchone() == (True,):
                cursor.execute(f'CREATE TABLE {TEMPLATE_ROWS}."{name}" AS TABLE "{name}"')


@contextmanager
def _lock_file(path: Path) -> Generator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _get_sqlite_template() -> Path:
    return Path(settings.VAR_DIR) / "test-templates" / f"{compute_migrations_digest()}.sqlite3"


@contextmanager
def _sqlite_copy(name: str) -> Generator[None]:
    template = _get_sqlite_template()
    folder = template.parent
    folder.mkdir(parents=True, exist_ok=True)
    with _lock_file(folder / "lock"):
        if not template.exists():
            for old in folder.glob("*.sqlite3"):
                old.unlink()
            fresh = folder / f"{name}.new"
            _migrate_database(str(fresh))
            with connection.cursor() as cursor:
                # Without a write-ahead log the copy needs only one file.
                cursor.execute("PRAGMA journal_mode=DELETE")
            connection.close()
            fresh.rename(template)
        copy = Path(tempfile.mkdtemp(prefix="mall-test-")) / f"{name}.sqlite3"
        shutil.copy(template, copy)
    _point_at(str(copy))
    try:
        yield
    finally:
        shutil.rmtree(copy.parent, ignore_errors=True)


@contextmanager
def _postgres_copy(name: str) -> Generator[None]:
    base = settings.DATABASES["default"]["NAME"]
    template, copy = f"{base}_template_{compute_migrations_digest()}", f"{base}_test_{name}"
    with _lock_file(Path(tempfile.gettempdir()) / f"{base}_template.lock"):
        if not _query_postgres("SELECT 1 FROM pg_database WHERE datname = %s", [template]):
            fresh = f"{template}_new"
            postgres_run(
                f'DROP DATABASE IF EXISTS "{fresh}"',
                f"CREATE DATABASE \"{fresh}\" TEMPLATE template0 ENCODING 'UTF8'",
            )
            _migrate_database(fresh)
            postgres_run(f'ALTER DATABASE "{fresh}" RENAME TO "{template}"')
        postgres_run(f'CREATE DATABASE "{copy}" TEMPLATE "{template}"')
    _point_at(copy)
    try:
        yield
    finally:
        connections.close_all()
        postgres_run(f'DROP DATABASE IF EXISTS "{copy}" WITH (FORCE)')


def postgres_run(*statements: str) -> None:
    """Run statements on the server, connected to no database of ours."""
    with connection._nodb_cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _query_postgres(query: str, values: list[Any]) -> list[Any]:
    with connection._nodb_cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())


# Queries that claim due messages of the outbox and mark them as delivered. PostgreSQL marks the
# messages of a claim with the next claim, in one statement; SQLite looks, reads, claims and marks.
CLAIM_QUERIES = 1 if connection.vendor == "postgresql" else 4
FRAME = ("SAVEPOINT", "RELEASE SAVEPOINT", "BEGIN", "COMMIT")


@contextmanager
def assert_queries(expected: int) -> Generator[None]:
    """Fail unless the block runs exactly `expected` queries. Transaction statements are not
    counted, because they differ between databases.
    """
    with CaptureQueriesContext(connection) as captured:
        yield
    queries = [
        query["sql"] for query in captured.captured_queries if not query["sql"].startswith(FRAME)
    ]
    assert len(queries) == expected, "\n".join(
        [f"{len(queries)} queries instead of {expected}:", *queries]
    )
