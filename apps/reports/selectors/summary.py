"""The summary of a report: totals, growth and trend, in one query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Sum

from apps.common.money import ZERO
from apps.reports.periods import Window, Windows, add_months, iterate_buckets
from apps.reports.selectors.question import MatchingFacts, build_windows_condition


@dataclass(frozen=True, slots=True)
class Sums:
    """Amount (元, 含税), its tax, and pieces. Goods and freight, less reversals."""

    amount: Decimal = ZERO
    tax: Decimal = ZERO
    quantity: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.amount + other.amount, self.tax + other.tax, self.quantity + other.quantity
        )

    @property
    def net(self) -> Decimal:
        """Amount without tax."""
        return self.amount - self.tax


@dataclass(frozen=True, slots=True)
class Change:
    """The amount of a comparison period, and the growth against it in percent. The percentage
    is None if there is nothing to compare with.
    """

    window: Window
    amount: Decimal
    percent: Decimal | None


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A day or a month of the period, with the amount one year earlier."""

    window: Window
    amount: Decimal
    year_before: Decimal


@dataclass(frozen=True, slots=True)
class Summary:
    """The totals of the period, its two comparisons and its trend."""

    totals: Sums
    previous: Change
    year_before: Change
    trend: list[TrendPoint]


def get_summary(matching: MatchingFacts, windows: Windows) -> Summary:
    """Return the summary of these rows for the windows."""
    rows = (
        matching.sums.filter(build_windows_condition(windows))
        .values_list("day")
        .annotate(sum_amount=Sum("amount"), sum_tax=Sum("tax_amount"), sum_quantity=Sum("quantity"))
    )
    days: dict[date, Sums] = {
        day: Sums(amount, tax, quantity) for day, amount, tax, quantity in rows
    }
    totals = _sum_window(days, windows.window)
    points = [
        TrendPoint(
            part, _sum_window(days, part).amount, _sum_window(days, _get_year_before(part)).amount
        )
        for part in iterate_buckets(windows.window)
    ]
    return Summary(
        totals=totals,
        previous=_build_change(totals, windows.previous, days),
        year_before=_build_change(totals, windows.year_before, days),
        trend=points,
    )


def compute_growth_percent(now: Decimal, before: Decimal) -> Decimal | None:
    """Return the growth in percent with one decimal, or None if the comparison amount is not
    positive.
    """
    return ((now - before) * 100 / before).quantize(Decimal("0.1")) if before > ZERO else None


def _build_change(totals: Sums, window: Window, days: dict[date, Sums]) -> Change:
    amount = _sum_window(days, window).amount
    return Change(window, amount, compute_growth_percent(totals.amount, amount))


def _sum_window(days: dict[date, Sums], window: Window) -> Sums:
    values: Iterable[Sums] = (
        sums for day, sums in days.items() if window.since <= day <= window.until
    )
    return sum(values, Sums())


def _get_year_before(part: Window) -> Window:
    return Window(add_months(part.since, -12), add_months(part.until, -12))
