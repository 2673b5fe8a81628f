"""运费表 in the back office."""

from __future__ import annotations

from django.contrib import admin

from apps.common.admin.listing import ListedAdmin
from apps.common.admin.money import money_column
from apps.orders.models import FreightRegion


@admin.register(FreightRegion)
class FreightRegionAdmin(ListedAdmin):
    """A row without a province holds for all others; the row with the greatest 满额 not above the goods' amount decides."""

    list_display = ("region", money_column("amount_from", "满额"), money_column("fee", "运费（含税）"), "extra_days")
    list_filter = ("province",)
    search_fields = ("province",)
    list_per_page = 100

    @admin.display(description="地区", ordering="province")
    def region(self, row: FreightRegion) -> str:
        return row.province or "其他地区"
