"""Due dates in 2026, with the holidays as the State Council announced them: 1 to 7 October are
free, Saturday 10 October is worked.
"""

from __future__ import annotations

from datetime import date

import pytest

from apps.calendar.selectors import add_working_days, get_working_calendar
from apps.recurring.schedule import Schedule

pytestmark = pytest.mark.django_db


def schedule(rhythm: str, number: int) -> Schedule:
    return Schedule(rhythm=rhythm, number=number, calendar=get_working_calendar())


@pytest.mark.parametrize(
    ("rhythm", "number", "start", "days"),
    [
        ("working_days", 1, "2026-11-27", ["2026-11-27", "2026-11-30", "2026-12-01"]),
        ("working_days", 5, "2026-11-28", ["2026-11-30", "2026-12-07", "2026-12-14"]),
        # over the holidays, with the worked Saturday
        ("working_days", 2, "2026-09-30", ["2026-09-30", "2026-10-09", "2026-10-12"]),
        ("weekly", 4, "2026-11-26", ["2026-11-26", "2026-12-03", "2026-12-10"]),
        # Thursday 1 October moves to the 8th, where the next Thursday is: one date, not two
        ("weekly", 4, "2026-09-25", ["2026-10-08", "2026-10-15", "2026-10-22"]),
        ("monthly", 1, "2026-09-02", ["2026-10-08", "2026-11-02", "2026-12-01"]),
        ("monthly", 31, "2026-02-10", ["2026-02-28", "2026-03-31", "2026-04-30"]),
    ],
)
def test_due_dates_are_working_days(rhythm: str, number: int, start: str, days: list[str]) -> None:
    dates = schedule(rhythm, number)
    first = dates.find_first(date.fromisoformat(start))

    assert [day.isoformat() for day in dates.list_upcoming(first, 3)] == days


def test_a_date_that_moved_is_the_first_after_the_start() -> None:
    assert schedule("weekly", 4).find_first(date(2026, 10, 2)) == date(2026, 10, 8)


def test_working_days_before_a_date() -> None:
    assert add_working_days(get_working_calendar(), date(2026, 10, 8), -1) == date(2026, 9, 30)
