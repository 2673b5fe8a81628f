"""Times as text: always in the mall's time zone, whatever zone the value has."""

from __future__ import annotations

from datetime import UTC, datetime

from apps.common.days import format_moment

AT = datetime(2026, 3, 1, 16, 5, 7, tzinfo=UTC)


def test_a_moment_is_told_by_the_malls_clock_to_the_minute() -> None:
    assert format_moment(AT) == "2026-03-02 00:05"


def test_where_seconds_matter_they_are_told() -> None:
    assert format_moment(AT, has_seconds=True) == "2026-03-02 00:05:07"
