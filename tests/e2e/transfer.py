"""The rows of a loaded SQLite file, put into a migrated PostgreSQL database: seconds, where loading there anew takes minutes."""

import sqlite3
from pathlib import Path

import psycopg
from psycopg import sql

# Each database's own.
LEFT_ALONE = {"django_migrations"}
COLUMNS = """
SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position),
    max(column_name) FILTER (WHERE is_identity = 'YES' OR column_default LIKE 'nextval%')
FROM information_schema.columns WHERE table_schema = 'public' AND is_generated = 'NEVER' GROUP BY table_name
"""


class NotTheSame(Exception):
    """The two databases have not the same tables, columns, or numbers of rows; the message names the table."""


def transfer(source: Path, address: str) -> None:
    """Replace all rows of the database at `address` by those of the SQLite file; foreign keys are checked at the end.

    Both write times in UTC and numbers, truths, JSON and UUIDs in words the other reads; an interval is not among them.

    Raises:
        NotTheSame: a table has other columns there, or got another number of rows.
    """
    with sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True) as old, psycopg.connect(address, options="-c timezone=UTC") as new:
        tables = [row for row in new.execute(COLUMNS).fetchall() if row[0] not in LEFT_ALONE]
        names = sql.SQL(", ").join(sql.Identifier(table) for table, _, _ in tables)
        new.execute(sql.SQL("TRUNCATE {}").format(names))
        for table, columns, counted in tables:
            _rows(old, new, table, columns)
            if counted:
                _go_on_counting(new, table, counted)
    with psycopg.connect(address, autocommit=True) as new:
        new.execute("ANALYZE")


def _rows(old: sqlite3.Connection, new: psycopg.Connection, table: str, columns: list[str]) -> None:
    there = {name for _, name, *_ in old.execute(f'PRAGMA table_info("{table}")')}
    if there != set(columns):
        raise NotTheSame(f"{table}: {sorted(there ^ set(columns))}")
    listed = ", ".join(f'"{name}"' for name in columns)
    count = 0
    with new.cursor() as cursor:
        into = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns)))
        with cursor.copy(into) as copy:
            for row in old.execute(f'SELECT {listed} FROM "{table}"'):  # noqa: S608 - names of our own tables
                copy.write_row(row)
                count += 1
        if cursor.rowcount != count:
            raise NotTheSame(f"{table}: {cursor.rowcount} of {count} rows")


def _go_on_counting(new: psycopg.Connection, table: str, column: str) -> None:
    """Let the column's next number be the one after its greatest."""
    new.execute(
        sql.SQL("SELECT setval(pg_get_serial_sequence({}, {}), max({}::bigint)) FROM {} HAVING count(*) > 0").format(
            sql.Literal(f'"{table}"'), sql.Literal(column), sql.Identifier(column), sql.Identifier(table)
        )
    )
