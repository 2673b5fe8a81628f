"""价目表 and their rows in the back office."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateFilter, RangeNumericFilter
from unfold.decorators import action, display

from apps.catalog.admin.base import CatalogueAdmin, CatalogueInline
from apps.catalog.admin.drift import DriftTold
from apps.catalog.admin.history import ledgers_of, price_item_traces
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.models import OwnName, PriceList, PriceListItem
from apps.common.admin.history import Trace
from apps.common.admin.listing import number_of
from apps.common.admin.money import money_column, yuan_text


class PriceListItemInline(CatalogueInline):
    model = PriceListItem
    fields = ("product", "price", "customer_name", "customer_code")
    autocomplete_fields = ("product",)
    tab = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[PriceListItem]:
        queryset: QuerySet[PriceListItem] = super().get_queryset(request)
        return queryset.select_related("product", "price_list").order_by("product__code")


@admin.register(PriceList)
class PriceListAdmin(DriftTold, ImportExportMixin, CatalogueAdmin):
    import_kinds = ("price_lists", "price_items")
    inlines = (PriceListItemInline,)
    actions_detail = ("change_prices",)
    list_display = ("code", "name", "kind", "valid_from", "valid_to", "item_count")
    list_display_links = ("code", "name")
    list_filter = ("kind", ("valid_to", RangeDateFilter))
    search_fields = ("code", "name")
    search_help_text = "按编码或名称搜索"

    def get_queryset(self, request: HttpRequest) -> QuerySet[PriceList]:
        queryset: QuerySet[PriceList] = super().get_queryset(request)
        return queryset.annotate(count_of_items=number_of(PriceListItem.objects.all(), "price_list"))

    @display(description="价目数", ordering="count_of_items")  # type: ignore[untyped-decorator]
    def item_count(self, price_list: Any) -> int:
        """Return how many products the list prices."""
        return int(price_list.count_of_items)

    def has_change_prices_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Whoever may make a batch."""
        return bool(request.user.has_perm("catalog.change_pricebatch"))

    @action(description="批量调价", url_path="change-prices", icon="trending_up", permissions=["change_prices"])  # type: ignore[untyped-decorator]
    def change_prices(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Lead to the page of mass changes, with this list chosen."""
        return HttpResponseRedirect(f"{reverse('admin:catalog_pricebatch_change_prices')}?price_list={object_id}")


class AboveMarketFilter(admin.SimpleListFilter):
    """Agreed prices that are no advantage: whoever pays them would pay less without an agreement."""

    title = "与市场价相比"
    parameter_name = "market"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("above", "高于市场价")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[PriceListItem]) -> QuerySet[PriceListItem]:
        return queryset.filter(price__gt=F("product__market_price")) if self.value() == "above" else queryset


@admin.register(PriceListItem)
class PriceListItemAdmin(DriftTold, ImportExportMixin, CatalogueAdmin):
    import_kinds = ("price_items",)
    list_display = ("price_list", "product", money_column("price", "协议价（含税）"), "market_price", "customer_name", "customer_code")
    list_display_links = ("product",)
    list_select_related = ("price_list", "product")
    list_filter = (("price_list", AutocompleteSelectFilter), AboveMarketFilter, ("price", RangeNumericFilter))
    search_fields = ("product__code", "product__name", "customer_name", "customer_code")
    search_help_text = "按商品编码、名称、客户品名或物料编码搜索"
    autocomplete_fields = ("price_list", "product")

    def get_queryset(self, request: HttpRequest) -> QuerySet[PriceListItem]:
        """A row is named by its product."""
        queryset: QuerySet[PriceListItem] = super().get_queryset(request)
        return queryset.select_related("price_list", "product")

    def traces(self, request: HttpRequest, row: PriceListItem) -> list[Trace]:
        """The batches and moves of its price."""
        return price_item_traces(request, row)

    def elsewhere(self, request: HttpRequest, row: PriceListItem) -> list[tuple[str, str]]:
        """The product's ledgers, and what every row has."""
        return [*ledgers_of(request, row.product_id), *super().elsewhere(request, row)]

    @display(description="市场价", ordering="product__market_price")  # type: ignore[untyped-decorator]
    def market_price(self, item: PriceListItem) -> str:
        """Return what the product costs without an agreement."""
        return yuan_text(item.product.market_price)


@admin.register(OwnName)
class OwnNameAdmin(CatalogueAdmin):
    """What customers call products in their own words: theirs to write, ours to look at."""

    list_display = ("group", "product", "name", "code", "changed_by", "changed_at")
    list_display_links = ("product",)
    list_select_related = ("group", "product", "changed_by")
    list_filter = (("group", AutocompleteSelectFilter),)
    search_fields = ("product__code", "product__name", "name", "code")
    search_help_text = "按商品编码、名称、自有品名或物料号搜索"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


auditlog.register(OwnName)
auditlog.register(PriceList)
auditlog.register(PriceListItem)
