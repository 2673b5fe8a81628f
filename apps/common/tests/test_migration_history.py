"""A database that stopped in the middle of the migrations of before is refused; one at their end, and an empty one, is not."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.checks import Tags, run_checks
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from apps.common import health
from apps.common.migration_history import halfway, halfway_check

pytestmark = pytest.mark.django_db
OLD = [old for migration in MigrationLoader(None).disk_migrations.values() for old in migration.replaces]
LAST_OF_ORDERS = ("orders", "0023_cost_center_index")


def errors() -> list[Any]:
    """Return what `migrate` is told before it begins."""
    return [error for error in run_checks(tags=[Tags.database], databases=["default"]) if error.id == "common.E001"]


def test_a_database_with_all_of_the_old_goes_on() -> None:
    MigrationRecorder(connection).migration_qs.filter(name__startswith="0001_order_heads").delete()
    assert errors() == []


def test_an_empty_database_begins() -> None:
    MigrationRecorder(connection).migration_qs.all().delete()
    assert errors() == []


def test_one_in_the_middle_of_the_old_is_told_what_to_do() -> None:
    MigrationRecorder(connection).record_unapplied(*LAST_OF_ORDERS)
    [error] = errors()
    assert "orders.0001_order_heads" in error.msg
    assert "883b6be" in error.hint


@pytest.mark.parametrize("app", sorted({app for app, _ in OLD}))
def test_wherever_an_app_stopped_it_is_seen(app: str) -> None:
    """Its first file stands for the first and the last of the old ones: each beginning of their chain is a part of that."""
    chain = sorted(name for label, name in OLD if label == app)
    recorder = MigrationRecorder(connection)
    for name in reversed(chain[1:]):
        recorder.record_unapplied(app, name)
        assert any(found.startswith(f"{app}.0001_") for found in halfway(connection)), name


def test_without_a_database_nothing_is_asked() -> None:
    assert halfway_check(databases=None) == []


def test_a_database_in_the_middle_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_migrated", False)
    MigrationRecorder(connection).record_unapplied(*LAST_OF_ORDERS)
    assert client.get("/readyz").json()["migrations"] == "waiting"
