"""Back office: categories (类目), menu groups (菜单分组) and brands (品牌)."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.catalog.admin.base import CatalogueAdmin
from apps.catalog.admin.category_tree import CategoryTreeMixin
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.models import Brand, Category, MenuGroup, Product
from apps.catalog.selectors.category_board import path_text
from apps.catalog.selectors.category_place import place_refusal
from apps.catalog.services.taxonomy_save import brand_save, category_save
from apps.office.decorators import display, request_staff
from apps.office.lists import count_related, value_filter

LEVELS = value_filter("level", "层级", [(1, "一级"), (2, "二级"), (3, "三级")])


@admin.register(Brand)
class BrandAdmin(ImportExportMixin, CatalogueAdmin):
    import_kinds = ("brands",)
    list_display = ("code", "name", "english_name", "product_count")
    list_display_links = ("code", "name")
    search_fields = ("code", "name", "english_name")
    search_help_text = "按编码或名称搜索"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Brand]:
        queryset: QuerySet[Brand] = super().get_queryset(request)
        return queryset.annotate(count_of_products=count_related(Product.objects.all(), "brand"))

    @display(description="商品数", ordering="count_of_products")
    def product_count(self, brand: Any) -> int:
        """Return the number of products of the brand."""
        return int(brand.count_of_products)

    def save_model(
        self, request: HttpRequest, obj: Brand, form: ModelForm[Any], change: bool
    ) -> None:
        brand_save(actor=request_staff(request), brand=obj)


class CategoryForm(ModelForm[Category]):
    """Validate the tree: three levels, and each category of the first level belongs to a menu
    group.
    """

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        parent: Category | None = values.get("parent")
        if parent is None and values.get("menu_group") is None:
            self.add_error("menu_group", "一级类目必须选择菜单分组")
        if refusal := place_refusal(category=self.instance, parent=parent):
            self.add_error("parent", refusal)
        return values


@admin.register(Category)
class CategoryAdmin(CategoryTreeMixin, ImportExportMixin, CatalogueAdmin):
    form = CategoryForm
    actions_list = ("order_tree", *ImportExportMixin.actions_list)
    import_kinds = ("categories",)
    list_display = ("code", "path", "level", "menu_group", "position")
    list_display_links = ("code", "path")
    list_select_related = ("parent__parent", "menu_group")
    list_filter = (
        LEVELS,
        "menu_group",
        ("parent", AutocompleteSelectFilter),
    )
    search_fields = ("code", "name")
    search_help_text = "按编码或名称搜索"
    autocomplete_fields = ("parent", "menu_group")
    readonly_fields = ("level",)
    ordering = ("code",)

    @display(description="名称", ordering="name")
    def path(self, category: Category) -> str:
        """Return the names from the first level down to the category."""
        return path_text(category)

    def save_model(
        self, request: HttpRequest, obj: Category, form: ModelForm[Any], change: bool
    ) -> None:
        category_save(actor=request_staff(request), category=obj)


@admin.register(MenuGroup)
class MenuGroupAdmin(CatalogueAdmin):
    list_display = ("code", "name", "position")
    search_fields = ("code", "name")


auditlog.register(Brand)
auditlog.register(Category)
auditlog.register(MenuGroup)
