"""Periods of rankings, each with the previous period of the same length."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from apps.orders.enums import RankPeriod

DAYS = {RankPeriod.MONTH: 30, RankPeriod.QUARTER: 90, RankPeriod.YEAR: 365}
MONTHS = {RankPeriod.MONTH: 1, RankPeriod.QUARTER: 3, RankPeriod.YEAR: 12}


@dataclass(frozen=True, slots=True)
class RankWindow:
    """The period from `since` to the day before `until`, and the previous one from `before` to
    the day before `since`. Days in Asia/Shanghai.
    """

    before: date
    since: date
    until: date

    @property
    def last_day(self) -> date:
        """Return the last counted day."""
        return self.until - timedelta(days=1)


def rolling(period: RankPeriod, *, today: date) -> RankWindow:
    """Return the last 30, 90 or 365 days, including today."""
    length = timedelta(days=DAYS[period])
    until = today + timedelta(days=1)
    return RankWindow(until - 2 * length, until - length, until)


def whole_months(period: RankPeriod, *, month: date) -> RankWindow:
    """Return the 1, 3 or 12 calendar months before `month`, a first day of a month."""
    return RankWindow(
        _months_before(month, 2 * MONTHS[period]), _months_before(month, MONTHS[period]), month
    )


def _months_before(month: date, count: int) -> date:
    index = month.year * 12 + month.month - 1 - count
    return date(index // 12, index % 12 + 1, 1)
