"""Rows of raw SQL for hot paths: prepared statements, and model instances built from rows.

On PostgreSQL, planning such a query takes longer than reading a few rows by key, and the ORM's
compiler takes longer than the database.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, NotSupportedError, connection, models
from django.db.models.base import ModelState


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


M = TypeVar("M", bound=models.Model)
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
        own = dict(zip(self.names, values, strict=True))
        for name, column, converts in self.converters:
            for convert in converts:
                own[name] = convert(own[name], column, connection)
        # Like Model.from_db, but without the loop over all fields and the init signals, which no
        # model here uses.
        model = self.model.__new__(self.model)
        model._state = state = ModelState()
        state.adding, state.db = False, DEFAULT_DB_ALIAS
        model.__dict__.update(own)
        return model


@lru_cache
def model_rows(model: type[M], alias: str, without: tuple[str, ...] = ()) -> ModelRows[M]:
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
        converters=tuple((name, column, found) for name, column, found in converters if found),
    )
