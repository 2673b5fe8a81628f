"""Send a trial event while its owner waits, to see whether the address takes it and the signature is checked."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from apps.common.errors import WrongState
from apps.org.models import Account, Group
from apps.org.services.group_update import group_lock
from apps.webhooks.enums import TEST_EVENT, DeliveryState
from apps.webhooks.models import WebhookDelivery
from apps.webhooks.selectors.bodies import when
from apps.webhooks.selectors.webhooks import webhook_get
from apps.webhooks.services.deliveries_send import CLAIM, delivery_send_now

UNDER_WAY = (DeliveryState.WAITING, DeliveryState.SENDING)


def webhook_test(*, actor: Account, pk: str) -> WebhookDelivery:
    """Return the delivery of a trial event as it ended; it is tried once, on a webhook that is off too.

    Raises:
        WebhookNotFound, Forbidden: there is none he may keep.
        WrongState: another trial of the group is on its way: each waits for a partner's server, and keeps a place of the mall's own.
    """
    webhook, now = webhook_get(actor=actor, pk=pk), timezone.now()
    event_id = f"test_{secrets.token_hex(8)}"
    code = Group.objects.filter(pk=webhook.group_id).values_list("code", flat=True).get()
    data = {"Message": "这是一次测试推送，请校验签名后应答 200"}
    with transaction.atomic():
        group_lock(actor=actor, pk=str(webhook.group_id))
        if WebhookDelivery.objects.filter(event=TEST_EVENT, state__in=UNDER_WAY, created_at__gt=now - CLAIM).exists():
            raise WrongState("正在进行另一次测试推送，请等待对方应答后再试")
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
