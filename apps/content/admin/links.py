"""站点链接 in the back office."""

from auditlog.registry import auditlog
from django.contrib import admin

from apps.content.admin.base import ContentAdmin
from apps.content.models import SiteLink


@admin.register(SiteLink)
class SiteLinkAdmin(ContentAdmin):
    list_display = ("name", "place", "url", "position", "is_active")
    list_filter = ("place", "is_active")
    search_fields = ("name", "url")
    fields = ("place", "name", "url", ("position", "is_active"))


auditlog.register(SiteLink, exclude_fields=["updated_at"])
