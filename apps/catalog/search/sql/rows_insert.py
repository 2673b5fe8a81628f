"""Many narrow rows at once, past the ORM: making a model of each takes longer than storing it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import connection


def rows_insert(*, table: str, columns: tuple[str, ...], rows: Iterable[tuple[int | str | datetime | None, ...]]) -> None:
    """Insert the rows: by COPY on PostgreSQL, by one prepared INSERT on SQLite. Table and columns are the code's own names."""
    names = ", ".join(connection.ops.quote_name(name) for name in columns)
    target = f"{connection.ops.quote_name(table)} ({names})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {target} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        marks = ", ".join(["%s"] * len(columns))
        cursor.executemany(f"INSERT INTO {target} VALUES ({marks})", [list(row) for row in rows])
