"""Send an event once more, by the same id: for a receiver who has lost it, or whose server has been mended."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.common.audit import act_log
from apps.common.background.outbox import outbox_publish
from apps.common.errors import WrongState
from apps.org.models import Account
from apps.webhooks.enums import MOST_TRIES, DeliveryState
from apps.webhooks.models import WebhookDelivery
from apps.webhooks.selectors.webhooks import delivery_get
from apps.webhooks.services.event_hear import SEND_TOPIC

ENDED = (DeliveryState.DELIVERED, DeliveryState.FAILED)


@transaction.atomic
def delivery_replay(*, actor: Account, pk: str, delivery_id: str) -> WebhookDelivery:
    """Return the delivery, due again at once with all of its tries.

    Raises:
        WebhookNotFound, DeliveryNotFound, Forbidden: there is none he may see.
        WrongState: it is waiting or being sent, or the webhook is off, or the whole group.
    """
    return _replayed(delivery_get(actor=actor, pk=pk, delivery_id=delivery_id))


@transaction.atomic
def delivery_replay_by_staff(*, staff: Any, delivery_id: int) -> WebhookDelivery:
    """The same for the back office, in the platform's scope; the audit log names who did it.

    Raises:
        WrongState: as above.
    """
    before = WebhookDelivery.objects.get(pk=delivery_id)
    row = _replayed(before)
    act_log(subject=row, staff=staff, changes={"状态": (before.get_state_display(), row.get_state_display())})
    return row


def _replayed(delivery: WebhookDelivery) -> WebhookDelivery:
    if not delivery.group.is_active:
        raise WrongState("该集团已停用，推送已暂停；启用集团后未送达的推送会自动继续，再重放其他推送")
    if not delivery.webhook.is_active:
        raise WrongState("该推送地址已停用，请先启用再重放")
    now = timezone.now()
    # One of two who click at once: the other finds it waiting.
    ended = WebhookDelivery.objects.filter(pk=delivery.pk, state__in=ENDED)
    fields = {"state": DeliveryState.WAITING, "due_at": now, "ended_at": None, "tries_left": MOST_TRIES, "replays": F("replays") + 1}
    if not ended.update(**fields):
        raise WrongState("该推送尚未结束，无需重放")
    outbox_publish(topic=SEND_TOPIC, key=delivery.event_id)
    row: WebhookDelivery = WebhookDelivery.objects.select_related("webhook").get(pk=delivery.pk)
    return row
