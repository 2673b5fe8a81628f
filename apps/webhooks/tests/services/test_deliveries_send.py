"""Sending: content, signature, retries and pausing."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.background.outbox import list_handlers
from apps.common.errors import WrongState
from apps.common.models.outbox import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.notices.models import Notice
from apps.orders.models import Order
from apps.org.models import Account, Group
from apps.webhooks.enums import MAX_BYTES, PAUSE_AFTER, PAUSES, DeliveryState
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.outgoing import derive_secret
from apps.webhooks.selectors import as_bytes, truncate_body
from apps.webhooks.services.delivery import deliveries_purge, delivery_replay, webhooks_send
from apps.webhooks.services.events import deliveries_write
from apps.webhooks.services.webhook import webhook_create, webhook_rotate, webhook_update
from apps.webhooks.tests.receiver import Receiver


def make(webhook: Webhook, number: int = 1) -> WebhookDelivery:
    deliveries_write(
        [webhook],
        event_id=f"evt_{number}",
        event="order.paid",
        subject=f"SO{number}",
        data={"OrderNo": f"SO{number}"},
    )
    row: WebhookDelivery = WebhookDelivery.objects.get(webhook=webhook, event_id=f"evt_{number}")
    return row


def send() -> int:
    with platform_scope(reason="test"):
        return webhooks_send()


def make_due() -> None:
    """Make all waiting deliveries due."""
    long_ago = timezone.now() - timedelta(days=1)
    WebhookDelivery.objects.filter(state__in=["waiting", "sending"]).update(due_at=long_ago)
    Webhook.objects.update(rest_until=None)


def reload(row: Any) -> Any:
    return type(row).objects.get(pk=row.pk)


def verify_signature(secret: str, header: str, body: bytes) -> bool:
    parts = [part.split("=", 1) for part in header.split(",")]
    at = next(value for key, value in parts if key == "t")
    signature = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(value, signature) for key, value in parts if key == "v1")


def test_a_delivery_is_sent_once_and_written_down(webhook: Webhook, receiver: Receiver) -> None:
    row = make(webhook)

    assert (send(), send()) == (1, 0)

    row = reload(row)
    assert (row.state, row.attempts, row.status_code, row.answer, row.error) == (
        "delivered",
        1,
        200,
        "ok",
        "",
    )
    assert len(receiver.got) == 1
    assert [(one["StatusCode"], one["Error"]) for one in row.tries] == [(200, "")]


def test_the_signature_is_that_of_the_secret_over_time_and_body(
    ga: Account, receiver: Receiver
) -> None:
    keyed = webhook_create(
        actor=ga, fields={"name": "ERP", "url": receiver.url, "events": ["order"]}
    )
    make(keyed.webhook)
    send()
    headers, body = receiver.got[0]

    assert verify_signature(keyed.secret, headers["X-Mall-Signature"], body)
    assert not verify_signature(keyed.secret, headers["X-Mall-Signature"], body + b" ")
    assert not verify_signature("whsec_other", headers["X-Mall-Signature"], body)
    assert (headers["X-Mall-Event"], headers["X-Mall-Event-Id"], headers["X-Mall-Attempt"]) == (
        "order.paid",
        "evt_1",
        "1",
    )


def test_for_a_day_after_a_change_both_secrets_are_good(
    webhook: Webhook, receiver: Receiver, ga: Account
) -> None:
    old = derive_secret(webhook.secret_seed)
    new = webhook_rotate(actor=ga, pk=str(webhook.pk)).secret
    make(webhook, 1)
    send()
    Webhook.objects.update(old_seed_until=timezone.now() - timedelta(seconds=1))
    make(webhook, 2)
    send()

    good = [
        [verify_signature(secret, headers["X-Mall-Signature"], body) for secret in (old, new)]
        for headers, body in receiver.got
    ]
    assert good == [[True, True], [False, True]]


def test_a_failure_is_tried_again_after_a_growing_pause(
    webhook: Webhook, receiver: Receiver
) -> None:
    receiver.answers = [(500, b"down")]
    row = make(webhook)
    pauses = []
    for _ in range(8):
        make_due()
        Webhook.objects.update(is_active=True)
        began = timezone.now()
        assert send() == 1
        row = reload(row)
        pauses.append(round((row.due_at - began).total_seconds()))

    assert pauses[:7] == [int(pause.total_seconds()) for pause in PAUSES]
    assert (row.state, row.attempts, row.status_code, row.error) == (
        "failed",
        8,
        500,
        "对方应答 500，须应答 2xx 才算送达",
    )
    make_due()
    assert send() == 0


def test_failed_delivery_is_not_sent_before_its_retry_time(
    webhook: Webhook, receiver: Receiver
) -> None:
    receiver.answers = [(500, b"")]
    make(webhook)

    assert (send(), send(), len(receiver.got)) == (1, 0, 1)


def test_while_a_webhook_fails_one_of_its_deliveries_tries_for_all(
    webhook: Webhook, receiver: Receiver
) -> None:
    receiver.answers = [(500, b"")]
    Webhook.objects.update(failures=1)
    for number in range(6):
        make(webhook, number)

    assert (send(), len(receiver.got)) == (1, 1)


def test_webhook_is_paused_after_ten_failures_with_a_notice_to_its_owner(
    webhook: Webhook, receiver: Receiver, ga: Account
) -> None:
    receiver.answers = [(503, b"")]
    for number in range(PAUSE_AFTER):
        make(webhook, number)
        make_due()
        send()
    webhook = reload(webhook)
    OutboxMessage.objects.exclude(topic="webhook.paused").delete()
    outbox_deliver()

    assert (webhook.is_active, webhook.failures) == (False, 10)
    assert webhook.paused_reason == "连续 10 次推送失败：对方应答 503，须应答 2xx 才算送达"
    notice = Notice.objects.get(kind="webhook_paused")
    assert (notice.recipient, notice.title, notice.link) == (
        ga,
        "事件推送“ERP”已自动暂停",
        "/userCenter/management/group",
    )


def test_events_of_a_disabled_group_are_sent_after_enabling(
    webhook: Webhook, receiver: Receiver
) -> None:
    make(webhook, 1)
    Group.objects.update(is_active=False)
    make(webhook, 2)
    assert (send(), len(receiver.got)) == (0, 0)
    assert {(row.state_text, row.attempts) for row in WebhookDelivery.objects.all()} == {
        ("待推送（集团已停用）", 0)
    }

    Group.objects.update(is_active=True)

    assert (send(), len(receiver.got)) == (2, 2)
    assert {row.state_text for row in WebhookDelivery.objects.all()} == {"已送达"}


def test_deliveries_of_a_paused_webhook_are_sent_after_reactivation(
    webhook: Webhook, receiver: Receiver, ga: Account
) -> None:
    Webhook.objects.update(is_active=False, paused_reason="连续 10 次推送失败", failures=10)
    row = make(webhook)
    assert send() == 0

    webhook_update(actor=ga, pk=str(webhook.pk), changes={"is_active": True})

    assert (send(), reload(row).state, reload(webhook).failures) == (1, "delivered", 0)


def test_a_success_ends_the_row_of_failures(webhook: Webhook, receiver: Receiver) -> None:
    receiver.answers = [(500, b""), (200, b"")]
    make(webhook)
    send()
    assert reload(webhook).failures == 1
    make_due()
    send()

    assert (reload(webhook).failures, reload(webhook).rest_until) == (0, None)


def test_delivery_of_a_dead_worker_is_sent_after_its_claim(
    webhook: Webhook, receiver: Receiver
) -> None:
    row = make(webhook)
    WebhookDelivery.objects.update(
        state=DeliveryState.SENDING, attempts=1, due_at=timezone.now() + timedelta(seconds=60)
    )
    assert send() == 0
    make_due()

    assert (send(), reload(row).state, reload(row).attempts) == (1, "delivered", 2)


def test_a_slow_server_holds_up_no_other(webhook: Webhook, receiver: Receiver, ga: Account) -> None:
    receiver.pause = 0.5
    for number in range(4):
        make(webhook, number)
    began = timezone.now()
    send()

    assert len(receiver.got) == 4
    assert timezone.now() - began < timedelta(seconds=1.5)


def test_large_body_is_truncated_and_marked() -> None:
    whole = {
        "Id": "evt_1",
        "Data": {"OrderNo": "SO1", "Lines": [{"Name": "签字笔" * 40} for _ in range(1000)]},
    }

    body = truncate_body(whole)

    assert len(as_bytes(body)) <= MAX_BYTES
    assert (body["IsTruncated"], body["Data"]["OrderNo"], len(body["Data"]["Lines"])) == (
        True,
        "SO1",
        125,
    )


def test_a_month_later_a_delivery_is_gone(webhook: Webhook) -> None:
    make(webhook, 1)
    make(webhook, 2)
    WebhookDelivery.objects.filter(event_id="evt_1").update(
        created_at=timezone.now() - timedelta(days=31)
    )

    with platform_scope(reason="test"):
        assert deliveries_purge() == 1
    assert WebhookDelivery.objects.get().event_id == "evt_2"


def test_the_secret_is_not_in_the_table(webhook: Webhook) -> None:
    row = Webhook.objects.values().get()

    assert derive_secret(webhook.secret_seed) not in {str(value) for value in row.values()}


@pytest.mark.parametrize(
    "topic", ["order.submitted", "order.shipped", "invoice.issued", "terms.changed"]
)
def test_the_topics_are_heard(topic: str) -> None:
    assert any("webhooks" in handler.__module__ for handler in list_handlers(topic))


def test_order_events_are_delivered_from_submit_to_shipment(
    webhook: Webhook, receiver: Receiver, shipped_order: Order
) -> None:
    outbox_deliver()
    make_due()
    send()

    texts_by_key = {event["Type"]: event for event in receiver.events}
    assert set(texts_by_key) == {"order.submitted", "order.confirmed", "shipment.shipped"}
    assert texts_by_key["order.submitted"]["Data"]["Amounts"]["Total"] == "20.00"
    shipment = texts_by_key["shipment.shipped"]["Data"]["Shipments"][0]
    assert (shipment["TrackingNo"], shipment["Lines"][0]["Quantity"]) == ("SF0001", 2)
    assert {event["Group"] for event in receiver.events} == {"YF"}


def test_a_delivery_of_a_disabled_address_is_not_replayed(ga: Account, webhook: Webhook) -> None:
    delivery = make(webhook)
    WebhookDelivery.objects.update(state=DeliveryState.FAILED, ended_at=timezone.now())
    Webhook.objects.update(is_active=False)

    with pytest.raises(WrongState, match="该推送地址已停用"):
        delivery_replay(actor=ga, pk=str(webhook.pk), delivery_id=str(delivery.pk))
    assert WebhookDelivery.objects.get().state == DeliveryState.FAILED


def test_a_replayed_delivery_is_sent_again(
    ga: Account, webhook: Webhook, receiver: Receiver
) -> None:
    delivery = make(webhook)
    send()
    outbox_deliver()

    delivery_replay(actor=ga, pk=str(webhook.pk), delivery_id=str(delivery.pk))
    outbox_deliver()

    assert [event["Id"] for event in receiver.events] == ["evt_1", "evt_1"]
