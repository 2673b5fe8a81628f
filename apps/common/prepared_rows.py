"""Prepared statements for the few queries that nearly every request runs.

On PostgreSQL, planning such a query takes longer than reading a few rows by key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import NotSupportedError, connection


def fetch_prepared(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows. Use it only if the best plan does not depend on the parameters."""
    try:
        return _rows(sql, parameters)
    except NotSupportedError:
        # A migration has changed a column's type ("cached plan must not change result type").
        if connection.in_atomic_block:
            raise
        connection.close()
        return _rows(sql, parameters)


def _rows(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    opened = getattr(connection, "prepared_cursor", connection.cursor)
    with opened() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())
