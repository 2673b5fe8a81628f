"""Keep the group's webhooks: the secret is told once, when it is made; each change is in the history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed, WrongState
from apps.common.stale import refuse_stale
from apps.org.enums import ChangeAction
from apps.org.models import Account
from apps.org.services.changes import change_record
from apps.org.services.group_update import group_lock
from apps.webhooks.enums import MOST_WEBHOOKS, OLD_SECRET_LASTS, DeliveryState, EventGroup
from apps.webhooks.errors import AddressRefused
from apps.webhooks.models import Webhook
from apps.webhooks.outgoing import address_checked
from apps.webhooks.selectors.webhooks import webhook_get, webhooks_of
from apps.webhooks.services.event_hear import SEND_TOPIC
from apps.webhooks.signing import new_seed, secret_of

LABELS = {"name": "名称", "url": "推送地址", "events": "订阅事件", "is_active": "启用", "secret": "签名密钥"}
SUBJECT = "webhook"


@dataclass(frozen=True, slots=True)
class Keyed:
    """A webhook and its new secret."""

    webhook: Webhook
    secret: str


@transaction.atomic
def webhook_create(*, actor: Account, fields: dict[str, Any]) -> Keyed:
    """Return a new webhook of the actor's group with its secret, which nobody is told again.

    Raises:
        Forbidden: his data scope is not the whole group.
        ValidationFailed: the mall sends nothing to that address.
        WrongState: there are ten already.
    """
    rows = webhooks_of(actor=actor)
    group_lock(actor=actor, pk=str(actor.group_id))
    if rows.count() >= MOST_WEBHOOKS:
        raise WrongState(f"每个集团最多设置 {MOST_WEBHOOKS} 个推送地址，请先删除不再使用的")
    _refuse_address(fields["url"])
    seed = new_seed()
    webhook: Webhook = Webhook.objects.create(group_id=actor.group_id, owner=actor, secret_seed=seed, **fields)
    _record(actor, webhook, ChangeAction.CREATE, {}, _told(webhook))
    return Keyed(webhook, secret_of(seed))


@transaction.atomic
def webhook_update(*, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None) -> Webhook:
    """Return the webhook with the changes; switched on again, all that waits is due at once.

    Raises:
        WebhookNotFound, Forbidden: there is none he may keep.
        Stale: somebody changed it since `seen_at`.
        ValidationFailed: the mall sends nothing to the new address.
    """
    webhook = _lock(actor, pk)
    refuse_stale(webhook, seen_at=seen_at)
    before = _told(webhook)
    if "url" in changes:
        _refuse_address(changes["url"])
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
    _record(actor, webhook, ChangeAction.UPDATE, before, _told(webhook))
    return webhook


@transaction.atomic
def webhook_rotate(*, actor: Account, pk: str) -> Keyed:
    """Return the webhook with a new secret; what is sent bears the old signature beside the new one for 24 hours.

    Raises:
        WebhookNotFound, Forbidden: there is none he may keep.
    """
    webhook = _lock(actor, pk)
    webhook.old_seed, webhook.secret_seed = webhook.secret_seed, new_seed()
    webhook.old_seed_until = timezone.now() + OLD_SECRET_LASTS
    webhook.save(update_fields=["old_seed", "secret_seed", "old_seed_until", "updated_at"])
    _record(actor, webhook, ChangeAction.UPDATE, {}, {"secret": "已更换"})
    return Keyed(webhook, secret_of(webhook.secret_seed))


@transaction.atomic
def webhook_delete(*, actor: Account, pk: str) -> None:
    """Delete it and all that was, or was to be, sent there.

    Raises:
        WebhookNotFound, Forbidden: there is none he may keep.
    """
    webhook = _lock(actor, pk)
    _record(actor, webhook, ChangeAction.DELETE, _told(webhook), {})
    webhook.delete()


def _lock(actor: Account, pk: str) -> Webhook:
    found = webhook_get(actor=actor, pk=pk)
    locked: Webhook = Webhook.objects.select_for_update(of=("self",), no_key=True).select_related("owner").get(pk=found.pk)
    return locked


def _refuse_address(url: str) -> None:
    try:
        address_checked(url)
    except AddressRefused as refused:
        raise ValidationFailed({"Url": [str(refused)]}) from refused


def _told(webhook: Webhook) -> dict[str, Any]:
    events = [EventGroup(event).label for event in EventGroup.values if event in webhook.events]
    return {"name": webhook.name, "url": webhook.url, "events": events, "is_active": webhook.is_active}


def _record(actor: Account, webhook: Webhook, action: ChangeAction, before: dict[str, Any], after: dict[str, Any]) -> None:
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
