"""The charts of a report, from the same facts as its table: category share, top ten, weekday by
department.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet, Sum
from django.db.models.functions import ExtractIsoWeekDay

from apps.common.money import ZERO
from apps.reports.enums import ReportName
from apps.reports.models import ReportFact
from apps.reports.selectors import names
from apps.reports.selectors.cuts import GroupedRow
from apps.reports.selectors.question import MatchingFacts

MAX_PARTS = 10


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of the total. `key` is the filter value that selects this part. Amount in 元, 含税."""

    key: str
    name: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class HeatCell:
    """Amount of a department on a weekday, in 元, 含税. 1 is Monday."""

    key: str
    weekday: int
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Charts:
    """`departments` are the rows of `heat`, the largest first."""

    share: list[Slice]
    top: list[Slice]
    departments: list[Slice]
    heat: list[HeatCell]


def get_charts(
    now: MatchingFacts,
    report: str,
    *,
    paths: dict[int, str],
    largest: list[GroupedRow] | None = None,
) -> Charts:
    """Return the charts of a window. `largest` are the rows with the highest amounts, if the
    caller has already loaded them.
    """
    cells = _cells(now.sums)
    departments = _departments(cells, paths)
    shown = {row.key for row in departments}
    heat = [
        HeatCell(str(pk or 0), weekday, amount)
        for (pk, weekday), amount in cells.items()
        if str(pk or 0) in shown
    ]
    return Charts(_share(now.facts), _top(now, report, departments, largest), departments, heat)


def _cells(sums: QuerySet[Any]) -> dict[tuple[int | None, int], Decimal]:
    rows: Any = (
        sums.annotate(weekday=ExtractIsoWeekDay("day"))
        .values_list("department_id", "weekday")
        .annotate(total=Sum("amount"))
    )
    return {(pk, weekday): total for pk, weekday, total in rows}


def _departments(
    cells: dict[tuple[int | None, int], Decimal], paths: dict[int, str]
) -> list[Slice]:
    sums: dict[int | None, Decimal] = {}
    for (pk, _), amount in cells.items():
        sums[pk] = sums.get(pk, ZERO) + amount
    first = sorted(sums.items(), key=lambda item: (-item[1], item[0] or 0))[:MAX_PARTS]
    return [
        Slice(str(pk or 0), names.NO_DEPARTMENT if pk is None else paths.get(pk, ""), amount)
        for pk, amount in first
    ]


def _share(facts: QuerySet[ReportFact]) -> list[Slice]:
    """Return the amount of each first-level category, the largest first. Freight is a slice of
    its own.
    """
    sums = dict(facts.values_list("category_id_l1").annotate(total=Sum("amount")))
    known = names.category_names(sums)
    rows = [
        Slice(str(pk), known.get(pk, "其他类目") if pk else names.FREIGHT, amount)
        for pk, amount in sums.items()
    ]
    return sorted(rows, key=lambda row: (-row.amount, row.key))


def _top(
    now: MatchingFacts, report: str, departments: list[Slice], largest: list[GroupedRow] | None
) -> list[Slice]:
    if report in (ReportName.ORDER, ReportName.DEPARTMENT):
        return departments
    source, field = (
        (now.sums, "requester_id") if report == ReportName.PURCHASER else (now.facts, "product_id")
    )
    if largest is None:
        rows = (
            source.filter(**{f"{field}__isnull": False})
            .values_list(field)
            .annotate(total=Sum("amount"))
            .order_by("-total", field)
        )
        sums: dict[int, Decimal] = dict(rows[:MAX_PARTS])
    else:
        sums = {row.key[0]: row.amount for row in largest[:MAX_PARTS] if row.key[0] is not None}
    if report == ReportName.PURCHASER:
        people = names.people_by_key(sums)
        return [Slice(str(pk), people[pk].nickname, amount) for pk, amount in sums.items()]
    products = names.products_by_key(sums)
    return [Slice(products[pk].code, products[pk].name, amount) for pk, amount in sums.items()]
