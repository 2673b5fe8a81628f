"""The notices of the demo's last two weeks. The outbox messages of the history are delivered
with the clock at their publication time.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from apps.approvals.services.approval_events import OPENED_TOPIC
from apps.budgets.services.budget_moves import LISTENS_TO
from apps.common.background.outbox import delivering, list_handlers
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope, tenant_scope
from apps.notices.models import Notice, NoticeDelivery
from apps.notices.services.notice import DELIVER_TOPIC
from apps.notices.services.topics import TOPICS
from apps.pricing.services.terms_news import ending_terms_publish
from demo.load.clock import clock_at

DAYS = timedelta(days=14)
# Older notices are marked as read.
UNREAD = timedelta(days=10)
READ_AFTER = timedelta(hours=2)
# Delivered first, because their handlers publish further messages.
FIRST = (OPENED_TOPIC, LISTENS_TO)
# Prefix of topics for mails about the own account; they are not delivered.
LETTERS = "identity."


def load_notices(*, now: datetime) -> str:
    """Write the notices without sending mail. Return a summary in Chinese."""
    ending_terms_publish()
    texts = [topic for topic in TOPICS if not topic.startswith(LETTERS)]
    for topics in (FIRST, texts):
        _deliver(
            OutboxMessage.objects.filter(topic__in=topics, available_at__gte=now - DAYS).order_by(
                "available_at", "id"
            )
        )
    NoticeDelivery.objects.all().delete()
    OutboxMessage.objects.filter(topic=DELIVER_TOPIC).delete()
    Notice.objects.filter(created_at__lt=now - UNREAD, read_at__isnull=True).update(
        read_at=F("created_at") + READ_AFTER
    )
    return f"{Notice.objects.count()} 条"


def _deliver(messages: Iterable[OutboxMessage]) -> None:
    for message in list(messages):
        scope = (
            tenant_scope(group_id=message.group_id)
            if message.group_id
            else platform_scope(reason="load_demo")
        )
        with scope, clock_at(message.available_at), delivering(message):
            for handler in list_handlers(message.topic):
                handler(message.key, message.payload)
        message.delivered_at = timezone.now()
        message.save(update_fields=["delivered_at"])
