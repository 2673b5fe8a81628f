"""The charts of a report, from the same facts as its table: category share and top ten."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet, Sum

from apps.reports.enums import ReportName
from apps.reports.models import ReportFact
from apps.reports.selectors import names
from apps.reports.selectors.cuts import GroupedRow
from apps.reports.selectors.question import MatchingFacts

MAX_PARTS = 10
# Report → the rows of `MatchingFacts` and the column of its top ten.
TOP_SOURCES: dict[str, tuple[str, str]] = {
    ReportName.PURCHASER: ("sums", "requester_id"),
    ReportName.BRAND: ("facts", "order_line__brand_key"),
    ReportName.BUDGET: ("sums", "budget_id"),
}


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of the total. `key` is the filter value that selects this part. Amount in 元, 含税."""

    key: str
    name: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Charts:
    """The parts of the total by category, and the ten largest rows."""

    share: list[Slice]
    top: list[Slice]


def get_charts(
    current_facts: MatchingFacts,
    report: str,
    *,
    paths: dict[int, str],
    largest: list[GroupedRow] | None = None,
) -> Charts:
    """Return the charts of a window. `largest` are the rows with the highest amounts, if the
    caller has already loaded them.
    """
    share = _list_category_shares(current_facts.facts)
    return Charts(
        share,
        _list_largest_slices(current_facts, report, paths=paths, largest=largest, share=share),
    )


def _list_largest_departments(sums: QuerySet[Any], paths: dict[int, str]) -> list[Slice]:
    """Return the ten departments with the highest amounts, without their subdepartments."""
    rows = sums.values_list("department_id").annotate(total=Sum("amount"))
    largest_rows = sorted(rows, key=lambda item: (-item[1], item[0] or 0))[:MAX_PARTS]
    return [
        Slice(str(pk or 0), names.NO_DEPARTMENT if pk is None else paths.get(pk, ""), amount)
        for pk, amount in largest_rows
    ]


def _list_category_shares(facts: QuerySet[ReportFact]) -> list[Slice]:
    """Return the amount of each first-level category, the largest first. Freight is a slice of
    its own.
    """
    sums = dict(facts.values_list("category_id_l1").annotate(total=Sum("amount")))
    name_by_id = names.get_category_names(sums)
    rows = [
        Slice(str(pk), name_by_id.get(pk, "其他类目") if pk else names.FREIGHT, amount)
        for pk, amount in sums.items()
    ]
    return sorted(rows, key=lambda row: (-row.amount, row.key))


def _list_largest_slices(
    current_facts: MatchingFacts,
    report: str,
    *,
    paths: dict[int, str],
    largest: list[GroupedRow] | None,
    share: list[Slice],
) -> list[Slice]:
    """Return the ten largest rows of the report. The savings report has categories as rows; its top
    ten are the shares without the freight.
    """
    if report in (ReportName.ORDER, ReportName.DEPARTMENT):
        return _list_largest_departments(current_facts.sums, paths)
    if report == ReportName.SAVINGS:
        return [row for row in share if row.key != "0"][:MAX_PARTS]
    source, field = TOP_SOURCES.get(report, ("facts", "product_id"))
    if largest is None:
        rows = (
            getattr(current_facts, source)
            .filter(**{f"{field}__isnull": False})
            .values_list(field)
            .annotate(total=Sum("amount"))
            .order_by("-total", field)
        )
        sums: dict[int, Decimal] = dict(rows[:MAX_PARTS])
    else:
        sums = {row.key[0]: row.amount for row in largest[:MAX_PARTS] if row.key[0] is not None}
    if report == ReportName.PURCHASER:
        people = names.get_people_by_key(sums)
        return [Slice(str(pk), people[pk].nickname, amount) for pk, amount in sums.items()]
    if report == ReportName.BRAND:
        brands = names.get_brand_names(sums)
        return [
            Slice(str(pk), brands.get(pk, names.OTHER_BRAND), amount) for pk, amount in sums.items()
        ]
    if report == ReportName.BUDGET:
        budgets = names.get_budget_names(sums)
        return [Slice(str(pk), budgets[pk], amount) for pk, amount in sums.items()]
    products = names.get_products_by_key(sums)
    return [Slice(products[pk].code, products[pk].name, amount) for pk, amount in sums.items()]
