"""The words of webhooks: what may be subscribed to, how a delivery stands, and the figures of trying again."""

from __future__ import annotations

from datetime import timedelta

from django.db import models


class EventGroup(models.TextChoices):
    """What a webhook chooses from."""

    ORDER = "order", "订单"
    SHIPMENT = "shipment", "发货与签收"
    INVOICE = "invoice", "发票"
    PRICE = "price", "价格与协议"


class DeliveryState(models.TextChoices):
    WAITING = "waiting", "待推送"
    SENDING = "sending", "推送中"
    DELIVERED = "delivered", "已送达"
    FAILED = "failed", "已放弃"


# What a partner's server gets as Type → the group that asks for it; the topics of the outbox that tell of it are in services/event_hear.py.
EVENTS: dict[str, EventGroup] = {
    **{
        f"order.{kind}": EventGroup.ORDER
        for kind in ("submitted", "approved", "rejected", "withdrawn", "paid", "confirmed", "completed", "cancelled", "partly_cancelled")
    },
    "shipment.shipped": EventGroup.SHIPMENT,
    "shipment.received": EventGroup.SHIPMENT,
    "invoice.issued": EventGroup.INVOICE,
    "invoice.rejected": EventGroup.INVOICE,
    "price.changed": EventGroup.PRICE,
    "price.ending": EventGroup.PRICE,
}
TEST_EVENT = "webhook.test"

# A group's webhooks, and the bytes of one body.
MOST_WEBHOOKS = 10
MOST_BYTES = 65_536
# The rest after the n-th failure; after the last one the delivery is given up: eight tries in about 21 hours.
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (30, 120, 600, 1800, 7200, 21_600, 43_200))
MOST_TRIES = len(PAUSES) + 1
# So many failures in a row, over all of its deliveries, pause a webhook.
PAUSE_AFTER = 10
# Tries that a delivery remembers, and what of an answer.
TRIES_KEPT = 10
ANSWER_BYTES = 500
KEEP_DAYS = 30
# After a change of secrets what is sent bears both signatures for so long.
OLD_SECRET_LASTS = timedelta(hours=24)
