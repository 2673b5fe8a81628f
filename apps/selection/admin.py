"""选品场景 in the back office: the scenarios of 一键选品 with their kinds."""

from __future__ import annotations

from auditlog.registry import auditlog
from django.contrib import admin

from apps.catalog.admin.base import CatalogueAdmin, CatalogueInline
from apps.selection.models import ScenarioKind, SelectionScenario


class ScenarioKindInline(CatalogueInline):
    model = ScenarioKind
    fields = (
        "position",
        "name",
        "categories",
        "keyword",
        "avoid",
        "unit",
        "per_head",
        "fixed",
        "is_default",
    )
    autocomplete_fields = ("categories",)


@admin.register(SelectionScenario)
class SelectionScenarioAdmin(CatalogueAdmin):
    list_display = ("name", "code", "heads_name", "heads", "budget", "position", "is_active")
    list_filter = ("is_active",)
    search_fields = ("code", "name")
    search_help_text = "按编码或名称搜索"
    inlines = (ScenarioKindInline,)


auditlog.register(SelectionScenario)
auditlog.register(ScenarioKind)
