"""售后政策 in the back office."""

from __future__ import annotations

from django.contrib import admin

from apps.aftersales.models import ReturnPolicy
from apps.office.lists import OfficeAdmin


@admin.register(ReturnPolicy)
class ReturnPolicyAdmin(OfficeAdmin):
    """The policy of the product's nearest category applies. Default: 7 days, 15 for defects,
    unopened goods only; repairs 365 days.
    """

    list_display = ("place", "kind", "days", "quality_days", "takes_opened", "note")
    list_filter = ("kind", "takes_opened")
    list_select_related = ("category",)
    search_fields = ("category__name", "note")
    autocomplete_fields = ("category",)
    list_per_page = 100

    @admin.display(description="类目", ordering="category__name")
    def place(self, row: ReturnPolicy) -> str:
        return row.category.name if row.category else "其他类目"
