"""The rows of a statement that many requests run: prepared on PostgreSQL, where planning takes longer than reading a few rows by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import NotSupportedError, connection


def hot_rows(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows. For statements whose best plan does not hang on the parameters: by key, not by keyword or filter."""
    try:
        return _rows(sql, parameters)
    except NotSupportedError:
        # A migration has changed a column's type under the prepared statement ("cached plan must not change result type").
        if connection.in_atomic_block:
            raise
        connection.close()
        return _rows(sql, parameters)


def _rows(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    opened = getattr(connection, "prepared_cursor", connection.cursor)
    with opened() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
