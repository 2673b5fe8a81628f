"""Browser tests wait for what a person sees: a call that was answered or an address that has changed comes before the screen does."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "tests" / "e2e").rglob("*.mjs"))
RACING = re.compile(r"\b(networkidle|waitForTimeout|waitForResponse|waitForRequest|waitForURL|setTimeout)\b")
BARE_TEST = re.compile(r"^\s*test\(", re.MULTILINE)


def test_no_browser_test_waits_for_calls_addresses_or_the_clock() -> None:
    offenders = [f"{path.name}: {word}" for path in SOURCES for word in RACING.findall(path.read_text(encoding="utf-8"))]

    assert offenders == []


def test_every_browser_test_is_a_journey_so_that_its_failure_leaves_a_picture() -> None:
    offenders = [path.name for path in SOURCES if path.name.endswith(".test.mjs") and BARE_TEST.search(path.read_text(encoding="utf-8"))]

    assert offenders == []
