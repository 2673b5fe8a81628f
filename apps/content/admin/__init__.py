"""The mall's own content in the back office."""

from apps.content.admin import announcements, banners, calendar_days, links, pages, settings

__all__ = ["announcements", "banners", "calendar_days", "links", "pages", "settings"]
