"""Back office: categories (类目), menu groups (菜单分组) and brands (品牌).

The page 类目排序 shows the tree with drag and drop, buttons for the same moves, and a confirmation
page if the move changes the path of products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin, messages
from django.core.signing import BadSignature, dumps, loads
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminSelectWidget

from apps.catalog.admin.base import CatalogueAdmin
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.models import Brand, Category, MenuGroup, Product
from apps.catalog.selectors.category_tree import (
    FIRST,
    LAST,
    Place,
    find_place,
    find_place_refusal,
    format_path,
    get_category_board,
    get_move_consequence,
    get_place,
    hash_ids,
    list_siblings,
    move_text,
)
from apps.catalog.services.taxonomy import (
    CategoryMoveResult,
    brand_save,
    category_move,
    category_save,
)
from apps.common.errors import DomainError
from apps.common.numbers import parse_key
from apps.office.choices import open_search_choices, search_choice
from apps.office.lists import build_value_filter, count_related
from apps.office.pages import PageBase, action, display, get_request_staff

SALT = "catalog.category_move"
# Parameter of a search for categories of one level.
OF_LEVEL = "of_level"
LEVELS = build_value_filter("level", "层级", [(1, "一级"), (2, "二级"), (3, "三级")])


@dataclass(frozen=True, slots=True)
class Move:
    """A move from a request, with the same fields as the parameters of `category_move`. `text` is
    the unparsed value.
    """

    text: str
    category_id: int
    place: str
    next_sibling: str
    old_list_version: str
    new_list_version: str


def move_of(text: str) -> Move | None:
    """Parse the text of a move. Return None if it is malformed."""
    parts = text.split(":")
    if len(parts) != 5:
        return None
    category_id = parse_key(parts[0])
    return Move(text, category_id, parts[1], parts[2], parts[3], parts[4]) if category_id else None


class MoveToForm(forms.Form):
    """Choose the new place by search, without drag and drop."""

    parent = search_choice(
        Category, "parent", label="上级类目", help_text="一级或二级类目；移为一级类目则留空"
    )
    menu_group = search_choice(Category, "menu_group", label="菜单分组", help_text="只用于一级类目")
    at = forms.ChoiceField(
        label="位置",
        choices=((LAST, "排在最后"), (FIRST, "排在最前")),
        widget=UnfoldAdminSelectWidget,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        open_search_choices(self)

    def clean(self) -> dict[str, Any]:
        """Refuse a target that is neither a parent category nor a menu group."""
        values: dict[str, Any] = super().clean() or {}
        if not self.errors and values.get("parent") is None and values.get("menu_group") is None:
            self.add_error("parent", "请选择上级类目；移为一级类目请选择菜单分组")
        return values

    def get_place(self) -> Place:
        """Return the chosen place. The form must be valid."""
        parent: Category | None = self.cleaned_data["parent"]
        return Place(parent, None if parent else self.cleaned_data["menu_group"])


class CategoryTreeMixin(PageBase):
    """Adds the page 类目排序 to the list of categories."""

    @action(description="拖动排序", url_path="tree", icon="account_tree", permissions=["change"])
    def order_tree(self, request: HttpRequest) -> HttpResponse:
        """GET shows the tree, or with `move` the form to move one category. POST executes a
        move.
        """
        if request.method == "POST":
            return self._handle_move(request)
        if "move" in request.GET:
            return self._move_to(request)
        undo = _undo_of(request.GET.get("undo", ""))
        context = {
            "columns": get_category_board(),
            "at": parse_key(request.GET.get("at", "")),
            "undo": undo and _undo_move(*undo),
        }
        return self._render_tree_page(request, "category_tree", "类目排序", context)

    def _handle_move(self, request: HttpRequest) -> HttpResponse:
        """Move the category as posted, and go back to the tree. If products would change their
        category path, ask for confirmation first.
        """
        move = move_of(request.POST.get("move", ""))
        category = (
            Category.objects.select_related("parent__parent", "menu_group")
            .filter(pk=move.category_id)
            .first()
            if move
            else None
        )
        if move is None or category is None:
            messages.error(request, "该类目已不存在或请求不完整，请按最新的类目重试")
            return HttpResponseRedirect(request.path)
        target = find_place(move.place)
        if (
            "confirm" not in request.POST
            and target
            and not find_place_refusal(category=category, parent=target.parent)
        ):
            consequence = get_move_consequence(category=category, parent=target.parent)
            if consequence.products:
                context = {
                    "category": category,
                    "current_path": format_path(category),
                    "target": target,
                    "follows": consequence,
                    "move": move,
                }
                return self._render_tree_page(
                    request, "category_confirm", f"移动类目 · {category.name}", context
                )
        return HttpResponseRedirect(f"{request.path}?{self._execute_move(request, move)}")

    def _execute_move(self, request: HttpRequest, move: Move) -> str:
        """Execute the move, add a message, and return the query string of the next page."""
        try:
            result = category_move(
                actor=get_request_staff(request),
                category_id=move.category_id,
                place=move.place,
                next_sibling=move.next_sibling,
                old_list_version=move.old_list_version,
                new_list_version=move.new_list_version,
            )
        except DomainError as error:
            messages.error(request, error.text)
            return urlencode({"at": move.category_id})
        if not result.is_changed:
            messages.info(request, f"“{result.category.name}”已在这个位置，没有变化")
            return urlencode({"at": move.category_id})
        products = f"，{result.products:,} 个商品的类目已随之更新" if result.products else ""
        messages.success(
            request,
            f"已将“{result.category.name}”移到“{result.place}”"
            f"第 {result.category.position} 位{products}",
        )
        return urlencode({"at": move.category_id, "undo": _undo_text(result)})

    def _move_to(self, request: HttpRequest) -> HttpResponse:
        """Show the form for the new place. A valid choice leads to the confirmation page."""
        category = get_object_or_404(
            Category.objects.select_related("parent__parent", "menu_group"),
            pk=parse_key(request.GET["move"]),
        )
        form = MoveToForm(
            request.GET if "at" in request.GET else None,
            initial={"parent": category.parent_id, "menu_group": category.menu_group_id},
        )
        context: dict[str, Any] = {
            "category": category,
            "form": form,
            "was": hash_ids(row.pk for row in list_siblings(get_place(category))),
        }
        if form.is_bound and form.is_valid():
            if refusal := find_place_refusal(category=category, parent=form.cleaned_data["parent"]):
                form.add_error("parent", refusal)
            else:
                target = form.get_place()
                text = move_text(
                    category.pk, target.key, form.cleaned_data["at"], request.GET.get("was", ""), ""
                )
                consequence = get_move_consequence(category=category, parent=target.parent)
                context |= {
                    "target": target,
                    "follows": consequence,
                    "move": move_of(text),
                    "current_path": format_path(category),
                }
                return self._render_tree_page(
                    request, "category_confirm", f"移动类目 · {category.name}", context
                )
        return self._render_tree_page(
            request,
            "category_move",
            f"移动类目 · {category.name}",
            context | {"path": format_path(category)},
        )

    def _render_tree_page(
        self, request: HttpRequest, template: str, title: str, page_values: dict[str, Any]
    ) -> TemplateResponse:
        """Return a page of the category tree. `page_values` are the values of its template."""
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": title,
            "page": request.path,
        }
        return TemplateResponse(
            request, f"admin/catalog/{template}.html", {**context, **page_values}
        )


def _undo_text(result: CategoryMoveResult) -> str:
    return dumps([result.category.pk, result.old_place, result.old_next_sibling], salt=SALT)


def _undo_of(text: str) -> tuple[int, str, str] | None:
    """Read the signed undo token from the URL. Return (category id, place, next sibling), or None
    if the token is invalid or older than one hour.
    """
    try:
        category_id, place, next_sibling = loads(text, salt=SALT, max_age=3600)
    except BadSignature:
        return None
    return category_id, place, next_sibling


def _undo_move(category_id: int, place: str, next_sibling: str) -> dict[str, str] | None:
    """Return the category's name and the move that undoes the last one, with the current
    versions of both lists. Return None if the category or the place no longer exists.
    """
    category = (
        Category.objects.select_related("parent__parent", "menu_group")
        .filter(pk=category_id)
        .first()
    )
    target = find_place(place)
    if category is None or target is None:
        return None
    old_version, target_version = (
        hash_ids(row.pk for row in list_siblings(sibling_list))
        for sibling_list in (get_place(category), target)
    )
    return {
        "name": category.name,
        "move": move_text(category_id, place, next_sibling, old_version, target_version),
    }


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
        """Save through the service, which updates what depends on the brand."""
        brand_save(actor=get_request_staff(request), brand=obj)


class CategoryForm(ModelForm[Category]):
    """Validate the tree: three levels, and each category of the first level belongs to a menu
    group.
    """

    def clean(self) -> dict[str, Any]:
        """Check that a category of level 1 has a menu group, and that the parent is allowed."""
        values: dict[str, Any] = super().clean() or {}
        parent: Category | None = values.get("parent")
        if parent is None and values.get("menu_group") is None:
            self.add_error("menu_group", "一级类目必须选择菜单分组")
        if refusal := find_place_refusal(category=self.instance, parent=parent):
            self.add_error("parent", refusal)
        return values


@admin.register(Category)
class CategoryAdmin(CategoryTreeMixin, ImportExportMixin, CatalogueAdmin):
    """The list of categories with import and export. The tree itself is moved on the page 类目排序
    (`order_tree`).
    """

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

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the matches, limited to the level in the query string if there is one, and whether
        rows can repeat.
        """
        rows, may_have_duplicates = super().get_search_results(request, queryset, search_term)
        if OF_LEVEL in request.GET:
            rows = rows.filter(level=parse_key(request.GET[OF_LEVEL]))
        return rows.select_related("parent__parent"), may_have_duplicates

    def choice_text(self, row: Category) -> str:
        """Return the category as a picker shows it: names repeat below different parents."""
        return format_path(row)

    @display(description="名称", ordering="name")
    def path(self, category: Category) -> str:
        """Return the names from the first level down to the category."""
        return format_path(category)

    def save_model(
        self, request: HttpRequest, obj: Category, form: ModelForm[Any], change: bool
    ) -> None:
        """Save through the service, which updates what depends on the category."""
        category_save(actor=get_request_staff(request), category=obj)


@admin.register(MenuGroup)
class MenuGroupAdmin(CatalogueAdmin):
    list_display = ("code", "name", "position")
    search_fields = ("code", "name")


auditlog.register(Brand)
auditlog.register(Category)
auditlog.register(MenuGroup)
