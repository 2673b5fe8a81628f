"""A month later what was sent is gone."""

from datetime import timedelta

from django.utils import timezone

from apps.webhooks.enums import KEEP_DAYS
from apps.webhooks.models import WebhookDelivery


def deliveries_purge() -> int:
    """Delete deliveries of more than 30 days ago; return how many. Runs in the platform's scope."""
    deleted: int = WebhookDelivery.objects.filter(created_at__lt=timezone.now() - timedelta(days=KEEP_DAYS)).delete()[0]
    return deleted
