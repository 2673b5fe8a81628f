"""Back office: the content of the site."""

from apps.content.admin import pages, scheduled

__all__ = ["pages", "scheduled"]
