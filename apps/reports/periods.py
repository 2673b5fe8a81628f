"""The period of a report and its two comparison periods."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from apps.common.errors import ValidationFailed
from apps.reports.enums import Preset

# Longer periods have no use in accounting and make the queries slow.
MAX_YEARS = 5
# Up to this number of days a trend shows days; longer trends show months.
MAX_DAYS_OF_DAILY_TREND = 62
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Window:
    """Days from `since` to `until`, both included, in Asia/Shanghai."""

    since: date
    until: date

    @property
    def days(self) -> int:
        return (self.until - self.since).days + 1


@dataclass(frozen=True, slots=True)
class Windows:
    """A window, its previous period (环比) and the same days one year earlier (同比)."""

    window: Window
    previous: Window
    year_before: Window


def compute_windows(preset: str, *, since: date | None, until: date | None, today: date) -> Windows:
    """Return the days of a preset, or the given days for the preset 自定义, with the two periods to
    compare with.

    Raises:
        ValidationFailed: a day is missing, the days are reversed, or the period exceeds five years.
    """
    first = today.replace(day=1)
    match preset:
        case Preset.MONTH:
            return _compute_running_windows(first, today, 1)
        case Preset.LAST_MONTH:
            return _compare_months(add_months(first, -1), 1)
        case Preset.QUARTER:
            return _compute_running_windows(
                first.replace(month=(first.month - 1) // 3 * 3 + 1), today, 3
            )
        case Preset.YEAR:
            return _compute_running_windows(first.replace(month=1), today, 12)
        case Preset.TWELVE_MONTHS:
            return _compute_running_windows(add_months(first, -11), today, 12)
    return _compare_custom_period(_check_custom_window(since, until))


def _check_custom_window(since: date | None, until: date | None) -> Window:
    """Return the days as a window. Both are included.

    Raises:
        ValidationFailed: a day is missing, the days are reversed, or it is longer than MAX_YEARS.
    """
    if since is None or until is None:
        missing = {
            name: ["请选择日期"] for name, day in (("From", since), ("To", until)) if day is None
        }
        raise ValidationFailed(missing, "请选择统计期间的开始和结束日期")
    if since > until:
        raise ValidationFailed({"To": ["结束日期不能早于开始日期"]})
    if until >= add_months(since, 12 * MAX_YEARS):
        raise ValidationFailed({"To": [f"统计期间最长 {MAX_YEARS} 年，请缩短后再查询"]})
    return Window(since, until)


def _compute_running_windows(since: date, today: date, months: int) -> Windows:
    """Return a running period, with the same number of days of the period before, and a year
    before.
    """
    window = Window(since, today)
    return Windows(window, _shift_window(window, -months), _shift_window(window, -12))


def _compare_months(since: date, count: int) -> Windows:
    """Return whole months with the whole months before and a year before, whatever their length."""

    def build_window(shift: int) -> Window:
        begin = add_months(since, shift)
        return Window(begin, add_months(begin, count) - DAY)

    return Windows(build_window(0), build_window(-count), build_window(-12))


def _compare_custom_period(window: Window) -> Windows:
    """Return the window with the equally long one before it and the one a year earlier. Whole
    months are compared with whole months.
    """
    end = window.until + DAY
    if window.since.day == end.day == 1:
        return _compare_months(
            window.since, (end.year - window.since.year) * 12 + end.month - window.since.month
        )
    length = timedelta(days=window.days)
    return Windows(
        window, Window(window.since - length, window.since - DAY), _shift_window(window, -12)
    )


def _shift_window(window: Window, months: int) -> Window:
    return Window(add_months(window.since, months), add_months(window.until, months))


def add_months(day: date, count: int) -> date:
    """Return the same day `count` months later, or the last day of that month if it is shorter."""
    index = day.year * 12 + day.month - 1 + count
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def iterate_buckets(window: Window) -> Iterator[Window]:
    """Yield the days of a short window or the months of a long one, each cut to the window."""
    since = window.since
    while since <= window.until:
        end = (
            since
            if window.days <= MAX_DAYS_OF_DAILY_TREND
            else add_months(since.replace(day=1), 1) - DAY
        )
        yield Window(since, min(end, window.until))
        since = end + DAY
