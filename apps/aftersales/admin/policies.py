"""售后政策 in the back office."""

from __future__ import annotations

from django.contrib import admin

from apps.aftersales.models import ReturnPolicy
from apps.common.admin.listing import ListedAdmin


@admin.register(ReturnPolicy)
class ReturnPolicyAdmin(ListedAdmin):
    """The row of a product's nearest category holds. Without any: 7 days, defects 15, opened not taken; repairs 365 days."""

    list_display = ("place", "kind", "days", "quality_days", "takes_opened", "note")
    list_filter = ("kind", "takes_opened")
    list_select_related = ("category",)
    search_fields = ("category__name", "note")
    autocomplete_fields = ("category",)
    list_per_page = 100

    @admin.display(description="类目", ordering="category__name")
    def place(self, row: ReturnPolicy) -> str:
        return row.category.name if row.category else "其他类目"
