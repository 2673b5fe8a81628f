"""Models out of rows that our own SQL read: on a hot path the ORM's compiler takes longer than the database does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.base import ModelState

M = TypeVar("M", bound=models.Model)
Convert = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class ModelRows(Generic[M]):
    """`select` is the SELECT list, `width` how many columns it has; `made` makes the model of a row's values."""

    model: type[M]
    select: str
    names: tuple[str, ...]
    converters: tuple[tuple[str, Any, tuple[Convert, ...]], ...]

    @property
    def width(self) -> int:
        """How many values of the row are this model's."""
        return len(self.names)

    def made(self, values: Sequence[Any]) -> M:
        """Return the model of the values, in the order of `select`; fields that were left out are fetched when touched."""
        own = dict(zip(self.names, values, strict=True))
        for name, column, converts in self.converters:
            for convert in converts:
                own[name] = convert(own[name], column, connection)
        # As Model.from_db, without its walk over all fields for each row: no model of ours listens to its own making.
        model = self.model.__new__(self.model)
        model._state = state = ModelState()
        state.adding, state.db = False, DEFAULT_DB_ALIAS
        model.__dict__.update(own)
        return model


@lru_cache
def model_rows(model: type[M], alias: str, without: tuple[str, ...] = ()) -> ModelRows[M]:
    """Return how to read a model whose table stands under `alias` in the SQL, without some of its fields."""
    fields = [field for field in model._meta.concrete_fields if field.name not in without]
    columns = [field.get_col(alias) for field in fields]
    converters = [
        (field.attname, column, (*connection.ops.get_db_converters(column), *column.get_db_converters(connection)))
        for field, column in zip(fields, columns, strict=True)
    ]
    return ModelRows(
        model=model,
        select=", ".join(f"{alias}.{field.column}" for field in fields),
        names=tuple(field.attname for field in fields),
        converters=tuple((name, column, found) for name, column, found in converters if found),
    )
