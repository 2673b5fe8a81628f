"""运费表 in the admin."""

from __future__ import annotations

from django.contrib import admin

from apps.office.cells import money_column
from apps.office.lists import OfficeAdmin
from apps.orders.models import FreightRegion


@admin.register(FreightRegion)
class FreightRegionAdmin(OfficeAdmin):
    """A row without a province applies to all other provinces. Among the rows of a province,
    the row with the greatest 满额 not above the goods amount applies.
    """

    list_display = (
        "region",
        money_column("amount_from", "满额"),
        money_column("fee", "运费（含税）"),
        "extra_days",
    )
    list_filter = ("province",)
    search_fields = ("province",)
    list_per_page = 100

    @admin.display(description="地区", ordering="province")
    def region(self, row: FreightRegion) -> str:
        return row.province or "其他地区"
