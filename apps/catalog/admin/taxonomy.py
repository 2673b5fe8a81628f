"""类目, 菜单分组 and 品牌 in the back office."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import display

from apps.catalog.admin.base import CatalogueAdmin
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.models import Brand, Category, MenuGroup
from apps.catalog.services.taxonomy_save import brand_save, category_save
from apps.common.admin.listing import told_values

LEVELS = told_values("level", "层级", [(1, "一级"), (2, "二级"), (3, "三级")])


@admin.register(Brand)
class BrandAdmin(ImportExportMixin, CatalogueAdmin):
    import_kinds = ("brands",)
    list_display = ("code", "name", "english_name", "product_count")
    list_display_links = ("code", "name")
    search_fields = ("code", "name", "english_name")
    search_help_text = "按编码或名称搜索"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Brand]:
        queryset: QuerySet[Brand] = super().get_queryset(request)
        return queryset.annotate(count_of_products=Count("products"))

    @display(description="商品数", ordering="count_of_products")  # type: ignore[untyped-decorator]
    def product_count(self, brand: Any) -> int:
        """Return how many products bear the brand."""
        return int(brand.count_of_products)

    def save_model(self, request: HttpRequest, obj: Brand, form: ModelForm[Any], change: bool) -> None:
        brand_save(actor=request.user, brand=obj)  # type: ignore[arg-type]


class CategoryForm(ModelForm):  # type: ignore[type-arg]
    """Keeps the tree a tree of three levels, whose roots belong to a group of the menu."""

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        parent: Category | None = values.get("parent")
        if parent is None and values.get("menu_group") is None:
            self.add_error("menu_group", "一级类目必须选择菜单分组")
        if parent is not None and self.instance.pk:
            if parent.pk == self.instance.pk or parent.parent_id == self.instance.pk:
                self.add_error("parent", "上级不能是该类目自己或它的下级")
            elif parent.level + 1 != self.instance.level and (self.instance.children.exists() or self.instance.products.exists()):
                self.add_error("parent", "该类目下已有类目或商品，只能移动到同级的上级之下")
        if parent is not None and parent.level > 2:
            self.add_error("parent", "类目最多三级，请选择一级或二级类目作为上级")
        return values


@admin.register(Category)
class CategoryAdmin(ImportExportMixin, CatalogueAdmin):
    form = CategoryForm
    import_kinds = ("categories",)
    list_display = ("code", "path", "level", "menu_group", "position")
    list_display_links = ("code", "path")
    list_select_related = ("parent__parent", "menu_group")
    list_filter = (
        told_values("level", "层级", [(1, "一级"), (2, "二级"), (3, "三级")]),
        "menu_group",
        ("parent", AutocompleteSelectFilter),
    )
    search_fields = ("code", "name")
    search_help_text = "按编码或名称搜索"
    autocomplete_fields = ("parent", "menu_group")
    readonly_fields = ("level",)
    ordering = ("code",)

    @display(description="名称", ordering="name")  # type: ignore[untyped-decorator]
    def path(self, category: Category) -> str:
        """Return the category with those above it."""
        names = [category.name]
        above = category.parent
        while above is not None:
            names.insert(0, above.name)
            above = above.parent
        return " / ".join(names)

    def save_model(self, request: HttpRequest, obj: Category, form: ModelForm[Any], change: bool) -> None:
        category_save(actor=request.user, category=obj)  # type: ignore[arg-type]


@admin.register(MenuGroup)
class MenuGroupAdmin(CatalogueAdmin):
    list_display = ("code", "name", "position")
    search_fields = ("code", "name")


auditlog.register(Brand)
auditlog.register(Category)
auditlog.register(MenuGroup)
