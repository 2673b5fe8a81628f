"""Copy the rows of a loaded SQLite file to a migrated PostgreSQL database. This takes seconds;
loading there takes minutes.
"""

import sqlite3
from pathlib import Path

import psycopg
from psycopg import sql

# Each database's own.
LEFT_ALONE = {"django_migrations"}
COLUMNS = """
SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position),
    max(column_name) FILTER (WHERE is_identity = 'YES' OR column_default LIKE 'nextval%')
FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER'
    GROUP BY table_name
"""


class NotTheSame(Exception):
    """The databases differ in tables, columns or row counts. The message names the table."""


def transfer(source: Path, address: str) -> None:
    """Replace all rows of the database at `address` by those of the SQLite file. Foreign keys
    are checked at the end.

    Both databases write times in UTC, and numbers, booleans, JSON and UUIDs in formats that the
    other reads. Intervals are not supported.

    Raises:
        NotTheSame: a table has other columns, or got another number of rows.
    """
    with (
        sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True) as old,
        psycopg.connect(address, options="-c timezone=UTC") as new,
    ):
        tables = [row for row in new.execute(COLUMNS).fetchall() if row[0] not in LEFT_ALONE]
        names = sql.SQL(", ").join(sql.Identifier(table) for table, _, _ in tables)
        new.execute(sql.SQL("TRUNCATE {}").format(names))
        for table, columns, counted in tables:
            _copy_rows(old, new, table, columns)
            if counted:
                _go_on_counting(new, table, counted)
    with psycopg.connect(address, autocommit=True) as new:
        new.execute("ANALYZE")


def _copy_rows(
    old: sqlite3.Connection, new: psycopg.Connection, table: str, columns: list[str]
) -> None:
    there = {name for _, name, *_ in old.execute(f'PRAGMA table_info("{table}")')}
    if there != set(columns):
        raise NotTheSame(f"{table}: {sorted(there ^ set(columns))}")
    listed = ", ".join(f'"{name}"' for name in columns)
    count = 0
    with new.cursor() as cursor:
        into = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
        )
        with cursor.copy(into) as copy:
            for row in old.execute(f'SELECT {listed} FROM "{table}"'):  # noqa: S608
                copy.write_row(row)
                count += 1
        if cursor.rowcount != count:
            raise NotTheSame(f"{table}: {cursor.rowcount} of {count} rows")


def _go_on_counting(new: psycopg.Connection, table: str, column: str) -> None:
    """Set the column's sequence to its maximum plus one."""
    new.execute(
        sql.SQL(
            "SELECT setval(pg_get_serial_sequence({}, {}), max({}::bigint)) FROM {} HAVING "
            "count(*) > 0"
        ).format(
            sql.Literal(f'"{table}"'),
            sql.Literal(column),
            sql.Identifier(column),
            sql.Identifier(table),
        )
    )
