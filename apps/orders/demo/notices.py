"""What the story's people were told of its last days: the messages it published, delivered at the time they were written."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import F
from django.utils import timezone

from apps.approvals.services.approval_news import OPENED_TOPIC
from apps.budgets.services.budget_alert import LISTENS_TO
from apps.catalog.services.terms_news import terms_ending
from apps.common.background.outbox import delivering, handlers_of
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope, tenant_scope
from apps.notices.models import Notice, NoticeDelivery
from apps.notices.services.notice_tell import DELIVER_TOPIC
from apps.notices.services.topics import TOPICS
from apps.orders.demo.clock import clock_at

DAYS = timedelta(days=14)
# What is older was read a little later.
UNREAD = timedelta(days=10)
READ_AFTER = timedelta(hours=2)
# What these tell leads to what others are told of.
FIRST = (OPENED_TOPIC, LISTENS_TO)
# Their own letters are not part of the story.
LETTERS = "identity."


def load_notices(*, now: datetime) -> str:
    """Tell it, without a letter to anybody; return how many notices there are, in Chinese."""
    terms_ending()
    told = [topic for topic in TOPICS if not topic.startswith(LETTERS)]
    for topics in (FIRST, told):
        _deliver(OutboxMessage.objects.filter(topic__in=topics, available_at__gte=now - DAYS).order_by("available_at", "id"))
    NoticeDelivery.objects.all().delete()
    OutboxMessage.objects.filter(topic=DELIVER_TOPIC).delete()
    Notice.objects.filter(created_at__lt=now - UNREAD, read_at__isnull=True).update(read_at=F("created_at") + READ_AFTER)
    return f"{Notice.objects.count()} 条"


def _deliver(messages: Iterable[OutboxMessage]) -> None:
    for message in list(messages):
        scope = tenant_scope(group_id=message.group_id) if message.group_id else platform_scope(reason="load_demo")
        with scope, clock_at(message.available_at), delivering(message):
            for handler in handlers_of(message.topic):
                handler(message.key, message.payload)
        message.delivered_at = timezone.now()
        message.save(update_fields=["delivered_at"])
