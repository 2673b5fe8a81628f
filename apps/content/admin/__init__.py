"""The mall's own content in the back office."""

from apps.content.admin import banners, links, pages, settings

__all__ = ["banners", "links", "pages", "settings"]
