"""Working time: 9:00 to 18:00 in Shanghai (the service hours) on Monday to Friday, as the 节假日历 changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from apps.content.models import CalendarDay

OPENS, CLOSES = time(9), time(18)
DAY_HOURS = 9
DAY = timedelta(hours=DAY_HOURS)
NONE = timedelta()


@dataclass(frozen=True, slots=True)
class WorkingCalendar:
    """The calendar as it is now; `changed` has the days that are not as their weekday: True where one is worked."""

    changed: Mapping[date, bool]

    def is_worked(self, day: date) -> bool:
        """Whether anybody is at work that day."""
        return self.changed.get(day, day.weekday() < 5)

    def time_between(self, start: datetime, end: datetime) -> timedelta:
        """Return the working time from one moment to a later one; none where it is not later."""
        if end <= start:
            return NONE
        first, last = timezone.localtime(start), timezone.localtime(end)
        whole = self._days(first.date(), last.date()) * DAY
        return whole - self._since_opening(first) + self._since_opening(last)

    def hours_between(self, start: datetime, end: datetime) -> float:
        """Return the working hours from one moment to a later one."""
        return self.time_between(start, end) / timedelta(hours=1)

    def after(self, start: datetime, hours: float) -> datetime:
        """Return the earliest moment at which so many working hours have passed since `start`."""
        left, moment = timedelta(hours=hours), timezone.localtime(start)
        while left > NONE:
            begins = max(moment, _at(moment.date(), OPENS))
            closes = _at(moment.date(), CLOSES)
            if self.is_worked(moment.date()) and begins < closes:
                if left <= closes - begins:
                    return begins + left
                left -= closes - begins
            moment = _at(moment.date() + timedelta(days=1), OPENS)
        return moment

    def before(self, end: datetime, hours: float) -> datetime:
        """Return the latest moment since which so many working hours have passed at `end`: whoever waits from then or earlier has."""
        left, moment = timedelta(hours=hours), timezone.localtime(end)
        while left > NONE:
            ends = min(moment, _at(moment.date(), CLOSES))
            opens = _at(moment.date(), OPENS)
            if self.is_worked(moment.date()) and ends > opens:
                if left <= ends - opens:
                    return ends - left
                left -= ends - opens
            moment = _at(moment.date() - timedelta(days=1), CLOSES)
        return moment

    def _since_opening(self, moment: datetime) -> timedelta:
        if not self.is_worked(moment.date()):
            return NONE
        return min(max(moment - _at(moment.date(), OPENS), NONE), DAY)

    def _days(self, first: date, last: date) -> int:
        """Return how many days are worked from the first up to, not with, the last."""
        weeks, rest = divmod((last - first).days, 7)
        worked = weeks * 5 + sum((first + timedelta(days=number)).weekday() < 5 for number in range(rest))
        return worked + sum(is_worked - (day.weekday() < 5) for day, is_worked in self.changed.items() if first <= day < last)


def _at(day: date, hour: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, hour))


def working_calendar() -> WorkingCalendar:
    """Return the calendar as the staff keep it; one query, about forty rows a year."""
    return WorkingCalendar(dict(CalendarDay.objects.values_list("day", "is_worked")))


def hours_text(hours: float) -> str:
    """Return a wait as the screen says it: whole working hours, whole working days from two on."""
    if hours < 1:
        return "不到 1 工作小时"
    return f"{int(hours)} 工作小时" if hours < 2 * DAY_HOURS else f"{int(hours / DAY_HOURS)} 个工作日"
