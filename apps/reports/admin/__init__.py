"""Back office pages of export jobs and subscription sends, in the menu of the background jobs."""

from apps.reports.admin import exports, sends

__all__ = ["exports", "sends"]
