"""SQL without the ORM: conditions with their parameters, prepared statements, model instances from
rows, and bulk insert.

Hot paths use them. On PostgreSQL, planning such a query takes longer than reading a few rows by
key, and the ORM's compiler takes longer than the database.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, NotSupportedError, connection, models
from django.db.models.base import ModelState

# SQLite binds each value separately, and limits their number.
MAX_BOUND_VALUES = 500
M = TypeVar("M", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Fragment:
    """SQL with %s placeholders, and the parameters. `sql` never contains user input."""

    sql: str
    parameters: list[Any] = field(default_factory=list)


NEVER = Fragment("FALSE")


def any_of(fragments: Iterable[Fragment]) -> Fragment:
    """Return the conditions joined by OR; false if there are none."""
    parts = list(fragments)
    if not parts:
        return NEVER
    return Fragment(
        f"({' OR '.join(part.sql for part in parts)})",
        [value for part in parts for value in part.parameters],
    )


def all_of(fragments: Iterable[Fragment]) -> Fragment:
    """Return the conditions joined by AND; true if there are none."""
    parts = list(fragments)
    if not parts:
        return Fragment("TRUE")
    return Fragment(
        f"({' AND '.join(part.sql for part in parts)})",
        [value for part in parts for value in part.parameters],
    )


def in_list(column: str, values: Sequence[Any]) -> Fragment:
    """Return the condition that the column is one of the values; false for an empty list. The
    values are all numbers or all texts.

    PostgreSQL gets them as one array, so that the statement is the same for any number of values.
    """
    if not values:
        return NEVER
    if connection.vendor != "postgresql" and len(values) > MAX_BOUND_VALUES:
        return in_list_as_one_parameter(column, values)
    if connection.vendor != "postgresql":
        return Fragment(f"{column} IN ({', '.join(['%s'] * len(values))})", list(values))
    if isinstance(values[0], int):
        return Fragment(f"{column} = ANY(%s::bigint[])", [f"{{{','.join(map(str, values))}}}"])
    return Fragment(f"{column} = ANY(%s::text[])", [list(values)])


def is_one_of(column: str, values: Sequence[Any]) -> Fragment:
    """Return the condition of `in_list`, written as an equation if there is one value.

    For a prepared statement that mostly gets one value: PostgreSQL plans a list of one value anew
    for each call, because it expects ten values otherwise.
    """
    return Fragment(f"{column} = %s", list(values)) if len(values) == 1 else in_list(column, values)


def in_list_as_one_parameter(column: str, values: Sequence[Any]) -> Fragment:
    """Return the same condition with a single parameter on both databases, for lists of
    thousands of values.
    """
    if connection.vendor == "postgresql":
        return in_list(column, values) if values else NEVER
    return Fragment(f"{column} IN (SELECT value FROM json_each(%s))", [json.dumps(list(values))])


def fetch_prepared(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows. Use it only if the best plan does not depend on the parameters."""
    try:
        return _execute_and_fetch(sql, parameters)
    except NotSupportedError:
        # A migration has changed a column's type ("cached plan must not change result type").
        if connection.in_atomic_block:
            raise
        connection.close()
        return _execute_and_fetch(sql, parameters)


def _execute_and_fetch(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a statement, prepared on the server if the connection can."""
    open_cursor = getattr(connection, "prepared_cursor", connection.cursor)
    with open_cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


Convert = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class ModelRows(Generic[M]):
    """How to read one model: the SELECT list, its columns, and their converters."""

    model: type[M]
    select: str
    names: tuple[str, ...]
    converters: tuple[tuple[str, Any, tuple[Convert, ...]], ...]

    @property
    def width(self) -> int:
        """Number of columns that belong to this model."""
        return len(self.names)

    def hydrate(self, values: Sequence[Any]) -> M:
        """Return an instance with the values, given in the order of `select`.

        Omitted fields are deferred.
        """
        own_values = dict(zip(self.names, values, strict=True))
        for name, column, converts in self.converters:
            for convert in converts:
                own_values[name] = convert(own_values[name], column, connection)
        # Like Model.from_db, but without the loop over all fields and the init signals, which no
        # model here uses.
        model = self.model.__new__(self.model)
        model._state = state = ModelState()
        state.adding, state.db = False, DEFAULT_DB_ALIAS
        model.__dict__.update(own_values)
        return model


@lru_cache
def build_model_rows(model: type[M], alias: str, without: tuple[str, ...] = ()) -> ModelRows[M]:
    """Return the reader of a model whose table has this alias in the SQL.

    `without` names the fields to omit.
    """
    fields = [field for field in model._meta.concrete_fields if field.name not in without]
    columns = [field.get_col(alias) for field in fields]
    converters = [
        (
            field.attname,
            column,
            (*connection.ops.get_db_converters(column), *column.get_db_converters(connection)),
        )
        for field, column in zip(fields, columns, strict=True)
    ]
    return ModelRows(
        model=model,
        select=", ".join(f"{alias}.{field.column}" for field in fields),
        names=tuple(field.attname for field in fields),
        converters=tuple(
            (name, column, converter) for name, column, converter in converters if converter
        ),
    )


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
