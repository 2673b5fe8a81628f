"""Waiting rows in one query: the first rows, their number, and the age of the oldest."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Count, F, Min, QuerySet, Window


@dataclass(frozen=True, slots=True)
class Waiting:
    """`rows` are the first of `number`; `oldest` is None if there are none."""

    rows: list[Any]
    number: int
    oldest: datetime | date | None


def list_waiting(queryset: QuerySet[Any], *, since: str, limit: int) -> Waiting:
    """Return the first `limit` rows, the number of all rows and the oldest value of `since`."""
    counted = queryset.annotate(of_all=Window(Count("*")), oldest_of_all=Window(Min(F(since))))
    rows = list(counted[:limit])
    if not rows:
        return Waiting([], 0, None)
    return Waiting(rows, rows[0].of_all, rows[0].oldest_of_all)
