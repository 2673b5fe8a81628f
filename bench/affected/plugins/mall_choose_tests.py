"""Pytest plugin that runs the tests of a list in its order and records the failures: -p
mall_choose_tests.

It is loaded by name from PYTHONPATH, so that it works on another commit's tree too. CHOSEN_TESTS is
a JSON list of test names; FAILED_TESTS is the file for [name, message] of each failure. Names of
missing tests are ignored.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

FAILED: list[tuple[str, str]] = []


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests outside the list. A name without "::" selects a whole file."""
    chosen = json.loads(Path(os.environ["CHOSEN_TESTS"]).read_text(encoding="utf-8"))
    place = {name: number for number, name in enumerate(chosen)}

    def rank(item: pytest.Item) -> int | None:
        return place.get(item.nodeid, place.get(item.nodeid.partition("::")[0]))

    left_out = [item for item in items if rank(item) is None]
    items[:] = sorted(
        (item for item in items if rank(item) is not None), key=lambda item: rank(item) or 0
    )
    if left_out:
        config.hook.pytest_deselected(items=left_out)


def note(report: pytest.CollectReport | pytest.TestReport) -> None:
    """Record the name of a failed test, and the last line of its error."""
    if report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        text = str(crash.message if crash else report.longrepr)
        FAILED.append((report.nodeid, text.strip()[:400]))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record a failed test."""
    note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Record a file that cannot be imported."""
    note(report)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Write the failures to FAILED_TESTS, if it is set."""
    if "FAILED_TESTS" in os.environ:
        Path(os.environ["FAILED_TESTS"]).write_text(json.dumps(FAILED), encoding="utf-8")
