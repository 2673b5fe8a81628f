"""A database of an earlier migration layout is refused, complete or not. An empty one is
accepted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.checks import Tags, run_checks
from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from apps.common import health
from apps.common.migration_history import find_half_migrated, halfway_check

pytestmark = pytest.mark.django_db
OLD_LAYOUT = ("orders", "0001_order_heads")
APPS = sorted(path.parents[1].name for path in Path("apps").glob("*/migrations/0001_schema.py"))


def list_errors() -> list[Any]:
    """Return the errors that `migrate` would report."""
    return [
        error
        for error in run_checks(tags=[Tags.database], databases=["default"])
        if error.id == "common.E001"
    ]


def make_old(app: str, *names: str) -> None:
    """Record migrations of these names as applied for the app."""
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app=app).delete()
    for name in names:
        recorder.record_applied(app, name)


def test_a_migrated_database_passes() -> None:
    assert list_errors() == []


def test_an_empty_database_passes() -> None:
    MigrationRecorder(connection).migration_qs.all().delete()
    assert list_errors() == []


def test_a_database_that_stopped_in_the_new_layout_passes() -> None:
    MigrationRecorder(connection).migration_qs.filter(app="org").exclude(
        name="0001_schema"
    ).delete()
    assert list_errors() == []


def test_a_database_of_the_old_layout_is_refused_with_a_hint() -> None:
    make_old(*OLD_LAYOUT)
    [error] = list_errors()
    assert "orders.0001_schema" in error.msg
    assert "make data" in error.hint
    assert "docs/operations.md" in error.hint


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("old", ["0001_initial", "0001_tables"])
def test_old_migration_layouts_are_recognised_in_every_app(app: str, old: str) -> None:
    make_old(app, old)
    assert find_half_migrated(connection) == [f"{app}.0001_schema"]


@pytest.mark.parametrize(
    ("applied", "is_refused"), [(["0001_a", "0002_b"], False), (["0001_a"], True)]
)
def test_squashed_first_migration_requires_all_replaced_migrations(
    applied: list[str], is_refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    squashed = Migration("0001_schema", "orders")
    squashed.replaces = [("orders", "0001_a"), ("orders", "0002_b")]

    def load_disk(self: MigrationLoader) -> None:
        self.disk_migrations = {("orders", "0001_schema"): squashed}

    monkeypatch.setattr(MigrationLoader, "load_disk", load_disk)
    make_old("orders", *applied)
    assert bool(find_half_migrated(connection)) is is_refused


def test_check_without_a_database_reports_no_problem() -> None:
    assert halfway_check(databases=None) == []


def test_a_database_of_the_old_layout_is_not_ready(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_migrated", False)
    make_old(*OLD_LAYOUT)
    assert client.get("/readyz").json()["migrations"] == "waiting"
