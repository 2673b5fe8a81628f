"""What the mall says about itself; it belongs to the platform, not to a customer."""

from apps.content.models.banner import Banner
from apps.content.models.link import SiteLink
from apps.content.models.page import HELP_PAGES, ContentPage
from apps.content.models.setting import SiteSetting

__all__ = ["HELP_PAGES", "Banner", "ContentPage", "SiteLink", "SiteSetting"]
