"""Exports and sends of subscriptions in the back office: looked at beside the other work of the background."""

from apps.reports.admin import exports, sends

__all__ = ["exports", "sends"]
