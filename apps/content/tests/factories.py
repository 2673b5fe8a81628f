"""Content rows, saved in the same way as the back office does it."""

from typing import Any

from apps.content.enums import LinkPlace
from apps.content.models import Announcement, Banner, SiteLink, SiteSetting
from apps.content.services import content_save


def create_banner(**fields: Any) -> Banner:
    """Return a saved banner of the home page."""
    row = Banner(**{"title": "开学季", "text": "文具满减", **fields})
    content_save(actor=None, row=row)
    return row


def link(place: LinkPlace, **fields: Any) -> SiteLink:
    """Return a saved link."""
    row = SiteLink(place=place, **{"name": "集团", "url": "https://www.wencai.example/", **fields})
    content_save(actor=None, row=row)
    return row


def create_setting(**fields: Any) -> SiteSetting:
    """Return a saved version of the site's texts."""
    row = SiteSetting(**fields)
    content_save(actor=None, row=row)
    return row


def create_announcement(**fields: Any) -> Announcement:
    """Return a saved announcement."""
    row = Announcement(**{"title": "发货安排", "text": "节后按序发货", **fields})
    content_save(actor=None, row=row)
    return row
