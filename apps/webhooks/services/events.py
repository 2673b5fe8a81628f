"""Handle the outbox messages of other apps: write one delivery for each subscribed webhook,
once for each event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import Handler, delivering, get_message_number, outbox_publish
from apps.common.models import OutboxMessage
from apps.common.tenancy import get_current_scope, tenant_scope
from apps.org.models import Group
from apps.webhooks.enums import EVENTS, MAX_TRIES
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.selectors import (
    build_application_body,
    build_invoice_body,
    build_order_body,
    build_shipment_body,
    find_group_id,
    format_time,
    truncate_body,
)

SEND_TOPIC = "webhook.send"
Body = Callable[[str, dict[str, Any]], dict[str, Any]]


def _build_order_body(key: str, payload: dict[str, Any]) -> dict[str, Any]:
    return build_order_body(key, reason=str(payload.get("reason") or ""))


def _build_shipment_body(key: str, _payload: dict[str, Any]) -> dict[str, Any]:
    return build_shipment_body(key)


def _build_invoice_body(key: str, _payload: dict[str, Any]) -> dict[str, Any]:
    return build_invoice_body(key)


def _build_application_body(key: str, _payload: dict[str, Any]) -> dict[str, Any]:
    return build_application_body(key)


def _build_terms_body(key: str, payload: dict[str, Any]) -> dict[str, Any]:
    """Return the body of an event about the terms of an agreement. `key` is the agreement's
    code.
    """
    enterprise_id = payload.get("EnterpriseId")
    return {
        "AgreementCode": key,
        "Title": payload.get("Title", ""),
        "Text": payload.get("Text", ""),
        "EnterpriseId": str(enterprise_id) if enterprise_id else None,
        "ProductCodes": payload.get("ProductCodes") or [],
    }


# {outbox topic: (Type for the receiver, function that builds the body)}
TOPICS: dict[str, tuple[str, Body]] = {
    **{name: (name, _build_order_body) for name in EVENTS if name.startswith("order.")},
    "order.shipped": ("shipment.shipped", _build_shipment_body),
    "order.received": ("shipment.received", _build_shipment_body),
    "invoice.issued": ("invoice.issued", _build_invoice_body),
    "invoice.rejected": ("invoice.rejected", _build_application_body),
    "terms.changed": ("price.changed", _build_terms_body),
    "terms.ending": ("price.ending", _build_terms_body),
}


def build_handler(topic: str) -> Handler:
    """Return the outbox handler of a topic. It runs in the scope of the event's group."""
    event, _ = TOPICS[topic]

    def handle(key: str, payload: dict[str, Any]) -> None:
        """Write a delivery to each active webhook of the group that wants the event."""
        # An event published in the platform's scope still belongs to one group.
        group_id = get_current_scope().group_id or find_group_id(event, key)
        if group_id is None:
            return
        with tenant_scope(group_id=group_id):
            _event_write(topic, key, payload, _list_open_webhooks())

    return handle


def handle_event_batch(messages: Sequence[OutboxMessage]) -> None:
    """Write the deliveries of several messages of one group, whose webhooks are read once."""
    open_webhooks = _list_open_webhooks()
    for message in messages if open_webhooks else ():
        with delivering(message):
            _event_write(message.topic, message.key, message.payload, open_webhooks)


def _event_write(
    topic: str, key: str, payload: dict[str, Any], open_webhooks: list[Webhook]
) -> None:
    """Write a delivery to each of the webhooks that wants the event of the topic."""
    event, build_body = TOPICS[topic]
    wanting = [webhook for webhook in open_webhooks if EVENTS[event] in webhook.events]
    data = build_body(key, payload) if wanting else {}
    if data:
        deliveries_write(
            wanting, event_id=f"evt_{get_message_number()}", event=event, subject=key, data=data
        )


def _list_open_webhooks() -> list[Webhook]:
    return [webhook for webhook in Webhook.objects.order_by("pk") if _is_on(webhook)]


def _is_on(webhook: Webhook) -> bool:
    """Return whether events are stored for the webhook. A webhook paused by the mall gets them
    when it is enabled again; one switched off by a person does not.
    """
    return webhook.is_active or bool(webhook.paused_reason)


@transaction.atomic
def deliveries_write(
    webhooks: list[Webhook], *, event_id: str, event: str, subject: str, data: dict[str, Any]
) -> None:
    """Write a delivery of the event for each webhook that has none yet, and trigger sending."""
    now = timezone.now()
    code = Group.objects.filter(pk=webhooks[0].group_id).values_list("code", flat=True).get()
    payload = truncate_body(
        {"Id": event_id, "Type": event, "CreatedAt": format_time(now), "Group": code, "Data": data}
    )
    rows = [
        WebhookDelivery(
            group_id=webhook.group_id,
            webhook=webhook,
            event_id=event_id,
            event=event,
            subject=subject,
            payload=payload,
            tries_left=MAX_TRIES,
            due_at=now,
        )
        for webhook in webhooks
    ]
    WebhookDelivery.objects.bulk_create(rows, ignore_conflicts=True)
    outbox_publish(topic=SEND_TOPIC, key=event_id)
