"""Times as text: always in the mall's time zone, whatever zone the value has."""

from __future__ import annotations

from datetime import UTC, datetime

from apps.common.days import format_moment

AT = datetime(2026, 3, 1, 16, 5, 7, tzinfo=UTC)


def test_moment_is_formatted_in_shanghai_time_to_the_minute() -> None:
    assert format_moment(AT) == "2026-03-02 00:05"


def test_moment_is_formatted_with_seconds_on_request() -> None:
    assert format_moment(AT, has_seconds=True) == "2026-03-02 00:05:07"
