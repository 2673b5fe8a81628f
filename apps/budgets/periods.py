"""Months, quarters and years of budgets."""

from __future__ import annotations

from datetime import date, timedelta

from apps.budgets.enums import BudgetPeriod

MONTHS = {BudgetPeriod.MONTH: 1, BudgetPeriod.QUARTER: 3, BudgetPeriod.YEAR: 12}


def get_period_around(*, period: str, day: date) -> tuple[date, date]:
    """Return (first day, last day) of the month, quarter or year around `day`."""
    months = MONTHS[BudgetPeriod(period)]
    first = date(day.year, (day.month - 1) // months * months + 1, 1)
    after = first.month + months
    following = date(first.year + 1, 1, 1) if after > 12 else date(first.year, after, 1)
    return first, following - timedelta(days=1)


def get_period_after(*, period: str, last: date) -> tuple[date, date]:
    """Return (first day, last day) of the next month, quarter or year."""
    return get_period_around(period=period, day=last + timedelta(days=1))


def format_period(*, period: str, first: date, last: date) -> str:
    """Return the period in words, e.g. 2026 年 5 月, 2026 年第 2 季度 or 2026 年.

    Return both days if it is not a whole period.
    """
    if get_period_around(period=period, day=first) != (first, last):
        return f"{first:%Y-%m-%d} 至 {last:%Y-%m-%d}"
    if period == BudgetPeriod.MONTH:
        return f"{first.year} 年 {first.month} 月"
    if period == BudgetPeriod.QUARTER:
        return f"{first.year} 年第 {(first.month + 2) // 3} 季度"
    return f"{first.year} 年"
