"""Webhooks and their deliveries."""

from apps.webhooks.models.webhook import Webhook, WebhookDelivery

__all__ = ["Webhook", "WebhookDelivery"]
