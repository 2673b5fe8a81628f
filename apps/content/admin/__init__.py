"""Back office: the content of the site."""

from apps.content.admin import announcements, banners, links, pages, settings

__all__ = ["announcements", "banners", "links", "pages", "settings"]
