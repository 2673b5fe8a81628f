"""Bulk copies of rows that a service created once, with changes."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from itertools import islice
from typing import Any

BATCH = 5000


def copied(row: Any, **changes: Any) -> Any:
    """Return an unsaved copy of the row with the changes."""
    new = copy.copy(row)
    new.pk = None
    new._state = copy.copy(row._state)
    new._state.adding, new._state.fields_cache = True, {}
    new.__dict__.update(changes)
    return new


def written(model: Any, rows: Iterable[Any]) -> list[int]:
    """Insert the rows in batches of some thousands and return their keys."""
    keys: list[int] = []
    left = iter(rows)
    while some := list(islice(left, BATCH)):
        keys += [row.pk for row in model.objects.bulk_create(some, batch_size=BATCH)]
    return keys
