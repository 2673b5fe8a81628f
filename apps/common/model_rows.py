"""Models out of rows that our own SQL read: on a hot path the ORM's compiler takes longer than the database does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import connection, models

M = TypeVar("M", bound=models.Model)
Convert = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class ModelRows(Generic[M]):
    """`select` is the SELECT list, `width` how many columns it has; `made` makes the model of a row's values."""

    model: type[M]
    select: str
    names: tuple[str, ...]
    converters: tuple[tuple[int, Any, tuple[Convert, ...]], ...]

    @property
    def width(self) -> int:
        """How many values of the row are this model's."""
        return len(self.names)

    def made(self, values: Sequence[Any]) -> M:
        """Return the model of the values, in the order of `select`; fields that were left out are fetched when touched."""
        own = list(values)
        for place, column, converts in self.converters:
            for convert in converts:
                own[place] = convert(own[place], column, connection)
        return self.model.from_db(connection.alias, self.names, own)


@lru_cache
def model_rows(model: type[M], alias: str, without: tuple[str, ...] = ()) -> ModelRows[M]:
    """Return how to read a model whose table stands under `alias` in the SQL, without some of its fields."""
    fields = [field for field in model._meta.concrete_fields if field.name not in without]
    columns = [field.get_col(alias) for field in fields]
    converters = [
        (place, column, (*connection.ops.get_db_converters(column), *column.get_db_converters(connection)))
        for place, column in enumerate(columns)
    ]
    return ModelRows(
        model=model,
        select=", ".join(f"{alias}.{field.column}" for field in fields),
        names=tuple(field.attname for field in fields),
        converters=tuple((place, column, found) for place, column, found in converters if found),
    )
