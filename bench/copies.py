"""Bulk copies of rows that a service created once, with changes: in Python, or by one statement of
PostgreSQL.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

BATCH = 5000


def copy_row(row: Any, **changes: Any) -> Any:
    """Return an unsaved copy of the row with the changes."""
    new = copy.copy(row)
    new.pk = None
    new._state = copy.copy(row._state)
    new._state.adding, new._state.fields_cache = True, {}
    new.__dict__.update(changes)
    return new


def write_rows(model: Any, rows: Iterable[Any]) -> list[int]:
    """Insert the rows in batches of some thousands and return their keys."""
    keys: list[int] = []
    left = iter(rows)
    while some := list(islice(left, BATCH)):
        keys += [row.pk for row in model.objects.bulk_create(some, batch_size=BATCH)]
    return keys


def multiply_row(model: Any, pk: int, number: int, **changed: str) -> int:
    """Copy a row `number` times, with some columns as an SQL expression of `n`, from 1. Return the
    key of the first copy. PostgreSQL only.
    """
    from django.db import connection

    columns = [field.column for field in model._meta.concrete_fields if field.column != "id"]
    table = model._meta.db_table
    values = ", ".join(changed.get(column, f'b."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH new AS (INSERT INTO {table} ({names}) SELECT {values} FROM {table} b, "
            f"generate_series(1, {number}) n WHERE b.id = {pk} RETURNING id) "
            "SELECT min(id) FROM new"
        )
        first: int = cursor.fetchone()[0]
    return first


@contextmanager
def without_triggers() -> Iterator[None]:
    """Check no foreign key of the copies in this block, if the database user is a superuser. That
    takes a fifth of the time.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone()[0]:
            cursor.execute("SET session_replication_role = replica")
        yield
        cursor.execute("RESET session_replication_role")
