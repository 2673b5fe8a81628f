"""The calendar of the demo's story."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta

import pytest
from django.utils import timezone

from apps.common.errors import WrongState
from demo.load.calendar import Calendar, choose_working_time
from demo.load.clock import clock_at
from demo.load.terms import get_period

NOW = datetime(2026, 3, 13, 15, 0, tzinfo=timezone.get_default_timezone())


def calendar() -> Calendar:
    return Calendar(now=NOW, chance=random.Random(1))


def test_acts_run_in_the_order_of_their_times_each_under_its_own_clock() -> None:
    story, seen = calendar(), []
    for days in (1, 3, 2):
        story.plan(NOW - timedelta(days=days), lambda: seen.append(timezone.now()))

    story.run()

    assert seen == [NOW - timedelta(days=days) for days in (3, 2, 1)]


def test_events_in_the_future_are_skipped() -> None:
    story, seen = calendar(), []
    story.plan(NOW + timedelta(seconds=1), lambda: seen.append(1))

    story.run()

    assert seen == []


def test_an_act_may_plan_the_next() -> None:
    story, seen = calendar(), []
    begin = NOW - timedelta(days=9)
    story.plan(
        begin, lambda: story.plan_later(begin, lambda: seen.append(timezone.now()), hours=(1, 2))
    )

    story.run()

    assert begin < seen[0] <= NOW


def test_a_refusal_is_part_of_the_story() -> None:
    story = calendar()

    def refused() -> None:
        raise WrongState

    story.plan(NOW, refused)
    story.run()

    assert story.refused == 1


@pytest.mark.parametrize("day", [14, 15])
def test_the_weekend_waits_for_monday(day: int) -> None:
    moved = choose_working_time(NOW.replace(day=day, hour=22), random.Random(1))

    assert (moved.day, 9 <= moved.hour < 18) == (16, True)


def test_the_clock_goes_on_after_the_story() -> None:
    with clock_at(NOW):
        assert timezone.now() == NOW
        assert timezone.localdate() == date(2026, 3, 13)

    assert timezone.now() != NOW


@pytest.mark.parametrize(
    ("kind", "offset", "begins", "ends"),
    [
        ("month", 0, date(2026, 3, 1), date(2026, 3, 31)),
        ("month", -1, date(2026, 2, 1), date(2026, 2, 28)),
        ("month", -3, date(2025, 12, 1), date(2025, 12, 31)),
        ("quarter", 0, date(2026, 1, 1), date(2026, 3, 31)),
        ("quarter", -1, date(2025, 10, 1), date(2025, 12, 31)),
        ("year", -2, date(2024, 1, 1), date(2024, 12, 31)),
    ],
)
def test_a_period_is_a_whole_month_quarter_or_year(
    kind: str, offset: int, begins: date, ends: date
) -> None:
    assert get_period(kind=kind, today=date(2026, 3, 13), offset=offset) == (begins, ends)
