"""Queues of the outbox, messages that failed finally, and their redelivery."""

from __future__ import annotations

from collections.abc import Generator
from datetime import timedelta
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.common import tasks
from apps.common.background import outbox as outbox_module
from apps.common.background.delivery import (
    MAX_ATTEMPTS,
    message_lock,
    outbox_deliver,
    outbox_replay,
)
from apps.common.background.outbox import (
    outbox_publish,
    published,
    published_bulk,
    register_outbox_handler,
)
from apps.common.background.queues import QUEUES, VISIBLE_AGAIN_SECONDS, Queue
from apps.common.errors import WrongState
from apps.common.models import OutboxMessage, RunnerLease
from apps.common.tenancy import platform_scope
from apps.org.models import Account, Group
from mall.celery import app as celery_app

LONG, SHORT = "test.long", "test.short"


@pytest.fixture
def received_messages() -> Generator[list[str]]:
    calls: list[str] = []

    @register_outbox_handler(LONG, queue=Queue.BULK)
    def long(key: str, payload: dict[str, Any]) -> None:
        calls.append(f"long {key}")
        if payload.get("hold"):
            OutboxMessage.objects.filter(key=key).update(
                available_at=timezone.now() - timedelta(seconds=1)
            )
            message_lock()
        if payload.get("fail"):
            raise RuntimeError("no")

    @register_outbox_handler(SHORT)
    def short(key: str, _payload: dict[str, Any]) -> None:
        calls.append(f"short {key}")

    yield calls
    for topic in (LONG, SHORT):
        outbox_module._handlers.pop(topic)
    outbox_module._queues.pop(LONG)


def test_queue_delivers_only_its_own_messages(group: Group, received_messages: list[str]) -> None:
    outbox_publish(topic=LONG, key="1")
    outbox_publish(topic=SHORT, key="2")
    assert outbox_deliver(queues=[Queue.INTERACTIVE, Queue.MAIL]) == 1
    assert received_messages == ["short 2"]
    assert outbox_deliver(queues=[Queue.BULK]) == 1
    assert received_messages == ["short 2", "long 1"]


def test_bulk_task_delivers_one_message_and_records_a_heartbeat(
    group: Group, received_messages: list[str]
) -> None:
    outbox_publish(topic=LONG, key="1")
    outbox_publish(topic=LONG, key="2")
    assert tasks.deliver_bulk() == 1
    assert received_messages == ["long 1"]
    assert RunnerLease.objects.filter(name="worker:bulk", expires_at__gt=timezone.now()).exists()


def test_bulk_message_wakes_only_the_bulk_thread(
    group: Group, received_messages: list[str], django_capture_on_commit_callbacks: Any
) -> None:
    published.clear()
    published_bulk.clear()
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        outbox_publish(topic=LONG)
        outbox_publish(topic=LONG)
    assert (len(callbacks), published.is_set(), published_bulk.is_set()) == (1, False, True)


def test_claim_lasts_for_the_seconds_of_the_handler(
    group: Group, received_messages: list[str]
) -> None:
    message = outbox_publish(topic=LONG, key="9", payload={"hold": True, "fail": True})
    OutboxMessage.objects.filter(pk=message.pk).update(attempts=1)
    seen: list[bool] = []

    @register_outbox_handler(LONG, queue=Queue.BULK)
    def look(_key: str, _payload: dict[str, Any]) -> None:
        seen.append(
            OutboxMessage.objects.get(pk=message.pk).available_at
            > timezone.now() + timedelta(seconds=50)
        )

    OutboxMessage.objects.filter(pk=message.pk).update(payload={"hold": True})
    outbox_deliver()
    assert seen == [True]


def test_dead_message_is_delivered_after_a_replay_by_staff(
    group: Group, received_messages: list[str], staff: Account
) -> None:
    message = outbox_publish(topic=LONG, key="1", payload={"fail": True})
    OutboxMessage.objects.filter(pk=message.pk).update(attempts=MAX_ATTEMPTS - 1)
    outbox_deliver()
    message.refresh_from_db()
    assert message.dead_at is not None
    OutboxMessage.objects.filter(pk=message.pk).update(available_at=timezone.now(), payload={})
    assert outbox_deliver() == 0
    outbox_replay(staff=staff, message_id=message.pk)
    assert outbox_deliver() == 1
    again = OutboxMessage.objects.get(pk=message.pk)
    assert (again.dead_at, again.attempts, again.delivered_at is not None) == (None, 1, True)
    entry = LogEntry.objects.get_for_object(again).get()
    assert (entry.actor_id, entry.changes) == (staff.pk, {"投递": ["失败", "重新投递"]})


def test_delivered_message_cannot_be_replayed(
    group: Group, received_messages: list[str], staff: Account
) -> None:
    message = outbox_publish(topic=SHORT)
    outbox_deliver()
    with pytest.raises(WrongState, match="无需重新投递"):
        outbox_replay(staff=staff, message_id=message.pk)


def test_admin_lists_dead_messages_and_replays_one(
    group: Group, received_messages: list[str], staff: Account
) -> None:
    message = outbox_publish(topic=LONG, key="EX9")
    OutboxMessage.objects.filter(pk=message.pk).update(
        dead_at=timezone.now(), attempts=MAX_ATTEMPTS, last_error="RuntimeError: no"
    )
    other = outbox_publish(topic=SHORT, key="EX10")
    client = Client()
    with platform_scope(reason="test: staff"):
        client.force_login(staff)
    page = client.get(
        reverse("admin:common_outboxmessage_changelist"), {"state": "dead"}
    ).content.decode()
    assert "EX9" in page
    assert other.key not in page
    client.get(f"/admin/common/outboxmessage/{message.pk}/replay/")
    message.refresh_from_db()
    assert message.attempts == MAX_ATTEMPTS  # a GET delivers nothing
    client.post(f"/admin/common/outboxmessage/{message.pk}/replay/", {"act": "1"})
    message.refresh_from_db()
    assert (message.dead_at, message.attempts) == (None, 0)


def test_each_task_has_its_queue_and_time_limits() -> None:
    for queue, rule in QUEUES.items():
        task = celery_app.tasks[rule.task]
        assert celery_app.amqp.router.route({}, rule.task)["queue"].name == queue.value
        assert (task.soft_time_limit, task.time_limit) == (rule.soft_seconds, rule.hard_seconds)
        assert rule.soft_seconds < rule.hard_seconds < VISIBLE_AGAIN_SECONDS
    assert {entry["task"] for entry in celery_app.conf.beat_schedule.values()} >= {
        rule.task for rule in QUEUES.values()
    }


def test_a_worker_that_dies_gives_its_task_back() -> None:
    conf = celery_app.conf
    assert (
        conf.task_acks_late,
        conf.task_reject_on_worker_lost,
        conf.worker_prefetch_multiplier,
    ) == (True, True, 1)
    assert conf.worker_max_memory_per_child == 400_000
