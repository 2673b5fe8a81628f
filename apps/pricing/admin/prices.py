"""Back office: price lists (价目表) and their rows, the customers' own names, and the page of a
product with its price moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.db.models import F, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from unfold.contrib.filters.admin import (
    AutocompleteSelectFilter,
    RangeDateFilter,
    RangeNumericFilter,
)

from apps.catalog.admin.base import CatalogueAdmin, CatalogueInline
from apps.catalog.admin.history import list_stock_ledger
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.admin.products import ProductAdmin
from apps.catalog.models import Product
from apps.office.cells import build_money_column, format_yuan
from apps.office.dossier import Trace
from apps.office.lists import count_related
from apps.office.pages import action, display
from apps.pricing.admin.overview import PriceOverviewMixin
from apps.pricing.admin.price_moves import (
    PROPOSED,
    PricePageMixin,
    drifts_warn,
    list_market_price_traces,
    list_price_item_traces,
    list_price_ledger,
    submit_deletion,
    submit_market_price,
    submit_prices,
)
from apps.pricing.models import OwnName, PriceList, PriceListItem
from apps.pricing.models.tiers import (
    FLAT_TIER_FIELDS,
    TIER_FIELDS,
    find_tier_problem,
    format_tiers,
    get_tiers,
)


class PriceListItemForm(ModelForm[PriceListItem]):
    """A stored row keeps its product. Says which field of the tiers (阶梯价) is wrong."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk and "product" in self.fields:
            self.fields["product"].disabled = True

    def clean(self) -> dict[str, Any]:
        """Check the tiers: rising quantities, falling prices, and a first tier above the minimum
        quantity.
        """
        values: dict[str, Any] = super().clean() or {}
        names = ("price", *FLAT_TIER_FIELDS)
        if any(name not in values for name in names):
            return values
        product = values.get("product") or (self.instance.product if self.instance.pk else None)
        is_new_tier = product is not None and "tier1_quantity" in self.changed_data
        problem = find_tier_problem(
            SimpleNamespace(**{name: values[name] for name in names}),
            minimum=product.min_quantity if is_new_tier and product else 1,
        )
        if problem:
            self.add_error(*problem)
        return values


class PriceListItemInline(CatalogueInline):
    model = PriceListItem
    form = PriceListItemForm
    fields = ("product", "price", *FLAT_TIER_FIELDS, "customer_name", "customer_code")
    autocomplete_fields = ("product",)
    tab = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[PriceListItem]:
        queryset: QuerySet[PriceListItem] = super().get_queryset(request)
        return queryset.select_related("product", "price_list").order_by("product__code")


@admin.register(PriceList)
class PriceListAdmin(PriceOverviewMixin, PricePageMixin, ImportExportMixin, CatalogueAdmin):
    """Price lists with their rows and imports. An action opens 批量调价 for the list."""

    import_kinds = ("price_lists", "price_items")
    takes_customer_sheets = True
    inlines = (PriceListItemInline,)
    actions_detail = ("change_prices",)
    list_display = ("code", "name", "kind", "valid_from", "valid_to", "item_count")
    list_display_links = ("code", "name")
    list_filter = ("kind", ("valid_to", RangeDateFilter))
    search_fields = ("code", "name")
    search_help_text = "按编码或名称搜索"

    def get_queryset(self, request: HttpRequest) -> QuerySet[PriceList]:
        queryset: QuerySet[PriceList] = super().get_queryset(request)
        return queryset.annotate(
            count_of_items=count_related(PriceListItem.objects.all(), "price_list")
        )

    def save_formset(
        self, request: HttpRequest, form: ModelForm[Any], formset: Any, change: bool
    ) -> None:
        """Save the rows of the list together, so that their changes count as one."""
        rows = formset.save(commit=False)
        if formset.deleted_objects:
            submit_deletion(request, formset.deleted_objects)
        if rows and submit_prices(request, rows) is not None:
            self.after_change(request, formset.changed_objects)

    @display(description="价目数", ordering="count_of_items")
    def item_count(self, price_list: Any) -> int:
        """Return the number of rows of the list."""
        return int(price_list.count_of_items)

    def has_change_prices_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the user may create a price batch."""
        return bool(request.user.has_perm("pricing.change_pricebatch"))

    @action(
        description="批量调价",
        url_path="change-prices",
        icon="trending_up",
        permissions=["change_prices"],
    )
    def change_prices(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Redirect to the price batch page with this list selected."""
        return HttpResponseRedirect(
            f"{reverse('admin:pricing_pricebatch_change_prices')}?price_list={object_id}"
        )


class AboveMarketFilter(admin.SimpleListFilter):
    """Filters agreed prices above the market price. These customers would pay less without an
    agreement.
    """

    title = "与市场价相比"
    parameter_name = "market"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("above", "高于市场价")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[PriceListItem]
    ) -> QuerySet[PriceListItem]:
        return (
            queryset.filter(price__gt=F("product__market_price"))
            if self.value() == "above"
            else queryset
        )


