"""/healthz, /readyz and /metrics."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from apps.common import health
from apps.common.background.heartbeats import record_heartbeat
from apps.common.background.queues import Queue
from apps.common.models import RunnerLease


@pytest.fixture(autouse=True)
def _unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_migrated", False)


def test_the_process_lives_without_a_database(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


def test_a_migrated_database_is_ready(client: Client, db: None) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "ok", "database": "ok", "migrations": "ok"},
    )


def test_a_waiting_migration_is_not_ready(client: Client, db: None) -> None:
    loader = MigrationLoader(connection)
    [leaf] = loader.graph.leaf_nodes("common")
    for app, name in (leaf, *loader.disk_migrations[leaf].replaces):
        MigrationRecorder(connection).record_unapplied(app, name)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["migrations"]) == (503, "waiting")


def test_a_database_that_is_away_is_not_ready(client: Client) -> None:
    answer = client.get("/readyz")  # no `db` fixture: the view cannot reach a database
    assert (answer.status_code, answer.json()["database"]) == (503, "away")


def test_metrics_are_for_the_inside(client: Client) -> None:
    assert b"python_info" in client.get("/metrics").content


def test_metrics_are_not_for_the_outside(client: Client) -> None:
    assert client.get("/metrics", REMOTE_ADDR="1.2.3.4").status_code == 404


def test_metrics_are_for_a_listed_network(client: Client, settings: Any) -> None:
    settings.METRICS_ALLOWED_IPS = ["10.0.0.0/8"]
    assert client.get("/metrics", REMOTE_ADDR="10.1.2.3").status_code == 200


def test_with_a_broker_it_says_which_workers_answer(
    client: Client, db: None, settings: Any
) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    record_heartbeat(Queue.BULK)
    record_heartbeat(Queue.MAIL)
    RunnerLease.objects.filter(name="worker:mail").update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["workers"] == {"interactive": "silent", "mail": "silent", "bulk": "ok"}
