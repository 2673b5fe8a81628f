"""Bulk insert of narrow rows without the ORM, because creating model instances takes longer
than storing the rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import connection


def rows_insert(
    *, table: str, columns: tuple[str, ...], rows: Iterable[tuple[int | str | datetime | None, ...]]
) -> None:
    """Insert the rows: with COPY on PostgreSQL, with one prepared INSERT on SQLite. Table and
    columns must come from code, never from user input.
    """
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
