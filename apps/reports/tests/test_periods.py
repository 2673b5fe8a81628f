"""Periods, and the periods they are compared with."""

from __future__ import annotations

from datetime import date

import pytest

from apps.reports.enums import Preset
from apps.reports.periods import Window, Windows, compute_windows, iterate_buckets

TODAY = date(2026, 3, 31)


def get_days(window: Window) -> tuple[str, str]:
    return f"{window.since:%y-%m-%d}", f"{window.until:%y-%m-%d}"


def at(preset: str, since: date | None = None, until: date | None = None) -> list[tuple[str, str]]:
    windows: Windows = compute_windows(preset, since=since, until=until, today=TODAY)
    return [get_days(window) for window in (windows.window, windows.previous, windows.year_before)]


# The period, 环比, 同比. A running period is compared with the same number of days of the period
# before, or with all of it if it is shorter.
PRESETS = {
    Preset.MONTH: [("26-03-01", "26-03-31"), ("26-02-01", "26-02-28"), ("25-03-01", "25-03-31")],
    Preset.LAST_MONTH: [
        ("26-02-01", "26-02-28"),
        ("26-01-01", "26-01-31"),
        ("25-02-01", "25-02-28"),
    ],
    Preset.QUARTER: [("26-01-01", "26-03-31"), ("25-10-01", "25-12-31"), ("25-01-01", "25-03-31")],
    Preset.YEAR: [("26-01-01", "26-03-31"), ("25-01-01", "25-03-31"), ("25-01-01", "25-03-31")],
    Preset.TWELVE_MONTHS: [
        ("25-04-01", "26-03-31"),
        ("24-04-01", "25-03-31"),
        ("24-04-01", "25-03-31"),
    ],
}


@pytest.mark.parametrize(("preset", "expected"), PRESETS.items())
def test_each_preset_has_its_window_and_comparison_window(
    preset: str, expected: list[tuple[str, str]]
) -> None:
    assert at(preset) == expected


def test_whole_months_of_ones_own_are_compared_with_as_many_whole_months() -> None:
    expected = [("26-01-01", "26-02-28"), ("25-11-01", "25-12-31"), ("25-01-01", "25-02-28")]
    assert at(Preset.CUSTOM, date(2026, 1, 1), date(2026, 2, 28)) == expected


def test_other_days_are_compared_with_as_many_days() -> None:
    expected = [("26-03-10", "26-03-12"), ("26-03-07", "26-03-09"), ("25-03-10", "25-03-12")]
    assert at(Preset.CUSTOM, date(2026, 3, 10), date(2026, 3, 12)) == expected


def test_a_short_trend_shows_days_and_a_long_one_months_cut_to_the_period() -> None:
    assert len(list(iterate_buckets(Window(date(2026, 1, 1), date(2026, 3, 3))))) == 62
    parts = [
        get_days(part) for part in iterate_buckets(Window(date(2026, 1, 10), date(2026, 3, 15)))
    ]
    assert parts == [("26-01-10", "26-01-31"), ("26-02-01", "26-02-28"), ("26-03-01", "26-03-15")]
