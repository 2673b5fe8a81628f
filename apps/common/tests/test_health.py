"""/healthz, /readyz and /metrics."""

from __future__ import annotations

from datetime import timedelta
from threading import Event
from threading import enumerate as enumerate_threads
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone

from apps.common import health, tasks
from apps.common.background import leases
from apps.common.background.leases import record_heartbeat
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


def test_unavailable_database_is_not_ready(client: Client) -> None:
    answer = client.get("/readyz")  # no `db` fixture: the view cannot reach a database
    assert (answer.status_code, answer.json()["database"]) == (503, "away")


def test_metrics_are_for_the_inside(client: Client) -> None:
    assert b"python_info" in client.get("/metrics").content


def test_metrics_are_not_for_the_outside(client: Client) -> None:
    assert client.get("/metrics", REMOTE_ADDR="1.2.3.4").status_code == 404


def test_metrics_are_for_a_listed_network(client: Client, settings: Any) -> None:
    settings.METRICS_ALLOWED_IPS = ["10.0.0.0/8"]
    assert client.get("/metrics", REMOTE_ADDR="10.1.2.3").status_code == 200


def test_readiness_lists_the_workers_that_respond(client: Client, db: None, settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    record_heartbeat(Queue.BULK)
    record_heartbeat(Queue.MAIL)
    RunnerLease.objects.filter(name="worker:mail").update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["workers"] == {"interactive": "silent", "mail": "silent", "bulk": "ok"}


def test_a_worker_beats_while_a_long_task_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    beats: list[Queue] = []
    third = Event()

    def record(queue: Queue) -> None:
        beats.append(queue)
        if len(beats) == 3:
            third.set()

    def long_task(*, batch: int, queues: list[Queue]) -> int:
        assert third.wait(60)
        return batch

    monkeypatch.setattr(leases, "BEAT_SECONDS", 0)
    monkeypatch.setattr(leases, "record_heartbeat", record)
    monkeypatch.setattr(tasks, "outbox_deliver", long_task)

    assert tasks.deliver_bulk() == 1
    assert set(beats) == {Queue.BULK}
    assert not [thread for thread in enumerate_threads() if thread.name == "heartbeat"]


def test_a_heartbeat_that_the_database_refuses_ends_no_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    beats: list[Queue] = []
    again = Event()

    def record(queue: Queue) -> None:
        beats.append(queue)
        if len(beats) == 3:
            again.set()
        if len(beats) == 2:
            raise OperationalError

    monkeypatch.setattr(leases, "BEAT_SECONDS", 0)
    monkeypatch.setattr(leases, "record_heartbeat", record)

    with leases.heartbeats(Queue.MAIL):
        assert again.wait(60)


def test_the_heartbeat_stays_within_the_time_of_silence() -> None:
    assert leases.SILENT_AFTER.total_seconds() > leases.BEAT_SECONDS * 2
