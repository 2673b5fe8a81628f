"""The due dates of a recurring order. All of them are working days."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from apps.calendar.selectors import WorkingCalendar, add_working_days
from apps.recurring.enums import Rhythm

DAY = timedelta(days=1)
# The largest number of each rhythm; the smallest is 1.
MAX_NUMBER: dict[str, int] = {Rhythm.WORKING_DAYS: 250, Rhythm.WEEKLY: 7, Rhythm.MONTHLY: 31}
# A calendar with more free days in a row is a mistake; the search ends here.
MAX_FREE_DAYS = 60


@dataclass(frozen=True, slots=True)
class Schedule:
    """A rhythm with its number: every `number` working days, each week on the weekday `number` (1
    is Monday), or each month on the day `number` (the last day of shorter months).

    A weekday or day that is not worked moves to the next working day.
    """

    rhythm: str
    number: int
    calendar: WorkingCalendar

    def find_first(self, start: date) -> date:
        """Return the first due date on or after `start`."""
        if self.rhythm == Rhythm.WORKING_DAYS:
            return find_next_working_day(self.calendar, start)
        return self._find_next_moved(start)

    def find_next(self, due: date) -> date:
        """Return the first due date after `due`."""
        if self.rhythm == Rhythm.WORKING_DAYS:
            return add_working_days(self.calendar, due, self.number)
        return self._find_next_moved(due + DAY)

    def list_upcoming(self, first_day: date, count: int) -> list[date]:
        """Return `count` days on which the order runs, beginning with `first_day`."""
        days = [first_day]
        while len(days) < count:
            days.append(self.find_next(days[-1]))
        return days

    def _find_next_moved(self, start: date) -> date:
        moved = (
            find_next_working_day(self.calendar, day) for day in self._iterate_nominal_days(start)
        )
        return next(day for day in moved if day >= start)

    def _iterate_nominal_days(self, start: date) -> Iterator[date]:
        """Yield the days before they move, from the latest one before `start` that could move to it
        or later.
        """
        day = start - timedelta(days=MAX_FREE_DAYS)
        while True:
            if self._is_nominal(day):
                yield day
            day += DAY

    def _is_nominal(self, day: date) -> bool:
        if self.rhythm == Rhythm.WEEKLY:
            return day.isoweekday() == self.number
        return day.day == min(self.number, monthrange(day.year, day.month)[1])


def find_next_working_day(calendar: WorkingCalendar, day: date) -> date:
    """Return the day if it is worked, otherwise the next one that is."""
    days = (day + timedelta(days=number) for number in range(MAX_FREE_DAYS))
    return next((each for each in days if calendar.is_worked(each)), day)
