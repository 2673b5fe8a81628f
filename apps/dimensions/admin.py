"""Back office: the dimensions of the customers, to look at. Customers maintain them themselves."""

from __future__ import annotations

from django.contrib import admin
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.dimensions.models import Dimension
from apps.office.lists import ReadOnlyAdmin


@admin.register(Dimension)
class DimensionAdmin(ReadOnlyAdmin):
    list_display = ("code", "name", "kind", "group", "owner", "valid_from", "valid_to", "is_active")
    list_select_related = ("group", "owner")
    list_filter = ("kind", "is_active", ("group", AutocompleteSelectFilter))
    search_fields = ("code", "name")
    search_help_text = "按编码或名称搜索"
    ordering = ("-pk",)
    fields = (
        ("code", "name"),
        ("kind", "group"),
        ("owner", "is_active"),
        ("valid_from", "valid_to"),
    )
