"""The table of sentences names tests that exist: a renamed or deleted one must be renamed, or replaced, there too."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs" / "approval-and-budget-tests.md"
NAMED = re.compile(r"`(\S+\.py)::(test_\w+)`")


def test_every_row_names_a_test_that_exists() -> None:
    rows = [line for line in TABLE.read_text().splitlines() if line.startswith("| ") and not line.startswith("| sentence")]
    assert len(rows) > 50
    assert [row for row in rows if not NAMED.search(row)] == []
    gone = [f"{path}::{name}" for row in rows for path, name in NAMED.findall(row) if f"def {name}(" not in _text(path)]
    assert gone == []


def _text(path: str) -> str:
    file = ROOT / path
    return file.read_text() if file.exists() else ""
