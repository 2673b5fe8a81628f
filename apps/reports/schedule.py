"""When a subscription is due: its days by the calendar, moved off holidays as its owner chose, at its time in Asia/Shanghai."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from apps.reports.enums import Frequency, Shift

IsWorked = Callable[[date], bool]
DAY = timedelta(days=1)
# No holiday is longer, 调休 before and after it included; a calendar without working days moves nothing further.
LONGEST_HOLIDAY = 31
# Within so many days something is due, unless the calendar has no working day that fits.
LOOKED_AHEAD = 800


@dataclass(frozen=True, slots=True)
class Schedule:
    """`weekday` 1 is Monday; `month_day` 31 is the month's last day, as is 30 in February."""

    frequency: str
    weekday: int
    month_day: int
    at: time
    shift: str

    def is_due_on(self, day: date) -> bool:
        """Whether the day is one of its own, before any shift."""
        match self.frequency:
            case Frequency.WEEKLY:
                return day.isoweekday() == self.weekday
            case Frequency.MONTHLY:
                return day.day == min(self.month_day, monthrange(day.year, day.month)[1])
        return True


def due_after(schedule: Schedule, moment: datetime, is_worked: IsWorked) -> datetime | None:
    """Return the first moment later than `moment` at which it is due; None where the calendar leaves no day for it."""
    return next((due for due in _dues(schedule, moment, is_worked) if due > moment), None)


def dues_between(schedule: Schedule, first: datetime, last: datetime, is_worked: IsWorked) -> list[datetime]:
    """Return the moments at which it is due from `first` to `last`, both included."""
    found = []
    for due in _dues(schedule, first, is_worked):
        if due > last:
            break
        if due >= first and due not in found:
            found.append(due)
    return found


def _dues(schedule: Schedule, moment: datetime, is_worked: IsWorked) -> Iterator[datetime]:
    """Yield them in order, from those whose own day may have been moved beyond the moment's."""
    day = timezone.localdate(moment) - LONGEST_HOLIDAY * DAY
    for _ in range(LOOKED_AHEAD):
        if schedule.is_due_on(day) and (moved := _moved(schedule.shift, day, is_worked)) is not None:
            yield timezone.make_aware(datetime.combine(moved, schedule.at))
        day += DAY


def _moved(shift: str, day: date, is_worked: IsWorked) -> date | None:
    """Return the day on which it is sent; None where that time is left out."""
    if shift == Shift.NONE or is_worked(day):
        return day
    if shift == Shift.SKIP:
        return None
    later = (day + number * DAY for number in range(1, LONGEST_HOLIDAY + 1))
    return next((one for one in later if is_worked(one)), day)
