"""The selection for PostgreSQL: every pattern matches tests, and every test that asks for the
database's vendor is selected.
"""

import re
from pathlib import Path

import pytest

from tests import on_postgres

ROOT = Path(__file__).resolve().parents[2]
ASKS = re.compile(r"mark\.postgres\b|connection\.vendor")


def test_a_test_that_asks_for_the_database_runs_on_postgresql() -> None:
    chosen = [ROOT / path.partition("::")[0] for path in on_postgres.list_paths()]
    asking = [
        file
        for folder in ("apps", "demo")
        for file in (ROOT / folder).rglob("test_*.py")
        if ASKS.search(file.read_text("utf-8"))
    ]

    assert asking
    assert [
        file for file in asking if not any(file == path or path in file.parents for path in chosen)
    ] == []


def test_pattern_without_a_file_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        on_postgres, "ON_POSTGRES", {"renamed": ("apps/orders/tests/no_such_folder",)}
    )

    with pytest.raises(LookupError, match="no_such_folder"):
        on_postgres.list_paths()
