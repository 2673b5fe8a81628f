"""Text search in columns of large tables."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

# Endings of columns whose values have one case: numbers, codes, usernames.
ONE_CASE = ("_no", "code", "username", "number", "serial", "reference")


def has_text(name: str, text: str) -> Q:
    """Return the case-insensitive condition that a column contains the text.

    Case folding costs more than reading a row, so it is skipped for text without case and for
    columns of one case.
    """
    if text.upper() == text.lower():
        return Q(**{f"{name}__contains": text})
    if not name.endswith(ONE_CASE):
        return Q(**{f"{name}__icontains": text})
    fits = Q()
    for written in sorted({text, text.upper(), text.lower()}):
        fits |= Q(**{f"{name}__contains": written})
    return fits


def newest_keys(rows: QuerySet[Any], name: str, *, most: int) -> tuple[list[Any], bool]:
    """Return the column `name` of at most `most` rows, the newest ones, and whether there are more.

    The first query has no ordering: for few matches PostgreSQL would walk the index of the order,
    which costs several times a scan of the table.
    """
    keys = list(rows.order_by().values_list(name, flat=True)[: most + 1])
    if len(keys) <= most:
        return keys, False
    return list(rows.order_by("-pk").values_list(name, flat=True)[:most]), True
