"""The outbox and the periodic jobs."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from datetime import timedelta
from typing import Any

import kombu.utils.functional
import pytest
from celery import Celery
from django.db import transaction
from django.utils import timezone

from apps.common.background import delivery
from apps.common.background import outbox as outbox_module
from apps.common.background.delivery import outbox_deliver, pause_after, purge_delivered
from apps.common.background.outbox import (
    nudge,
    outbox_gathered,
    outbox_publish,
    outbox_publish_all,
    published,
    register_outbox_handler,
)
from apps.common.models import OutboxMessage
from apps.common.tenancy import Scope, get_current_scope, no_scope, tenant_scope
from apps.common.testing import CLAIM_QUERIES, assert_queries
from apps.org.models import Group
from apps.org.tests.factories import GroupFactory
from mall.celery import app as celery_app

TOPIC = "test.happened"


@pytest.fixture
def received_messages() -> Generator[list[Any]]:
    """The calls of the topic's handler: key, payload and scope."""
    calls: list[Any] = []

    @register_outbox_handler(TOPIC)
    def listen(key: str, payload: dict[str, Any]) -> None:
        calls.append((key, payload, get_current_scope()))
        if payload.get("fail"):
            raise RuntimeError("no")

    yield calls
    outbox_module._handlers.pop(TOPIC)


def test_a_message_is_delivered_in_the_scope_of_its_writer(
    group: Group, received_messages: list[Any]
) -> None:
    outbox_publish(topic=TOPIC, key="SO1", payload={"n": 1})
    with no_scope():
        assert outbox_deliver() == 1
    assert received_messages == [("SO1", {"n": 1}, Scope(group_id=group.pk))]


def test_a_message_of_the_platform_is_delivered_in_the_platforms_scope(
    platform: None, received_messages: list[Any]
) -> None:
    outbox_publish(topic=TOPIC)
    outbox_deliver()
    assert received_messages[0][2] == Scope(group_id=None, platform_reason=f"outbox {TOPIC}")


def test_a_delivered_message_is_not_delivered_again(
    group: Group, received_messages: list[Any]
) -> None:
    outbox_publish(topic=TOPIC)
    outbox_deliver()
    assert outbox_deliver() == 0
    assert len(received_messages) == 1


def test_a_failed_message_keeps_its_error_and_rests(
    group: Group, received_messages: list[Any]
) -> None:
    message = outbox_publish(topic=TOPIC, payload={"fail": True})
    outbox_deliver()
    message.refresh_from_db()
    assert message.last_error == "RuntimeError: no"
    assert message.delivered_at is None
    assert message.available_at > timezone.now() + timedelta(seconds=4)


def test_a_failed_message_is_tried_again_after_its_rest(
    group: Group, received_messages: list[Any]
) -> None:
    message = outbox_publish(topic=TOPIC, payload={"fail": True})
    outbox_deliver()
    OutboxMessage.objects.filter(pk=message.pk).update(available_at=timezone.now(), payload={})
    outbox_deliver()
    message.refresh_from_db()
    assert message.attempts == 2
    assert message.delivered_at is not None


def test_a_failed_message_does_not_hold_up_the_next(
    group: Group, received_messages: list[Any]
) -> None:
    outbox_publish(topic=TOPIC, key="first", payload={"fail": True})
    outbox_publish(topic=TOPIC, key="second")
    assert outbox_deliver() == 2
    assert [call[0] for call in received_messages] == ["first", "second"]


def test_twenty_messages_take_a_claim_and_a_query_without_their_handlers(
    group: Group, received_messages: list[Any]
) -> None:
    outbox_publish_all(topic=TOPIC, messages=[(str(number), {}) for number in range(20)])
    with assert_queries(CLAIM_QUERIES + 1):  # nothing more is due
        assert outbox_deliver() == 20
    assert [call[0] for call in received_messages] == [str(number) for number in range(20)]


def test_delivered_messages_are_marked_once_the_batch_is_full(
    group: Group, received_messages: list[Any]
) -> None:
    for key in ("first", "second", "third"):
        outbox_publish(topic=TOPIC, key=key)
    assert outbox_deliver(batch=2) == 2
    open_messages = OutboxMessage.objects.filter(delivered_at=None)
    assert list(open_messages.values_list("key", flat=True)) == ["third"]


def test_message_whose_claim_expired_during_its_delivery_is_delivered_once(
    group: Group, received_messages: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "CLAIM", timedelta(0))
    message = outbox_publish(topic=TOPIC)
    assert outbox_deliver() == 1
    message.refresh_from_db()
    assert (message.attempts, message.delivered_at is None) == (1, False)


def test_claimed_message_without_a_start_counts_no_attempt(
    group: Group, received_messages: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "WORK_SECONDS", -1.0)
    for key in ("first", "second", "third"):
        outbox_publish(topic=TOPIC, key=key)
    assert outbox_deliver() == 3
    # One attempt each: a claimed message that the worker did not start is not an attempt.
    assert [call[0] for call in received_messages] == ["first", "second", "third"]
    assert set(OutboxMessage.objects.values_list("attempts", flat=True)) == {1}


def test_message_of_a_dead_worker_is_due_after_its_claim_expires(
    group: Group, received_messages: list[Any]
) -> None:
    message = outbox_publish(topic=TOPIC)
    OutboxMessage.objects.filter(pk=message.pk).update(
        attempts=1, available_at=timezone.now() + timedelta(seconds=60)
    )
    assert outbox_deliver() == 0
    OutboxMessage.objects.filter(pk=message.pk).update(available_at=timezone.now())
    assert outbox_deliver() == 1


