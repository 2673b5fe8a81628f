"""Browser tests wait for something that a person sees, because a call or an address changes
before the screen does.
"""

import re
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from tests.e2e import __main__ as run
from tests.e2e import database

E2E = Path(__file__).resolve().parents[1] / "e2e"
SOURCES = sorted(E2E.rglob("*.mjs"))
SLEEPING = re.compile(r"\b(networkidle|waitForTimeout|setTimeout)\b")
# No screens: DELAY holds the requests of a page, and a clock is held only between its calls.
NO_SCREEN = ["browser.mjs: setTimeout", "faults.mjs: networkidle"]
# A test whose fact is a call or an address may wait for it; a page object that does lets the walk
# go on too early.
TOO_EARLY = re.compile(r"\b(waitForResponse|waitForRequest|waitForURL)\b")
BARE_TEST = re.compile(r"^\s*test\(", re.MULTILINE)


def find_matches(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    """Return the files of `paths` that match `pattern`, with the matches."""
    return [
        f"{path.relative_to(E2E)}: {match.group().strip()}"
        for path in paths
        for match in pattern.finditer(path.read_text(encoding="utf-8"))
    ]


def test_no_browser_test_waits_for_the_clock_or_for_a_quiet_network() -> None:
    assert find_matches(SLEEPING, SOURCES) == NO_SCREEN


def test_no_page_object_takes_a_call_or_an_address_for_the_screen() -> None:
    assert find_matches(TOO_EARLY, [path for path in SOURCES if path.parent.name == "pages"]) == []


def test_every_browser_test_is_a_journey_so_that_its_failure_leaves_a_picture() -> None:
    assert (
        find_matches(BARE_TEST, [path for path in SOURCES if path.name.endswith(".test.mjs")]) == []
    )


def test_a_mall_that_a_walk_starts_after_midnight_is_a_copy_of_the_data_the_run_began_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Clock(datetime):
        """A clock at the last minute of a day in Shanghai, then at the first minute of the
        next.
        """

        moments = iter([(23, 23, 59), (24, 0, 1)])

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Clock":
            on, hour, minute = next(cls.moments)
            return cls(2026, 11, on, hour, minute, tzinfo=tz)

    monkeypatch.setenv("DEMO_DAY", "put back after the test")
    monkeypatch.delenv("DEMO_DAY")
    monkeypatch.setattr(database, "datetime", Clock)
    run.hold_the_day()
    assert [database.get_day(), database.get_day()] == ["2026-11-23", "2026-11-23"]


def test_a_run_knows_its_own_databases_on_a_shared_server() -> None:
    """Otherwise it drops those of a run beside it, or leaves its own behind in .ci/run."""
    own, other = (
        database.get_own_ending({"DATABASE_URL": f"postgres://postgres@127.0.0.1:5432/{name}"})
        for name in ("mall_ci_12", "mall_ci_123")
    )

    assert own.endswith("_mall_ci_12")
    assert not f"mall_demo_0123456789ab{other}".endswith(own)


@pytest.mark.parametrize(
    "names", [[name for group in run.ON_POSTGRES.values() for name in group], run.LONGEST]
)
def test_every_file_that_the_run_names_is_there(names: list[str]) -> None:
    """Otherwise a misspelt file name would be skipped silently."""
    assert [name for name in names if not (E2E / f"{name}.test.mjs").exists()] == []
    assert len(set(names)) == len(names)


def test_all_files_run_on_sqlite_and_the_longest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "sqlite:///mall.sqlite3")
    files = run.list_files([])

    assert sorted(files) == sorted(E2E.glob("*.test.mjs"))
    assert [run.get_name(path) for path in files[: len(run.LONGEST)]] == list(run.LONGEST)
