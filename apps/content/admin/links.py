"""站点链接 in the back office."""

from auditlog.registry import auditlog
from django.contrib import admin

from apps.content.admin.base import DATES, ScheduledAdmin
from apps.content.models import SiteLink


@admin.register(SiteLink)
class SiteLinkAdmin(ScheduledAdmin):
    list_display = ("name", "place", "audience", "url", "position", "is_shown_now")
    list_filter = ("place", "audience", "is_active")
    search_fields = ("name", "url")
    fieldsets = (
        (None, {"fields": (("place", "position"), "name", "url", ("audience", "is_active"))}),
        ("展示时间", DATES),
    )


auditlog.register(SiteLink, exclude_fields=["updated_at"])
