"""运费表 in the back office."""

from __future__ import annotations

from django.contrib import admin

from apps.common.admin.listing import ListedAdmin
from apps.orders.models import FreightRegion


@admin.register(FreightRegion)
class FreightRegionAdmin(ListedAdmin):
    """A row without a province holds for all others; the row with the greatest 满额 not above the goods' amount decides."""

    list_display = ("region", "amount_from", "fee", "extra_days")
    list_filter = ("province",)
    search_fields = ("province",)
    list_per_page = 100

    @admin.display(description="地区", ordering="province")
    def region(self, row: FreightRegion) -> str:
        return row.province or "其他地区"
