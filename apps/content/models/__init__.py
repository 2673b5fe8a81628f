"""The content of the site. It belongs to the platform, not to a customer."""

from apps.content.models.announcement import Announcement
from apps.content.models.banner import Banner
from apps.content.models.link import SiteLink
from apps.content.models.page import HELP_PAGES, ContentPage
from apps.content.models.scheduled import Scheduled
from apps.content.models.setting import SiteSetting
from apps.content.models.stamp import ContentStamp

__all__ = [
    "HELP_PAGES",
    "Announcement",
    "Banner",
    "ContentPage",
    "ContentStamp",
    "Scheduled",
    "SiteLink",
    "SiteSetting",
]
