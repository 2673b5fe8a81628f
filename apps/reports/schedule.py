"""Due times of a subscription: days by frequency, shifted off holidays by the owner's rule, at
a time in Asia/Shanghai.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from apps.reports.enums import Frequency, Shift

IsWorkday = Callable[[date], bool]
DAY = timedelta(days=1)
# Upper limit of a holiday in days, including 调休 before and after it. It also limits the search
# in a calendar without working days.
MAX_HOLIDAY_DAYS = 31
# Search range in days. Every schedule is due within it, unless no working day fits.
MAX_SEARCH_DAYS = 800


@dataclass(frozen=True, slots=True)
class Schedule:
    """`weekday` 1 is Monday. A `month_day` beyond the end of the month means its last day."""

    frequency: str
    weekday: int
    month_day: int
    at: time
    shift: str

    def is_due_on(self, day: date) -> bool:
        """Whether the frequency selects this day, before any shift."""
        match self.frequency:
            case Frequency.WEEKLY:
                return day.isoweekday() == self.weekday
            case Frequency.MONTHLY:
                return day.day == min(self.month_day, monthrange(day.year, day.month)[1])
        return True


def find_due_after(schedule: Schedule, moment: datetime, is_worked: IsWorkday) -> datetime | None:
    """Return the first due time after `moment`, or None if the calendar has no suitable day."""
    return next(
        (due for due in _iterate_due_times(schedule, moment, is_worked) if due > moment), None
    )


def list_dues_between(
    schedule: Schedule, first: datetime, last: datetime, is_worked: IsWorkday
) -> list[datetime]:
    """Return the due times from `first` to `last`, both included."""
    dues = []
    for due in _iterate_due_times(schedule, first, is_worked):
        if due > last:
            break
        if due >= first and due not in dues:
            dues.append(due)
    return dues


def _iterate_due_times(
    schedule: Schedule, moment: datetime, is_worked: IsWorkday
) -> Iterator[datetime]:
    """Yield the due times in order. Start one holiday earlier, because the shift may move an
    earlier day beyond `moment`.
    """
    day = timezone.localdate(moment) - MAX_HOLIDAY_DAYS * DAY
    for _ in range(MAX_SEARCH_DAYS):
        if (
            schedule.is_due_on(day)
            and (due_day := _shift_day(schedule.shift, day, is_worked)) is not None
        ):
            yield timezone.make_aware(datetime.combine(due_day, schedule.at))
        day += DAY


def _shift_day(shift: str, day: date, is_worked: IsWorkday) -> date | None:
    """Return the day after the shift, or None if the shift rule skips this send."""
    if shift == Shift.NONE or is_worked(day):
        return day
    if shift == Shift.SKIP:
        return None
    later_days = (day + number * DAY for number in range(1, MAX_HOLIDAY_DAYS + 1))
    return next((candidate for candidate in later_days if is_worked(candidate)), day)
