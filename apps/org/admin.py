"""The organisation in the back office. It runs in the platform's scope: what must stay inside one group is checked by the models."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminImageFieldWidget

from apps.common.admin.group_search import GroupSearchMixin
from apps.common.admin.listing import ListedAdmin
from apps.common.errors import DomainError
from apps.org.enums import InvoiceKind, PaymentKind
from apps.org.locks import lock_group
from apps.org.logo import logo_data_url
from apps.org.menus import MENU_TREE
from apps.org.models import Address, Department, Enterprise, Group, InvoiceTitle, Role
from apps.org.selectors.departments import holds_any
from apps.org.services.department_tree import lock_tree
from apps.org.services.group_begin import group_begin


class GroupForm(forms.ModelForm):  # type: ignore[type-arg]
    """The mark is uploaded as a picture and kept as a small data URL."""

    picture = forms.FileField(
        label="集团标识图片", required=False, widget=UnfoldAdminImageFieldWidget, help_text="PNG、JPEG 或 WebP，2MB 以内"
    )

    payment_kinds = forms.MultipleChoiceField(
        label="允许的付款方式",
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        choices=PaymentKind.choices,
        help_text="不选为全部",
    )
    invoice_kinds = forms.MultipleChoiceField(
        label="允许的发票种类",
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        choices=InvoiceKind.choices,
        help_text="不选为全部",
    )

    class Meta:
        model = Group
        fields = [
            *("code", "name", "short_name", "industry", "theme_color", "is_active", "allows_wechat_work"),
            *("payment_kinds", "invoice_kinds", "over_budget", "session_hours", "has_single_session"),
            *("approval_remind_hours", "approval_escalate_hours"),
        ]

    def clean_picture(self) -> str:
        upload = self.cleaned_data.get("picture")
        if not upload:
            return ""
        try:
            return logo_data_url(upload)
        except DomainError as error:
            raise forms.ValidationError(error.text) from error


class RoleForm(forms.ModelForm):  # type: ignore[type-arg]
    """Menu codes as boxes to tick, by group."""

    menu_codes = forms.MultipleChoiceField(
        label="菜单权限",
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        choices=[(code, f"{name} · {text}") for name, entries in MENU_TREE.values() for code, text in entries],
    )

    class Meta:
        model = Role
        fields = ["group", "code", "name", "data_scope", "menu_codes"]


class DepartmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """Saved as the customers' own changes are: one after the other, and none is disabled with people or departments in it."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        enterprise, parent = cleaned.get("enterprise"), cleaned.get("parent")
        if enterprise is not None:
            lock_group(enterprise.group_id)
            lock_tree(enterprise.pk)
        if parent is not None:
            parent.refresh_from_db(fields=["parent", "is_active"])  # it may have been moved below this one before the lock
        if self.instance.pk and not cleaned.get("is_active") and holds_any(self.instance):
            raise forms.ValidationError({"is_active": "该部门还有启用的成员或下级部门，请先移走，或由客户在部门管理中合并"})
        return cleaned


class OrgAdmin(ListedAdmin):
    """What the pages share."""

    warn_unsaved_form = True
    list_filter_submit = True


@admin.register(Group)
class GroupAdmin(OrgAdmin):
    form = GroupForm
    list_display = ("code", "name", "industry", "is_active", "allows_wechat_work", "created_at")
    list_filter = ("is_active", "allows_wechat_work")
    search_fields = ("code", "name", "short_name", "industry")

    def save_model(self, request: HttpRequest, obj: Group, form: forms.ModelForm[Group], change: bool) -> None:
        obj.logo = form.cleaned_data.get("picture") or obj.logo
        super().save_model(request, obj, form, change)
        if not change:
            group_begin(group=obj)


class OwnedByEnterpriseAdmin(OrgAdmin):
    """The row's group is its enterprise's."""

    exclude = ("group",)

    def save_model(self, request: HttpRequest, obj: Any, form: forms.ModelForm[Any], change: bool) -> None:
        obj.group_id = obj.enterprise.group_id
        super().save_model(request, obj, form, change)


@admin.register(Enterprise)
class EnterpriseAdmin(GroupSearchMixin, OrgAdmin):
    list_display = ("code", "name", "group", "credit_code", "credit_limit", "is_active")
    list_filter = ("is_active", ("group", AutocompleteSelectFilter))
    list_select_related = ("group",)
    search_fields = ("code", "name", "credit_code")
    autocomplete_fields = ("group",)
    # Given with a reason, on the page of 月结信用.
    readonly_fields = ("credit_limit", "credit_policy", "credit_days")


@admin.register(Department)
class DepartmentAdmin(GroupSearchMixin, OwnedByEnterpriseAdmin):
    form = DepartmentForm
    list_display = ("code", "name", "enterprise", "parent", "head", "is_active")
    list_filter = ("is_active", ("enterprise", AutocompleteSelectFilter))
    list_select_related = ("enterprise", "parent", "head")
    search_fields = ("code", "name", "enterprise__name")
    autocomplete_fields = ("enterprise", "parent", "head")


@admin.register(Role)
class RoleAdmin(GroupSearchMixin, OrgAdmin):
    form = RoleForm
    list_display = ("code", "name", "group", "data_scope")
    list_filter = ("data_scope", ("group", AutocompleteSelectFilter))
    list_select_related = ("group",)
    search_fields = ("code", "name", "group__name")
    autocomplete_fields = ("group",)


@admin.register(Address)
class AddressAdmin(OrgAdmin):
    list_display = ("receiver", "mobile", "full_text", "group", "enterprise", "account", "is_default", "is_active")
    list_filter = ("is_active", ("group", AutocompleteSelectFilter))
    list_select_related = ("group", "enterprise", "account")
    search_fields = ("receiver", "mobile", "street")
    autocomplete_fields = ("group", "enterprise", "department", "account")


@admin.register(InvoiceTitle)
class InvoiceTitleAdmin(OwnedByEnterpriseAdmin):
    list_display = ("title", "tax_number", "enterprise", "is_default", "has_special_qualification", "is_active")
    list_filter = ("is_active", "has_special_qualification")
    list_select_related = ("enterprise",)
    search_fields = ("title", "tax_number", "enterprise__name")
    autocomplete_fields = ("enterprise",)
