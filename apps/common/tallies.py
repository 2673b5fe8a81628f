"""Row counts per state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, QuerySet


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
