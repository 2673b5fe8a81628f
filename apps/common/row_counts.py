"""Counts of rows in one query: per state; and of waiting rows, with the first of them and the age
of the oldest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Count, F, Min, QuerySet, Window


def count_states(
    rows: QuerySet[Any], states: Iterable[str], *, distinct: bool = False
) -> dict[str, int]:
    """Return the row count of each state in the order of `states`, preceded by the total under "".

    One query. Set `distinct` if joins of the filter repeat rows.
    """
    counts = dict.fromkeys(["", *states], 0)
    for status, number in (
        rows.order_by().values_list("status").annotate(number=Count("pk", distinct=distinct))
    ):
        counts[status] += number
        counts[""] += number
    return counts


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
