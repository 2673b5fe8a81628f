"""Create, change, test and delete webhooks. The secret is returned once, when it is created.
Each change is in the change history.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import refuse_stale
from apps.org.enums import ChangeAction
from apps.org.models import Account, Group
from apps.org.services.changes import change_record
from apps.org.services.group import group_lock
from apps.webhooks.enums import (
    MAX_WEBHOOKS,
    OLD_SECRET_LASTS,
    TEST_EVENT,
    DeliveryState,
    EventGroup,
)
from apps.webhooks.errors import AddressRefused, OtherTestUnderWay, UrlRefused, WebhooksFull
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.outgoing import create_seed, derive_secret, parse_address
from apps.webhooks.selectors import format_time, get_webhook, list_webhooks
from apps.webhooks.services.delivery import CLAIM, delivery_send_now
from apps.webhooks.services.events import SEND_TOPIC

LABELS = {
    "name": "名称",
    "url": "推送地址",
    "events": "订阅事件",
    "is_active": "启用",
    "secret": "签名密钥",
}
SUBJECT = "webhook"


@dataclass(frozen=True, slots=True)
class WebhookWithSecret:
    """A webhook and its new secret."""

    webhook: Webhook
    secret: str


@transaction.atomic
def webhook_create(*, actor: Account, fields: dict[str, Any]) -> WebhookWithSecret:
    """Create a webhook of the actor's group and return it with its secret, which is never returned
    again. `fields` are the values by model field.

    Raises:
        Forbidden: the actor's data scope is not the whole group.
        ValidationFailed: the mall does not send to that address.
        WrongState: the group has ten webhooks.
    """
    rows = list_webhooks(actor=actor)
    group_lock(actor=actor, pk=str(actor.group_id))
    if rows.count() >= MAX_WEBHOOKS:
        raise WebhooksFull(MAX_WEBHOOKS)
    refuse_address(fields["url"])
    seed = create_seed()
    webhook: Webhook = Webhook.objects.create(
        group_id=actor.group_id, owner=actor, secret_seed=seed, **fields
    )
    _record_change(actor, webhook, ChangeAction.CREATE, {}, _get_history_values(webhook))
    return WebhookWithSecret(webhook, derive_secret(seed))


@transaction.atomic
def webhook_update(
    *, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None
) -> Webhook:
    """Change a webhook and return it. Enabling it makes all waiting deliveries due. `changes` are
    the new values by model field.

    Raises:
        WebhookNotFound, Forbidden: the actor cannot manage it.
        Stale: somebody changed it since `seen_at`.
        ValidationFailed: the mall does not send to the new address.
    """
    webhook = _lock_webhook(actor, pk)
    refuse_stale(webhook, seen_at=seen_at)
    before = _get_history_values(webhook)
    if "url" in changes:
        refuse_address(changes["url"])
    for name, value in changes.items():
        setattr(webhook, name, value)
    if changes.get("is_active") or before["url"] != webhook.url:
        webhook.failures, webhook.rest_until = 0, None
    if "is_active" in changes:
        webhook.paused_reason = ""
    webhook.save()
    if webhook.is_active:
        webhook.deliveries.filter(state=DeliveryState.WAITING).update(due_at=timezone.now())
        outbox_publish(topic=SEND_TOPIC, key=str(webhook.pk))
    _record_change(actor, webhook, ChangeAction.UPDATE, before, _get_history_values(webhook))
    return webhook


@transaction.atomic
def webhook_rotate(*, actor: Account, pk: str) -> WebhookWithSecret:
    """Create a new secret and return it with the webhook. Deliveries carry both signatures for
    24 hours.

    Raises:
        WebhookNotFound, Forbidden: the actor cannot manage it.
    """
    webhook = _lock_webhook(actor, pk)
    webhook.old_seed, webhook.secret_seed = webhook.secret_seed, create_seed()
    webhook.old_seed_until = timezone.now() + OLD_SECRET_LASTS
    webhook.save(update_fields=["old_seed", "secret_seed", "old_seed_until", "updated_at"])
    _record_change(actor, webhook, ChangeAction.UPDATE, {}, {"secret": "已更换"})
    return WebhookWithSecret(webhook, derive_secret(webhook.secret_seed))


@transaction.atomic
def webhook_delete(*, actor: Account, pk: str) -> None:
    """Delete the webhook with its deliveries.

    Raises:
        WebhookNotFound, Forbidden: the actor cannot manage it.
    """
    webhook = _lock_webhook(actor, pk)
    _record_change(actor, webhook, ChangeAction.DELETE, _get_history_values(webhook), {})
    webhook.delete()


def _lock_webhook(actor: Account, pk: str) -> Webhook:
    webhook = get_webhook(actor=actor, pk=pk)
    locked: Webhook = (
        Webhook.objects.select_for_update(of=("self",), no_key=True)
        .select_related("owner")
        .get(pk=webhook.pk)
    )
    return locked


def refuse_address(url: str) -> None:
    try:
        parse_address(url)
    except AddressRefused as refused:
        raise UrlRefused(str(refused)) from refused


def _get_history_values(webhook: Webhook) -> dict[str, Any]:
    """Return the values of the webhook that its history compares."""
    events = [EventGroup(event).label for event in EventGroup.values if event in webhook.events]
    return {
        "name": webhook.name,
        "url": webhook.url,
        "events": events,
        "is_active": webhook.is_active,
    }


def _record_change(
    actor: Account,
    webhook: Webhook,
    action: ChangeAction,
    before: dict[str, Any],
    after: dict[str, Any],
) -> None:
    change_record(
        actor=actor,
        subject_type=SUBJECT,
        subject_id=webhook.pk,
        subject_name=webhook.name,
        action=action,
        before=before,
        after=after,
        labels=LABELS,
    )


UNENDED = (DeliveryState.WAITING, DeliveryState.SENDING)


def webhook_test(*, actor: Account, pk: str) -> WebhookDelivery:
    """Send a test event once, also to a disabled webhook, and return the ended delivery.

    Raises:
        WebhookNotFound, Forbidden: the actor cannot manage it.
        WrongState: another test of the group is running. Each test occupies a worker of the mall.
    """
    webhook, now = get_webhook(actor=actor, pk=pk), timezone.now()
    event_id = f"test_{secrets.token_hex(8)}"
    code = Group.objects.filter(pk=webhook.group_id).values_list("code", flat=True).get()
    data = {"Message": "这是一次测试推送，请校验签名后应答 200"}
    with transaction.atomic():
        group_lock(actor=actor, pk=str(webhook.group_id))
        if WebhookDelivery.objects.filter(
            event=TEST_EVENT, state__in=UNENDED, created_at__gt=now - CLAIM
        ).exists():
            raise OtherTestUnderWay
        row: WebhookDelivery = WebhookDelivery.objects.create(
            webhook=webhook,
            event_id=event_id,
            event=TEST_EVENT,
            payload={
                "Id": event_id,
                "Type": TEST_EVENT,
                "CreatedAt": format_time(now),
                "Group": code,
                "Data": data,
            },
            tries_left=1,
            due_at=now,
        )
    delivery_send_now(delivery=row)
    delivery: WebhookDelivery = WebhookDelivery.objects.get(pk=row.pk)
    return delivery
