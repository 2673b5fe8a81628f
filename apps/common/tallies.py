"""How many rows are in each state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, QuerySet


def state_counts(rows: QuerySet[Any], states: Iterable[str], *, distinct: bool = False) -> dict[str, int]:
    """Return how many rows are in each state, in the order of `states`, after how many there are in all (""); one query.

    `distinct` where joins of the filter repeat rows.
    """
    counts = dict.fromkeys(["", *states], 0)
    for status, number in rows.order_by().values_list("status").annotate(number=Count("pk", distinct=distinct)):
        counts[status] += number
        counts[""] += number
    return counts
