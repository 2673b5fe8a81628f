"""SQL conditions with their parameters."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection


@dataclass(frozen=True, slots=True)
class Fragment:
    """SQL with %s placeholders, and the parameters. `sql` never contains user input."""

    sql: str
    parameters: list[Any] = field(default_factory=list)


NEVER = Fragment("FALSE")
# SQLite binds each value separately, and limits their number.
MOST_BOUND = 500


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
    if connection.vendor != "postgresql" and len(values) > MOST_BOUND:
        return among(column, values)
    if connection.vendor != "postgresql":
        return Fragment(f"{column} IN ({', '.join(['%s'] * len(values))})", list(values))
    if isinstance(values[0], int):
        return Fragment(f"{column} = ANY(%s::bigint[])", [f"{{{','.join(map(str, values))}}}"])
    return Fragment(f"{column} = ANY(%s::text[])", [list(values)])


def among(column: str, values: Sequence[Any]) -> Fragment:
    """Return the same condition with a single parameter on both databases, for lists of
    thousands of values.
    """
    if connection.vendor == "postgresql":
        return in_list(column, values) if values else NEVER
    return Fragment(f"{column} IN (SELECT value FROM json_each(%s))", [json.dumps(list(values))])
