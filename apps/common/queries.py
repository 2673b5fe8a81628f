"""Queries on large tables: text search, counts per state, and waiting rows with the age of the
oldest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Count, F, Min, Q, QuerySet, Window

# Endings of columns whose values have one case: numbers, codes, usernames.
ONE_CASE = ("_no", "code", "username", "number", "serial", "reference")


def build_text_condition(name: str, text: str) -> Q:
    """Return the case-insensitive condition that a column contains the text.

    Case folding costs more than reading a row, so it is skipped for text without case and for
    columns of one case.
    """
    if text.upper() == text.lower():
        return Q(**{f"{name}__contains": text})
    if not name.endswith(ONE_CASE):
        return Q(**{f"{name}__icontains": text})
    fits = Q()
    for variant in sorted({text, text.upper(), text.lower()}):
        fits |= Q(**{f"{name}__contains": variant})
    return fits


def list_newest_keys(rows: QuerySet[Any], name: str, *, limit: int) -> tuple[list[Any], bool]:
    """Return the column `name` of at most `limit` rows, the newest ones, and whether there are
    more.

    The first query has no ordering: for few matches PostgreSQL would walk the index of the order,
    which costs several times a scan of the table.
    """
    keys = list(rows.order_by().values_list(name, flat=True)[: limit + 1])
    if len(keys) <= limit:
        return keys, False
    return list(rows.order_by("-pk").values_list(name, flat=True)[:limit]), True


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
class WaitingRows:
    """`rows` are the first of `number`; `oldest` is None if there are none."""

    rows: list[Any]
    number: int
    oldest: datetime | date | None


def list_waiting(queryset: QuerySet[Any], *, since: str, limit: int) -> WaitingRows:
    """Return the first `limit` rows, the number of all rows and the oldest value of `since`."""
    counted_rows = queryset.annotate(of_all=Window(Count("*")), oldest_of_all=Window(Min(F(since))))
    rows = list(counted_rows[:limit])
    if not rows:
        return WaitingRows([], 0, None)
    return WaitingRows(rows, rows[0].of_all, rows[0].oldest_of_all)
