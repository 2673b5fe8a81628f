"""Browser tests wait for what a person sees: a call that was answered or an address that has changed comes before the screen does."""

import re
from pathlib import Path

E2E = Path(__file__).resolve().parents[1] / "e2e"
SOURCES = sorted(E2E.rglob("*.mjs"))
SLEEPING = re.compile(r"\b(networkidle|waitForTimeout|setTimeout)\b")
# No screens: a clock is held only between the calls of the page, and a second server is asked until it answers.
NO_SCREEN = ["faults.mjs: networkidle", "limits.test.mjs: setTimeout"]
# A test whose fact is a call or an address may wait for it; a page object that does lets the walk go on too early.
TOO_EARLY = re.compile(r"\b(waitForResponse|waitForRequest|waitForURL)\b")
BARE_TEST = re.compile(r"^\s*test\(", re.MULTILINE)


def found(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    """Return each file of `paths` in which `pattern` is, with what it found."""
    return [
        f"{path.relative_to(E2E)}: {match.group().strip()}"
        for path in paths
        for match in pattern.finditer(path.read_text(encoding="utf-8"))
    ]


def test_no_browser_test_waits_for_the_clock_or_for_a_quiet_network() -> None:
    assert found(SLEEPING, SOURCES) == NO_SCREEN


def test_no_page_object_takes_a_call_or_an_address_for_the_screen() -> None:
    assert found(TOO_EARLY, [path for path in SOURCES if path.parent.name == "pages"]) == []


def test_every_browser_test_is_a_journey_so_that_its_failure_leaves_a_picture() -> None:
    assert found(BARE_TEST, [path for path in SOURCES if path.name.endswith(".test.mjs")]) == []
