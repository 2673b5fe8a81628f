"""Back office: product families (商品族). The page of a family shows its members as a matrix of the
axes. Products are added and removed there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from apps.catalog.admin.base import CatalogueAdmin
from apps.catalog.admin.imports import ImportExportMixin
from apps.catalog.admin.taxonomy import OF_LEVEL
from apps.catalog.models import FamilyMember, ProductFamily
from apps.catalog.models.product import MAX_ATTRIBUTE_VALUE
from apps.catalog.services.families import (
    family_delete,
    family_member_add,
    family_member_remove,
    family_save,
    format_member,
)
from apps.catalog.services.imports.families import parse_axes_cell
from apps.office.acts import DocumentAct, DocumentActsMixin
from apps.office.choices import limit_search, open_search_choices, search_choice
from apps.office.lists import count_related
from apps.office.pages import display, get_request_staff
from apps.office.service_forms import ServiceFormMixin

SEPARATOR = ";"


class FamilyForm(forms.ModelForm[ProductFamily]):
    """The axes are typed as one text. A family is in a category of the third level."""

    axes = forms.CharField(
        label="可选项",
        widget=UnfoldAdminTextInputWidget(),
        help_text="按买家选择的顺序，1 至 3 个，用分号隔开，例如 颜色;规格。"
        "“规格”取商品的包装规格，其余取商品属性",
    )

    class Meta:
        model = ProductFamily
        fields = ("code", "name", "category", "axes", "is_active")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "axes" in self.fields:
            self.initial["axes"] = SEPARATOR.join(self.instance.axes)
        if "category" in self.fields:
            limit_search(self.fields["category"].widget, f"{OF_LEVEL}=3")

    def clean_axes(self) -> list[str]:
        """Return the names of the axes. Raises ValidationError if there are too many or one is
        repeated.
        """
        try:
            return parse_axes_cell(self.cleaned_data["axes"], timezone.localdate())
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error


class MemberAddForm(forms.Form):
    """Fields for a product and its values on the axes. `values` returns what staff has typed."""

    product = search_choice(
        FamilyMember, "product", label="商品", required=True, help_text="须与商品族在同一个三级类目"
    )

    def __init__(self, request: HttpRequest, family: ProductFamily) -> None:
        """Add one text field for each axis of the family, with the value of the query string."""
        self.axes = [(f"axis{number}", axis) for number, axis in enumerate(family.axes)]
        initial = {name: request.GET.get(axis, "") for name, axis in self.axes}
        super().__init__(request.POST or None, initial=initial)
        for name, axis in self.axes:
            self.fields[name] = forms.CharField(
                label=axis,
                required=False,
                max_length=MAX_ATTRIBUTE_VALUE,
                widget=UnfoldAdminTextInputWidget(),
                help_text="商品自己有值时可留空，填写则须一致",
            )
        open_search_choices(self)

    @property
    def arguments(self) -> dict[str, Any]:
        """Return the keywords of the service."""
        values = {axis: self.cleaned_data[name] for name, axis in self.axes}
        return {"product_code": self.cleaned_data["product"].code, "values": values}


class MemberRemoveForm(forms.Form):
    """One of the members."""

    product_code = forms.ChoiceField(label="商品", widget=UnfoldAdminSelectWidget)

    def __init__(self, request: HttpRequest, family: ProductFamily) -> None:
        """Offer the members of the family as choices."""
        initial = {"product_code": request.GET.get("code", "")}
        super().__init__(request.POST or None, initial=initial)
        members = family.members.select_related("product")
        choices = [(member.product.code, format_member(member)) for member in members]
        self.fields["product_code"].choices = choices  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of the matrix: its member, or the address that adds one."""

    member: FamilyMember | None
    product_page: str = ""
    remove_page: str = ""
    add_page: str = ""


@dataclass(frozen=True, slots=True)
class Matrix:
    """The members by their values: rows for all axes but the last, columns for the last one. A
    family with one axis has one column.
    """

    row_axes: Sequence[str]
    columns: Sequence[str]
    rows: Sequence[tuple[Sequence[str], Sequence[Cell]]]


def get_matrix(family: ProductFamily) -> Matrix:
    """Return the table of a family: one row for each combination of the values on all axes but the
    last, one column for each value on the last axis, in each cell the member with these values. One
    query.
    """
    members = {tuple(member.values): member for member in family.members.select_related("product")}
    row_axes = family.axes[:-1] or family.axes
    axis_count = len(row_axes)
    row_values = list(dict.fromkeys(values[:axis_count] for values in members))
    column_values = list(dict.fromkeys(values[axis_count:] for values in members))
    rows = [
        (
            row_axis_values,
            [
                _build_cell(family, members.get(row_axis_values + column), row_axis_values + column)
                for column in column_values
            ],
        )
        for row_axis_values in row_values
    ]
    return Matrix(row_axes, [" ".join(column) or "商品" for column in column_values], rows)


