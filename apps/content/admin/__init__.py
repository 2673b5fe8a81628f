"""The mall's own content in the back office."""

from apps.content.admin import announcements, banners, links, pages, settings

__all__ = ["announcements", "banners", "links", "pages", "settings"]
