"""Working time: 9:00 to 18:00 in Shanghai, Monday to Friday, corrected by the 节假日历."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from apps.calendar.models import CalendarDay

OPENS, CLOSES = time(9), time(18)
DAY_HOURS = 9
DAY = timedelta(hours=DAY_HOURS)
NONE = timedelta()


@dataclass(frozen=True, slots=True)
class WorkingCalendar:
    """The present calendar. `changed` maps days that differ from their weekday to `is_worked`."""

    changed: Mapping[date, bool]

    def is_worked(self, day: date) -> bool:
        """Return whether the day is worked."""
        return self.changed.get(day, day.weekday() < 5)

    def compute_time_between(self, start: datetime, end: datetime) -> timedelta:
        """Return the working time between two moments; zero if `end` is not later."""
        if end <= start:
            return NONE
        first, last = timezone.localtime(start), timezone.localtime(end)
        full_days = self._count_work_days(first.date(), last.date()) * DAY
        return (
            full_days
            - self._compute_time_since_opening(first)
            + self._compute_time_since_opening(last)
        )

    def count_hours_between(self, start: datetime, end: datetime) -> float:
        """Return the working hours between two moments."""
        return self.compute_time_between(start, end) / timedelta(hours=1)

    def add_hours(self, start: datetime, hours: float) -> datetime:
        """Return the earliest moment that is `hours` working hours after `start`."""
        remaining, moment = timedelta(hours=hours), timezone.localtime(start)
        while remaining > NONE:
            begins = max(moment, _build_local_moment(moment.date(), OPENS))
            closes = _build_local_moment(moment.date(), CLOSES)
            if self.is_worked(moment.date()) and begins < closes:
                if remaining <= closes - begins:
                    return begins + remaining
                remaining -= closes - begins
            moment = _build_local_moment(moment.date() + timedelta(days=1), OPENS)
        return moment

    def subtract_hours(self, end: datetime, hours: float) -> datetime:
        """Return the latest moment that is `hours` working hours before `end`."""
        remaining, moment = timedelta(hours=hours), timezone.localtime(end)
        while remaining > NONE:
            end_of_day = min(moment, _build_local_moment(moment.date(), CLOSES))
            opens = _build_local_moment(moment.date(), OPENS)
            if self.is_worked(moment.date()) and end_of_day > opens:
                if remaining <= end_of_day - opens:
                    return end_of_day - remaining
                remaining -= end_of_day - opens
            moment = _build_local_moment(moment.date() - timedelta(days=1), CLOSES)
        return moment

    def _compute_time_since_opening(self, moment: datetime) -> timedelta:
        if not self.is_worked(moment.date()):
            return NONE
        return min(max(moment - _build_local_moment(moment.date(), OPENS), NONE), DAY)

    def _count_work_days(self, first: date, last: date) -> int:
        """Return the number of worked days from `first` until the day before `last`."""
        weeks, remaining_days = divmod((last - first).days, 7)
        worked = weeks * 5 + sum(
            (first + timedelta(days=number)).weekday() < 5 for number in range(remaining_days)
        )
        return worked + sum(
            is_worked - (day.weekday() < 5)
            for day, is_worked in self.changed.items()
            if first <= day < last
        )


def _build_local_moment(day: date, hour: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, hour))


def get_working_calendar() -> WorkingCalendar:
    """Return the present calendar. One query; about forty rows per year."""
    return WorkingCalendar(dict(CalendarDay.objects.values_list("day", "is_worked")))


def add_working_days(calendar: WorkingCalendar, day: date, number: int) -> date:
    """Return the `number`-th working day after `day`; before it if `number` is negative."""
    step = timedelta(days=1 if number > 0 else -1)
    for _ in range(abs(number)):
        day += step
        while not calendar.is_worked(day):
            day += step
    return day


def format_hours(hours: float) -> str:
    """Return a waiting time: whole working hours, from two days on whole working days."""
    if hours < 1:
        return "不到 1 工作小时"
    return (
        f"{int(hours)} 工作小时" if hours < 2 * DAY_HOURS else f"{int(hours / DAY_HOURS)} 个工作日"
    )
