"""Working time: 9:00 to 18:00 in Shanghai, with the days of 2026 as the State Council announced
them.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from apps.calendar.models import CalendarDay
from apps.calendar.selectors import (
    WorkingCalendar,
    format_hours,
    get_working_calendar,
)
from apps.common.testing import assert_queries

pytestmark = pytest.mark.django_db
SHANGHAI = ZoneInfo("Asia/Shanghai")


def at(text: str) -> datetime:
    """Return a moment of Shanghai, as "2026-11-20 17:00"."""
    return datetime.fromisoformat(text).replace(tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("start", "end", "hours"),
    [
        ("2026-11-18 09:00", "2026-11-18 18:00", 9),
        ("2026-11-18 09:00", "2026-11-18 09:00", 0),
        ("2026-11-18 10:00", "2026-11-18 09:00", 0),
        ("2026-11-18 07:30", "2026-11-18 09:30", 0.5),
        ("2026-11-18 17:30", "2026-11-18 23:00", 0.5),
        ("2026-11-18 17:00", "2026-11-19 10:00", 2),
        # over a weekend
        ("2026-11-20 17:00", "2026-11-23 10:00", 2),
        ("2026-11-21 12:00", "2026-11-22 12:00", 0),
        # three weeks
        ("2026-11-02 09:00", "2026-11-23 09:00", 135),
        # month end, Saturday to Monday
        ("2026-10-30 17:00", "2026-11-02 10:00", 2),
        # the end of a year: 31 December is a Thursday, 1 to 3 January are off, the 4th, a Sunday,
        # is worked
        ("2025-12-31 17:00", "2026-01-04 10:00", 2),
        # 春节: from Saturday the 14th, worked, to Tuesday the 24th
        ("2026-02-14 17:00", "2026-02-24 10:00", 2),
        # Saturday 28 February is worked, Sunday 1 March is not
        ("2026-02-28 09:00", "2026-03-02 09:00", 9),
        # 国庆节 with Saturday the 10th worked
        ("2026-09-30 17:00", "2026-10-08 10:00", 2),
        ("2026-10-09 17:00", "2026-10-12 10:00", 11),
        # 2028 has a 29 February, a Tuesday; nobody has announced the year
        ("2028-02-28 09:00", "2028-03-01 09:00", 18),
        ("2028-02-29 09:00", "2028-02-29 18:00", 9),
    ],
)
def test_hours_between_two_moments(start: str, end: str, hours: float) -> None:
    assert get_working_calendar().count_hours_between(at(start), at(end)) == hours


@pytest.mark.parametrize(
    ("start", "hours", "end"),
    [
        ("2026-11-18 09:00", 9, "2026-11-18 18:00"),
        ("2026-11-18 17:00", 8, "2026-11-19 16:00"),
        ("2026-11-20 17:00", 2, "2026-11-23 10:00"),
        ("2026-11-21 15:00", 1, "2026-11-23 10:00"),
        ("2026-11-18 20:00", 1, "2026-11-19 10:00"),
        ("2026-02-13 18:00", 24, "2026-02-25 15:00"),
        ("2026-02-27 17:00", 2, "2026-02-28 10:00"),
        ("2025-12-31 17:30", 1, "2026-01-04 09:30"),
        ("2026-12-31 17:30", 1, "2027-01-01 09:30"),
        ("2028-02-28 17:00", 10, "2028-02-29 18:00"),
        ("2026-11-18 11:11", 0, "2026-11-18 11:11"),
    ],
)
def test_the_moment_after_so_many_hours(start: str, hours: float, end: str) -> None:
    assert get_working_calendar().add_hours(at(start), hours) == at(end)


@pytest.mark.parametrize(
    ("end", "hours", "start"),
    [
        ("2026-11-18 17:00", 8, "2026-11-18 09:00"),
        ("2026-11-18 10:00", 8, "2026-11-17 11:00"),
        ("2026-11-23 10:00", 2, "2026-11-20 17:00"),
        ("2026-11-22 12:00", 1, "2026-11-20 17:00"),
        ("2026-10-08 10:00", 2, "2026-09-30 17:00"),
    ],
)
def test_the_moment_since_which_so_many_have_passed(end: str, hours: float, start: str) -> None:
    assert get_working_calendar().subtract_hours(at(end), hours) == at(start)


def test_before_and_after_are_inverse_to_hours_between() -> None:
    calendar = get_working_calendar()
    for hour in range(24 * 40):
        end = datetime.fromtimestamp(at("2026-01-25 00:30").timestamp() + hour * 3600, tz=SHANGHAI)
        assert calendar.count_hours_between(calendar.subtract_hours(end, 24), end) == 24
        assert calendar.count_hours_between(end, calendar.add_hours(end, 24)) == 24


def test_another_time_zone_is_the_same_moment() -> None:
    # 01:00 in London is 9:00 in Shanghai; 23:00 on Sunday in London is Monday 7:00.
    assert (
        get_working_calendar().count_hours_between(
            datetime(2026, 11, 18, 0, tzinfo=UTC), datetime(2026, 11, 18, 2, tzinfo=UTC)
        )
        == 1
    )
    assert (
        get_working_calendar().count_hours_between(
            datetime(2026, 11, 22, 23, tzinfo=UTC), datetime(2026, 11, 23, 1, 30, tzinfo=UTC)
        )
        == 0.5
    )


def test_entered_holidays_apply_to_the_next_calculation() -> None:
    start, end = at("2027-02-05 09:00"), at("2027-02-08 09:00")
    assert get_working_calendar().count_hours_between(start, end) == 9
    CalendarDay.objects.create(day=date(2027, 2, 5), name="春节")
    CalendarDay.objects.create(day=date(2027, 2, 7), is_worked=True, name="春节调休")
    CalendarDay.objects.create(day=date(2027, 2, 6), name="春节")  # a Saturday is off anyway
    assert get_working_calendar().count_hours_between(start, end) == 9
    assert get_working_calendar().is_worked(date(2027, 2, 7))
    assert not get_working_calendar().is_worked(date(2027, 2, 5))


def test_2026_is_entered_as_announced_and_2027_not_at_all() -> None:
    days = CalendarDay.objects.filter(day__year=2026)
    assert (days.filter(is_worked=False).count(), days.filter(is_worked=True).count()) == (33, 6)
    assert not CalendarDay.objects.filter(day__year__gte=2027).exists()


def test_the_calendar_is_one_query() -> None:
    with assert_queries(1):
        get_working_calendar().count_hours_between(at("2026-01-01 09:00"), at("2026-12-31 09:00"))


@pytest.mark.parametrize(
    ("hours", "text"),
    [(0.9, "不到 1 工作小时"), (6.5, "6 工作小时"), (17.9, "17 工作小时"), (27, "3 个工作日")],
)
def test_a_wait_in_words(hours: float, text: str) -> None:
    assert format_hours(hours) == text


def test_without_changes_it_is_monday_to_friday() -> None:
    assert [WorkingCalendar({}).is_worked(date(2026, 11, day)) for day in range(16, 23)] == [
        True
    ] * 5 + [False] * 2