@admin.register(PriceListItem)
class PriceListItemAdmin(PricePageMixin, ImportExportMixin, CatalogueAdmin):
    """The price of a product in a price list (元, 含税), with its tiers and imports. A change above
    the limit of one person becomes a proposal of dual control.
    """

    import_kinds = ("price_items",)
    form = PriceListItemForm
    fieldsets = (
        (None, {"fields": ("price_list", "product", "price", "valid_to")}),
        (
            "阶梯价",
            {
                "fields": TIER_FIELDS,
                "description": "购买数量达到某一级时，全部数量按该级单价结算。"
                "协议价是未达到阶梯1时的单价；数量逐级增加，单价逐级不高于上一级。",
            },
        ),
        (None, {"fields": ("customer_name", "customer_code")}),
    )
    takes_customer_sheets = True
    list_display = (
        "price_list",
        "product",
        build_money_column("price", "协议价（含税）"),
        "tiers",
        "market_price",
        "customer_name",
        "customer_code",
    )
    list_display_links = ("product",)
    list_select_related = ("price_list", "product")
    list_filter = (
        ("price_list", AutocompleteSelectFilter),
        AboveMarketFilter,
        ("price", RangeNumericFilter),
    )
    search_fields = ("product__code", "product__name", "customer_name", "customer_code")
    search_help_text = "按商品编码、名称、客户品名或物料编码搜索"
    autocomplete_fields = ("price_list", "product")

    def save_model(
        self, request: HttpRequest, obj: PriceListItem, form: ModelForm[Any], change: bool
    ) -> None:
        """Save the price, or propose it if dual control applies to it."""
        if saved := submit_prices(request, [obj]):
            obj.__dict__.update(saved[0].__dict__)
            self.after_change(request, [(obj, form.changed_data)] if change else [])
        else:
            setattr(request, PROPOSED, True)

    def delete_model(self, request: HttpRequest, obj: PriceListItem) -> None:
        self.delete_queryset(request, PriceListItem.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[PriceListItem]) -> None:
        """Delete the prices, or propose the deletion if dual control applies to it."""
        if not submit_deletion(request, list(queryset)):
            setattr(request, PROPOSED, True)

    def get_readonly_fields(
        self, request: HttpRequest, obj: PriceListItem | None = None
    ) -> tuple[str, ...]:
        """A stored row keeps its list and its product."""
        return ("price_list", "product") if obj else ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[PriceListItem]:
        """Load the product with each row, because `__str__` shows it."""
        queryset: QuerySet[PriceListItem] = super().get_queryset(request)
        return queryset.select_related("price_list", "product")

    def list_traces(self, request: HttpRequest, row: PriceListItem) -> list[Trace]:
        """Return the batches and moves of the price."""
        return list_price_item_traces(request, row)

    def list_related_pages(self, request: HttpRequest, row: PriceListItem) -> list[tuple[str, str]]:
        """Return title and address of the pages about the product's prices and stock, and of those
        that every page has.
        """
        return [
            *list_price_ledger(request, row.product_id),
            *list_stock_ledger(request, row.product_id),
            *super().list_related_pages(request, row),
        ]

    @display(description="阶梯价")
    def tiers(self, item: PriceListItem) -> str:
        """Return the tiers of the price as text."""
        return format_tiers(get_tiers(item)) or "—"

    @display(description="市场价", ordering="product__market_price")
    def market_price(self, item: PriceListItem) -> str:
        """Return the price without an agreement."""
        return format_yuan(item.product.market_price)


@admin.register(OwnName)
class OwnNameAdmin(CatalogueAdmin):
    """The names that customers give to products. Customers write them; staff cannot add or edit
    them.
    """

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


admin.site.unregister(Product)


@admin.register(Product)
class PricedProductAdmin(PricePageMixin, ProductAdmin):
    """Replaces the product page of the catalogue, which knows no price moves. A typed market price
    is under dual control. The other fields of the page are saved at once.
    """

    def save_model(self, request: HttpRequest, obj: Product, form: Any, change: bool) -> None:
        """Save the other fields at once. Save the market price, or propose it if dual control
        applies.
        """
        stored_price = (
            Product.objects.filter(pk=obj.pk).values_list("market_price", flat=True).first()
        )
        typed_price = obj.market_price
        if not change or stored_price is None or "market_price" not in form.changed_data:
            ProductAdmin.save_model(self, request, obj, form, change)
            return
        obj.market_price = stored_price
        names = [name for name in form.changed_data if name != "market_price"]
        form.changed_data = names
        ProductAdmin.save_model(self, request, obj, form, change)
        if submit_market_price(request, obj, typed_price):
            obj.market_price = typed_price
            self.after_change(request, [(obj, ["market_price"])])
        elif not names:
            setattr(request, PROPOSED, True)

    def list_traces(self, request: HttpRequest, row: Product) -> list[Trace]:
        """Return the moves of the market price and the traces of the catalogue."""
        return [*list_market_price_traces(request, row), *super().list_traces(request, row)]

    def list_related_pages(self, request: HttpRequest, row: Product) -> list[tuple[str, str]]:
        """Return the link to the price ledger and the links of the catalogue."""
        return [*list_price_ledger(request, row.pk), *super().list_related_pages(request, row)]

    def after_change(
        self, request: HttpRequest, changed: Sequence[tuple[Any, Sequence[str]]]
    ) -> None:
        """Warn about market prices that moved by more than PRICE_MOVE_PERCENT."""
        products = [
            row for row, names in changed if isinstance(row, Product) and "market_price" in names
        ]
        drifts_warn(request, products=products)
