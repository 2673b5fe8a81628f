"""Text in columns of large tables."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

# Columns whose values are written in one case throughout: numbers, codes, sign-in names.
ONE_CASE = ("_no", "code", "username", "number", "serial", "reference")


def has_text(name: str, text: str) -> Q:
    """Return the condition that a column has the text in it, whatever its case.

    Folding the case of every row costs more than reading it, so none is folded for text without case, nor in numbers and codes.
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
    """Return the column `name` of the rows, of more than `most` the newest, and whether there are more.

    Asked for in order, few rows would be looked for along the index, which costs several times the table.
    """
    keys = list(rows.order_by().values_list(name, flat=True)[: most + 1])
    if len(keys) <= most:
        return keys, False
    return list(rows.order_by("-pk").values_list(name, flat=True)[:most]), True