def _build_cell(
    family: ProductFamily, member: FamilyMember | None, values: tuple[str, ...]
) -> Cell:
    """Return a cell of the family's table: the member with the links to its product and its
    removal, or an empty cell with the link that adds a member with these values.
    """
    page = reverse("admin:catalog_productfamily_change", args=[family.pk]).removesuffix("change/")
    if member is None:
        query = urlencode(dict(zip(family.axes, values, strict=True)))
        return Cell(None, add_page=f"{page}add-member/?{query}")
    return Cell(
        member,
        product_page=reverse("admin:catalog_product_change", args=[member.product_id]),
        remove_page=f"{page}remove-member/?{urlencode({'code': member.product.code})}",
    )


@admin.register(ProductFamily)
class ProductFamilyAdmin(DocumentActsMixin, ServiceFormMixin, ImportExportMixin, CatalogueAdmin):
    """Product families with their axes and members. The services of `families` write; staff add and
    remove products on the page of a family.
    """

    form = FamilyForm
    service_key = "family_id"
    import_kinds = ("families", "family_members")
    list_display = ("code", "name", "category", "axes_text", "member_count", "is_active")
    list_display_links = ("code", "name")
    list_select_related = ("category",)
    list_filter = ("is_active", ("category", AutocompleteSelectFilter))
    search_fields = ("code", "name", "members__product__code")
    search_help_text = "按编码、名称或成员的商品编码搜索"
    autocomplete_fields = ("category",)
    readonly_fields = ("matrix",)
    fieldsets = (
        (None, {"fields": (("code", "is_active"), "name", "category", "axes")}),
        ("成员", {"fields": ("matrix",)}),
    )
    acts = (
        DocumentAct(
            path="add-member",
            title="添加商品",
            icon="add",
            service=family_member_add,
            form=MemberAddForm,
            arguments=lambda form: dict(form.arguments),
            permission="change",
            template="admin/catalog/family_member.html",
        ),
        DocumentAct(
            path="remove-member",
            title="移出商品",
            icon="remove",
            service=family_member_remove,
            form=MemberRemoveForm,
            permission="change",
            is_destructive=True,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[ProductFamily]:
        queryset: QuerySet[ProductFamily] = super().get_queryset(request)
        members = count_related(FamilyMember.objects.all(), "family")
        return queryset.annotate(count_of_members=members)

    def list_act_documents(self) -> QuerySet[ProductFamily]:
        return ProductFamily.objects.select_related("category")

    def list_act_facts(self, document: ProductFamily) -> list[tuple[str, object]]:
        """Return the family as pairs of title and value, shown above the form of an action."""
        return [
            ("三级类目", document.category.name),
            ("可选项", SEPARATOR.join(document.axes)),
            ("成员", document.members.count()),
        ]

    def list_allowed_acts(self, document: ProductFamily) -> Collection[str]:
        return ("add-member", "remove-member") if document.members.exists() else ("add-member",)

    @display(description="可选项")
    def axes_text(self, family: ProductFamily) -> str:
        """Return the names of the axes."""
        return "、".join(family.axes)

    @display(description="成员数", ordering="count_of_members")
    def member_count(self, family: Any) -> int:
        """Return the number of members."""
        return int(family.count_of_members)

    def get_object(self, request: HttpRequest, object_id: str, from_field: Any = None) -> Any:
        """Return the family, and note on it whether the person may change it. The list of members
        shows its form only then.
        """
        family: Any = super().get_object(request, object_id, from_field)
        if family is not None:
            family.is_changeable = self.has_change_permission(request, family)
        return family

    @display(description="成员矩阵")
    def matrix(self, family: Any) -> SafeString | str:
        """Return the members as a table of their values."""
        if family.pk is None:
            return "保存后可添加商品"
        is_changeable = getattr(family, "is_changeable", False)
        context = {"matrix": get_matrix(family), "is_changeable": is_changeable}
        return render_to_string("admin/catalog/family_matrix.html", context)

    def save_by_service(
        self, request: HttpRequest, row: ProductFamily, form: Any, *, is_new: bool
    ) -> ProductFamily:
        return family_save(actor=get_request_staff(request), family=row)

    def delete_by_service(self, request: HttpRequest, row: ProductFamily) -> None:
        family_delete(actor=get_request_staff(request), family=row)


auditlog.register(ProductFamily)
