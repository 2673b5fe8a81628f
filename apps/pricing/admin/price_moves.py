"""价格变动 in the back office: the price moves, read-only. Only services write them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.office.cells import money_column
from apps.office.decorators import display
from apps.office.read_only import ReadOnlyAdmin
from apps.pricing.models import PriceMove

BEFORE, AFTER = money_column("before", "变动前"), money_column("after", "变动后")
# filter value → (label, condition)
WAYS: dict[str, tuple[str, Q]] = {
    "up": ("上涨", Q(after__gt=F("before"))),
    "down": ("下降", Q(after__lt=F("before"))),
}
WHOSE: dict[str, tuple[str, Q]] = {
    "agreed": ("协议价", Q(item__isnull=False)),
    "market": ("市场价", Q(item__isnull=True)),
}


class ToldFilter(admin.SimpleListFilter):
    """A filter whose choices and conditions are in the table `told`."""

    told: dict[str, tuple[str, Q]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(value, name) for value, (name, _fits) in self.told.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[PriceMove]) -> QuerySet[PriceMove]:
        return (
            queryset.filter(self.told[self.value() or ""][1])
            if self.value() in self.told
            else queryset
        )


class WayFilter(ToldFilter):
    title, parameter_name, told = "涨跌", "way", WAYS


class WhoseFilter(ToldFilter):
    title, parameter_name, told = "价格", "price", WHOSE


@admin.register(PriceMove)
class PriceMoveAdmin(ReadOnlyAdmin):
    list_display = ("at", "product", "price_list", BEFORE, AFTER, "share", "way")
    list_select_related = ("product", "item__price_list")
    list_filter = (
        WayFilter,
        WhoseFilter,
        ("product", AutocompleteSelectFilter),
        ("item__price_list", AutocompleteSelectFilter),
        ("at", RangeDateTimeFilter),
    )
    search_fields = (
        "product__code",
        "product__name",
        "item__price_list__code",
        "item__price_list__name",
    )
    search_help_text = "按商品编码、名称或价目表搜索"
    # Newest first. Ids follow the time of the change.
    ordering = ("-pk",)
    fields = ("at", ("product", "price_list"), (BEFORE, AFTER), ("share", "way"))
    readonly_fields = ("at", "price_list", BEFORE, AFTER, "share", "way")

    def has_act_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return False: a recorded move has no actions."""
        return False

    @admin.display(description="价目表")
    def price_list(self, move: PriceMove) -> str:
        return str(move.item.price_list) if move.item else "市场价"

    @admin.display(description="幅度")
    def share(self, move: PriceMove) -> str:
        """Return the change in percent of the old price."""
        return f"{(move.after - move.before) / move.before:+.1%}" if move.before else "—"

    @display(description="涨跌", label={"上涨": "warning", "下降": "success"})
    def way(self, move: PriceMove) -> str:
        return "上涨" if move.after > move.before else "下降"