def test_rolled_back_transaction_publishes_no_message(group: Group) -> None:
    with transaction.atomic():
        outbox_publish(topic=TOPIC)
        transaction.set_rollback(True)
    assert OutboxMessage.objects.count() == 0


def test_a_commit_wakes_the_runner_once(
    group: Group, django_capture_on_commit_callbacks: Any
) -> None:
    published.clear()
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        outbox_publish(topic=TOPIC)
        outbox_publish(topic=TOPIC)
    assert len(callbacks) == 1
    assert published.is_set()


@pytest.mark.parametrize("broker", ["amqp://127.0.0.1:1//", "redis://127.0.0.1:1/0"])
def test_unavailable_broker_costs_one_try_without_waiting(
    settings: Any, monkeypatch: pytest.MonkeyPatch, broker: str
) -> None:
    settings.CELERY_BROKER_URL = broker
    waited: list[float] = []
    monkeypatch.setattr(kombu.utils.functional, "sleep", waited.append)
    monkeypatch.setattr(outbox_module, "_broker_back_at", 0.0)
    away = Celery("away", broker=broker, set_as_current=True)
    away.conf.broker_transport_options = celery_app.conf.broker_transport_options
    try:
        nudge()
    finally:
        celery_app.set_current()
    assert waited == []
    assert outbox_module._broker_back_at > time.monotonic()


def test_the_rest_doubles_up_to_an_hour() -> None:
    assert [pause_after(n).total_seconds() for n in (1, 2, 3, 20)] == [5, 10, 20, 3600]


def test_messages_delivered_over_30_days_ago_are_purged(group: Group) -> None:
    old = outbox_publish(topic=TOPIC)
    recent = outbox_publish(topic=TOPIC)
    OutboxMessage.objects.filter(pk=old.pk).update(delivered_at=timezone.now() - timedelta(days=31))
    assert purge_delivered() == 1
    assert OutboxMessage.objects.get() == recent


@pytest.fixture
def gathered() -> Generator[list[list[str]]]:
    """The keys of each batch of the topic's batch handler, and a list of one for each call of its
    handler.
    """
    calls: list[list[str]] = []

    def listen_to_all(messages: Sequence[OutboxMessage]) -> None:
        calls.append([message.key for message in messages])
        if any(message.payload.get("fail") for message in messages):
            raise RuntimeError("no")

    @register_outbox_handler(TOPIC, batch=listen_to_all)
    def listen(key: str, payload: dict[str, Any]) -> None:
        calls.append([key])
        if payload.get("fail"):
            raise RuntimeError("no")

    yield calls
    outbox_module._handlers.pop(TOPIC)
    outbox_module._batch_handlers.pop(listen)


def test_batch_handler_gets_the_messages_of_one_group_together(
    group: Group, gathered: list[list[str]]
) -> None:
    for key in ("a1", "a2"):
        outbox_publish(topic=TOPIC, key=key)
    with tenant_scope(group_id=GroupFactory().pk):
        for key in ("b1", "b2"):
            outbox_publish(topic=TOPIC, key=key)
    outbox_publish(topic=TOPIC, key="a3")
    with no_scope():
        assert outbox_deliver() == 5
    assert gathered == [["a1", "a2", "a3"], ["b1", "b2"]]


def test_a_message_without_company_is_handled_by_itself(
    group: Group, gathered: list[list[str]]
) -> None:
    outbox_publish(topic=TOPIC, key="alone")
    outbox_deliver()
    assert gathered == [["alone"]]
    assert OutboxMessage.objects.get().delivered_at is not None


def test_platform_messages_are_handled_individually(
    platform: None, gathered: list[list[str]]
) -> None:
    for key in ("first", "second"):
        outbox_publish(topic=TOPIC, key=key)
    outbox_deliver()
    assert gathered == [["first"], ["second"]]


def test_failed_message_of_a_batch_is_retried_individually(
    group: Group, gathered: list[list[str]]
) -> None:
    for key, payload in (("good", {}), ("bad", {"fail": True}), ("fine", {})):
        outbox_publish(topic=TOPIC, key=key, payload=payload)
    outbox_deliver()
    assert gathered == [["good", "bad", "fine"], ["good"], ["bad"], ["fine"]]
    undelivered = OutboxMessage.objects.filter(delivered_at=None)
    assert list(undelivered.values_list("key", "last_error")) == [("bad", "RuntimeError: no")]

    gathered.clear()
    undelivered.update(available_at=timezone.now())
    for key in ("third", "fourth"):
        outbox_publish(topic=TOPIC, key=key)
    outbox_deliver()
    assert gathered == [["third", "fourth"], ["bad"]]


def test_gathered_messages_are_written_with_one_query(
    group: Group, received_messages: list[Any]
) -> None:
    with assert_queries(1), outbox_gathered():
        outbox_publish(topic=TOPIC, key="first")
        with outbox_gathered():
            outbox_publish(topic=TOPIC, key="second")
        outbox_publish(topic=TOPIC, key="third")
    outbox_deliver()
    assert [call[0] for call in received_messages] == ["first", "second", "third"]


def test_a_block_that_fails_writes_no_message(group: Group) -> None:
    def publish_and_fail() -> None:
        with outbox_gathered():
            outbox_publish(topic=TOPIC)
            raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        publish_and_fail()
    outbox_publish(topic=TOPIC, key="after")
    assert list(OutboxMessage.objects.values_list("key", flat=True)) == ["after"]
