"""Send a trial event while its owner waits, to see whether the address takes it and the signature is checked."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from apps.org.models import Account, Group
from apps.webhooks.enums import TEST_EVENT
from apps.webhooks.models import WebhookDelivery
from apps.webhooks.selectors.bodies import when
from apps.webhooks.selectors.webhooks import webhook_get
from apps.webhooks.services.deliveries_send import delivery_send_now


def webhook_test(*, actor: Account, pk: str) -> WebhookDelivery:
    """Return the delivery of a trial event as it ended; it is tried once, on a webhook that is off too.

    Raises:
        WebhookNotFound, Forbidden: there is none he may keep.
    """
    webhook, now = webhook_get(actor=actor, pk=pk), timezone.now()
    event_id = f"test_{secrets.token_hex(8)}"
    code = Group.objects.filter(pk=webhook.group_id).values_list("code", flat=True).get()
    data = {"Message": "这是一次测试推送，请校验签名后应答 200"}
    with transaction.atomic():
        row: WebhookDelivery = WebhookDelivery.objects.create(
            webhook=webhook,
            event_id=event_id,
            event=TEST_EVENT,
            payload={"Id": event_id, "Type": TEST_EVENT, "CreatedAt": when(now), "Group": code, "Data": data},
            tries_left=1,
            due_at=now,
        )
    delivery_send_now(delivery=row)
    ended: WebhookDelivery = WebhookDelivery.objects.get(pk=row.pk)
    return ended
