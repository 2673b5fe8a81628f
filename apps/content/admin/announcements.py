"""公告 in the back office."""

from auditlog.registry import auditlog
from django.contrib import admin

from apps.content.admin.base import DATES, ScheduledAdmin
from apps.content.models import Announcement


@admin.register(Announcement)
class AnnouncementAdmin(ScheduledAdmin):
    list_display = ("title", "audience", "is_pinned", "valid_from", "valid_to", "is_shown_now")
    list_filter = ("audience", "is_pinned", "is_active")
    search_fields = ("title", "text")
    fieldsets = (
        (None, {"fields": ("title", "text", "link", ("audience", "is_pinned"), "is_active")}),
        ("展示时间", DATES),
    )


auditlog.register(Announcement, exclude_fields=["updated_at"])
