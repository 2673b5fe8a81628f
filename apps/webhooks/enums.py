"""Events, states and limits of webhooks."""

from __future__ import annotations

from datetime import timedelta

from django.db import models


class EventGroup(models.TextChoices):
    """The groups of events a webhook can subscribe to."""

    ORDER = "order", "订单"
    SHIPMENT = "shipment", "发货与签收"
    INVOICE = "invoice", "发票"
    PRICE = "price", "价格与协议"


class DeliveryState(models.TextChoices):
    WAITING = "waiting", "待推送"
    SENDING = "sending", "推送中"
    DELIVERED = "delivered", "已送达"
    FAILED = "failed", "已放弃"


# {Type sent to the partner: its group}. The outbox topics are in services/event_record.py.
EVENTS: dict[str, EventGroup] = {
    **{
        f"order.{kind}": EventGroup.ORDER
        for kind in (
            "submitted",
            "approved",
            "rejected",
            "withdrawn",
            "paid",
            "confirmed",
            "completed",
            "cancelled",
            "partly_cancelled",
        )
    },
    "shipment.shipped": EventGroup.SHIPMENT,
    "shipment.received": EventGroup.SHIPMENT,
    "invoice.issued": EventGroup.INVOICE,
    "invoice.rejected": EventGroup.INVOICE,
    "price.changed": EventGroup.PRICE,
    "price.ending": EventGroup.PRICE,
}
TEST_EVENT = "webhook.test"

# The maximum number of webhooks of a group, and of bytes of a body.
MAX_WEBHOOKS = 10
MAX_BYTES = 65_536
# The pause after each failure. After the last one the delivery is given up: eight attempts in
# about 21 hours.
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (30, 120, 600, 1800, 7200, 21_600, 43_200))
MAX_TRIES = len(PAUSES) + 1
# A webhook is paused after this many failures in a row, over all its deliveries.
PAUSE_AFTER = 10
# The number of stored attempts, and of stored bytes of a response.
TRIES_KEPT = 10
ANSWER_BYTES = 500
KEEP_DAYS = 30
# After a rotation, deliveries carry both signatures for this time.
OLD_SECRET_LASTS = timedelta(hours=24)
