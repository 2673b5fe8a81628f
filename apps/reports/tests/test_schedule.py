"""Due times of a subscription: month ends, 29 February, holidays and make-up working days."""

from __future__ import annotations

from datetime import date, datetime, time

import pytest
from django.utils import timezone

from apps.reports.enums import Frequency, Shift
from apps.reports.schedule import Schedule, find_due_after, list_dues_between

# 2026: 1 to 7 October are 国庆节. Saturday 10 October is the make-up working day.
HOLIDAYS = {date(2026, 10, day): False for day in range(1, 8)} | {date(2026, 10, 10): True}


def is_worked(day: date) -> bool:
    return HOLIDAYS.get(day, day.isoweekday() < 6)


def get_moment(text: str) -> datetime:
    return timezone.make_aware(datetime.fromisoformat(text))


def schedule(
    frequency: str,
    *,
    weekday: int = 1,
    month_day: int = 1,
    at: time = time(8, 30),
    shift: str = Shift.NONE,
) -> Schedule:
    return Schedule(frequency, weekday, month_day, at, shift)


def list_course(rule: Schedule, begin: str, count: int) -> list[str]:
    """Return the next `count` due times after `begin`."""
    result, at = [], get_moment(begin)
    for _ in range(count):
        due = find_due_after(rule, at, is_worked)
        assert due
        result.append(f"{timezone.localtime(due):%Y-%m-%d %H:%M}")
        at = due
    return result


def test_the_thirty_first_is_the_last_day_of_each_month() -> None:
    ends = list_course(schedule(Frequency.MONTHLY, month_day=31), "2026-01-31 08:30", 4)
    assert ends == ["2026-02-28 08:30", "2026-03-31 08:30", "2026-04-30 08:30", "2026-05-31 08:30"]


def test_a_leap_year_has_its_twenty_ninth_of_february() -> None:
    assert list_course(schedule(Frequency.MONTHLY, month_day=29), "2028-02-01 00:00", 2) == [
        "2028-02-29 08:30",
        "2028-03-29 08:30",
    ]
    assert list_course(schedule(Frequency.MONTHLY, month_day=29), "2027-02-01 00:00", 1) == [
        "2027-02-28 08:30"
    ]


def test_due_time_is_not_repeated_after_itself() -> None:
    assert list_course(schedule(Frequency.DAILY), "2026-11-23 08:29", 1) == ["2026-11-23 08:30"]
    assert list_course(schedule(Frequency.DAILY), "2026-11-23 08:30", 1) == ["2026-11-24 08:30"]


def test_a_week_goes_by_its_own_day() -> None:
    assert list_course(schedule(Frequency.WEEKLY, weekday=7), "2026-11-23 08:30", 2) == [
        "2026-11-29 08:30",
        "2026-12-06 08:30",
    ]


@pytest.mark.parametrize(
    ("shift", "expected"),
    [
        (Shift.NONE, ["2026-09-30 08:30", "2026-10-01 08:30", "2026-10-02 08:30"]),
        (Shift.NEXT, ["2026-09-30 08:30", "2026-10-08 08:30", "2026-10-09 08:30"]),
        (Shift.SKIP, ["2026-09-30 08:30", "2026-10-08 08:30", "2026-10-09 08:30"]),
    ],
)
def test_a_daily_one_over_a_holiday(shift: str, expected: list[str]) -> None:
    assert list_course(schedule(Frequency.DAILY, shift=shift), "2026-09-29 09:00", 3) == expected


def test_a_monthly_one_in_a_holiday_is_sent_after_it_or_not_at_all() -> None:
    assert list_course(schedule(Frequency.MONTHLY, shift=Shift.NEXT), "2026-09-02 00:00", 2) == [
        "2026-10-08 08:30",
        "2026-11-02 08:30",
    ]
    assert list_course(schedule(Frequency.MONTHLY, shift=Shift.SKIP), "2026-09-02 00:00", 1) == [
        "2026-12-01 08:30"
    ]


def test_worked_saturday_counts_as_a_working_day() -> None:
    assert list_course(
        schedule(Frequency.WEEKLY, weekday=6, shift=Shift.SKIP), "2026-10-01 00:00", 1
    ) == ["2026-10-10 08:30"]


def test_a_calendar_without_a_day_that_fits_ends() -> None:
    def never(_day: date) -> bool:
        return False

    assert (
        find_due_after(
            schedule(Frequency.DAILY, shift=Shift.SKIP), get_moment("2026-01-01 00:00"), never
        )
        is None
    )
    assert find_due_after(
        schedule(Frequency.DAILY, shift=Shift.NEXT), get_moment("2026-01-01 00:00"), never
    ) == get_moment("2026-01-01 08:30")


def test_missed_due_times_between_two_runs_are_listed() -> None:
    missed = list_dues_between(
        schedule(Frequency.DAILY),
        get_moment("2026-11-20 08:30"),
        get_moment("2026-11-22 23:00"),
        is_worked,
    )
    assert missed == [
        get_moment("2026-11-20 08:30"),
        get_moment("2026-11-21 08:30"),
        get_moment("2026-11-22 08:30"),
    ]


def test_due_times_shifted_to_the_same_day_are_merged() -> None:
    moved = list_dues_between(
        schedule(Frequency.DAILY, shift=Shift.NEXT),
        get_moment("2026-10-01 00:00"),
        get_moment("2026-10-08 23:00"),
        is_worked,
    )
    assert moved == [get_moment("2026-10-08 08:30")]
