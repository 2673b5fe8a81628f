"""The back office's log of changes: seen and searched by what our accounts have."""

from __future__ import annotations

from auditlog.admin import LogEntryAdmin
from auditlog.models import LogEntry
from django.contrib import admin
from unfold.admin import ModelAdmin

admin.site.unregister(LogEntry)


@admin.register(LogEntry)
class AuditLogAdmin(LogEntryAdmin, ModelAdmin):  # type: ignore[misc]
    """auditlog's own page searches actor__first_name, which our accounts do not have."""

    search_fields = ("object_repr", "actor__username", "actor__nickname")
    list_per_page = 50
    show_full_result_count = False
