"""No event is sent twice, with several sending processes. If a sender is killed, nothing is
lost. With real processes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Generator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from apps.common.background.outbox import delivering
from apps.common.models.outbox import OutboxMessage
from apps.common.tenancy import platform_scope, tenant_scope
from apps.orders.models import Order
from apps.org.models import Account
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.services.delivery import delivery_replay, webhooks_send
from apps.webhooks.services.events import build_handler, deliveries_write
from apps.webhooks.services.webhook import webhook_create
from apps.webhooks.tests.receiver import Receiver, receiving
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def receiver(settings: Any) -> Generator[Receiver]:
    with receiving() as server:
        settings.WEBHOOK_INNER_HOSTS = [server.host]
        yield server


@pytest.fixture
def webhook(ga: Account, receiver: Receiver) -> Webhook:
    return webhook_create(
        actor=ga, fields={"name": "ERP", "url": receiver.url, "events": ["order"]}
    ).webhook


def send() -> int:
    with platform_scope(reason="test"):
        return webhooks_send()


def publish_event(order_no: str, group_id: int) -> None:
    with tenant_scope(group_id=group_id), delivering(OutboxMessage(pk=77)):
        build_handler("order.submitted")(order_no, {})


def test_event_handled_by_twenty_processes_is_sent_once(
    webhook: Webhook, receiver: Receiver, placed_order: Order
) -> None:
    run_race(
        [partial(publish_event, placed_order.order_no, placed_order.group_id) for _ in range(20)]
    )
    assert WebhookDelivery.objects.count() == 1

    run_race([send for _ in range(20)])

    assert [event["Id"] for event in receiver.events] == ["evt_77"]
    assert list(WebhookDelivery.objects.values_list("state", "attempts")) == [("delivered", 1)]


def test_one_of_twenty_concurrent_replays_is_done(
    webhook: Webhook, receiver: Receiver, ga: Account
) -> None:
    deliveries_write(
        [webhook], event_id="evt_1", event="order.paid", subject="SO1", data={"OrderNo": "SO1"}
    )
    send()
    row = WebhookDelivery.objects.get()

    outcomes = run_race(
        [
            partial(delivery_replay, actor=ga, pk=str(webhook.pk), delivery_id=str(row.pk))
            for _ in range(20)
        ]
    )
    run_race([send for _ in range(5)])

    assert sorted(outcome.code for outcome in outcomes) == ["", *["wrong_state"] * 19]
    assert len(receiver.got) == 2


def test_killed_webhook_sender_leaves_a_delivery_that_is_sent_again(
    webhook: Webhook, receiver: Receiver
) -> None:
    receiver.pause = 3.0
    deliveries_write(
        [webhook], event_id="evt_1", event="order.paid", subject="SO1", data={"OrderNo": "SO1"}
    )
    connections.close_all()
    process = multiprocessing.get_context("fork").Process(target=send)
    process.start()
    while not receiver.got:
        time.sleep(0.05)
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()
    receiver.pause = 0.0
    assert list(WebhookDelivery.objects.values_list("state", "attempts")) == [("sending", 1)]
    # Its claim runs out.
    WebhookDelivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))

    assert send() == 1
    assert [event["Id"] for event in receiver.events] == ["evt_1", "evt_1"]
    assert list(WebhookDelivery.objects.values_list("state", "attempts")) == [("delivered", 2)]
