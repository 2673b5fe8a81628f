"""The tables of sentences name tests that exist: a renamed or deleted one must be renamed, or replaced, there too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLES = sorted((ROOT / "docs").glob("*-tests.md"))
NAMED = re.compile(r"`(\S+\.py)::(test_\w+)`")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_every_row_names_a_test_that_exists(table: Path) -> None:
    rows = [line for line in table.read_text().splitlines() if line.startswith("| ") and not line.startswith("| sentence")]
    assert len(rows) > 15
    assert [row for row in rows if not NAMED.search(row)] == []
    gone = [f"{path}::{name}" for row in rows for path, name in NAMED.findall(row) if f"def {name}(" not in _text(path)]
    assert gone == []


def _text(path: str) -> str:
    file = ROOT / path
    return file.read_text() if file.exists() else ""
