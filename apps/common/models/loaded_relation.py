"""Read a relation only if it is already loaded."""

from __future__ import annotations

from typing import Any

from django.db import models


def loaded_relation(row: models.Model, field: str) -> Any:
    """Return the related object if it was fetched with the row, else None. Never runs a query."""
    return row._state.fields_cache.get(field)
