"""Pytest plugin that records the lines executed by each test, and its time: -p
mall_record_tests.

It is loaded by name from PYTHONPATH, so that it works on another commit's tree too. Each process
writes its own files into TEST_MAP_FOLDER.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import coverage
import pytest

PART = Path(os.environ["TEST_MAP_FOLDER"]) / f"part-{os.getpid()}"
SOURCES = ["apps", "mall", "demo", "deploy"]
SECONDS: dict[str, float] = {}
FAILED: set[str] = set()

# Started at once: what is executed while modules are imported belongs to no test.
COVERAGE = coverage.Coverage(
    data_file=str(PART),
    source=SOURCES,
    omit=["*/tests/*", "*/migrations/*"],
    config_file=False,
    messages=False,
)
COVERAGE.start()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Record the lines of the test and its fixtures under the test's name."""
    COVERAGE.switch_context(item.nodeid)
    began = time.monotonic()
    result = yield
    SECONDS[item.nodeid] = round(time.monotonic() - began, 3)
    COVERAGE.switch_context("")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> Generator[None, object, object]:
    """Record a module fixture under the name of its file, because all tests of the file use it."""
    if fixturedef.scope not in ("module", "class"):
        return (yield)
    COVERAGE.switch_context(str(fixturedef.baseid or request._pyfuncitem.nodeid.partition("::")[0]))
    try:
        return (yield)
    finally:
        COVERAGE.switch_context(request._pyfuncitem.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record a test that fails without a change: its failure says nothing about a change."""
    if report.failed:
        FAILED.add(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Write the lines, seconds and failures of this process."""
    COVERAGE.stop()
    COVERAGE.save()
    PART.with_suffix(".json").write_text(
        json.dumps({"seconds": SECONDS, "failed": sorted(FAILED)}), encoding="utf-8"
    )
