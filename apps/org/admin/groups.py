"""集团, 企业 and 部门 in the back office. Staff open, change and close customers here, by the same
services as the API. Credit has a separate page.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminImageFieldWidget

from apps.common.errors import DomainError
from apps.office.cells import build_money_column
from apps.office.choices import GroupSearchMixin, limit_to_group
from apps.office.pages import display
from apps.office.service_forms import get_form_values
from apps.org.admin.base import KeptAdmin, OrgAdmin, get_staff_account
from apps.org.enums import InvoiceKind, PaymentKind
from apps.org.models import Account, Department, Enterprise, Group
from apps.org.services.department import (
    API_NAMES,
    department_create,
    department_delete,
    department_move,
    department_update,
)
from apps.org.services.department_merge import department_disable
from apps.org.services.group import (
    ENTERPRISE_API_NAMES,
    ENTERPRISE_LABELS,
    enterprise_create,
    enterprise_delete,
    enterprise_update,
    get_logo_data_url,
    group_open,
    group_update,
)
from apps.org.services.staff import staff_as_group_admin


class GroupForm(forms.ModelForm[Group]):
    """The logo is uploaded as a picture and stored as a small data URL."""

    picture = forms.FileField(
        label="集团标识图片",
        required=False,
        widget=UnfoldAdminImageFieldWidget,
        help_text="PNG、JPEG 或 WebP，2MB 以内",
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
            *(
                "code",
                "name",
                "short_name",
                "industry",
                "theme_color",
                "is_active",
                "allows_wechat_work",
            ),
            *(
                "payment_kinds",
                "invoice_kinds",
                "over_budget",
                "budget_choice",
                "session_hours",
                "has_single_session",
                "requires_second_factor",
            ),
            *("approval_remind_hours", "approval_escalate_hours"),
        ]

    def clean_picture(self) -> str:
        upload = self.cleaned_data.get("picture")
        if not upload:
            return ""
        try:
            return get_logo_data_url(upload)
        except DomainError as error:
            raise forms.ValidationError(error.text) from error


@admin.register(Group)
class GroupAdmin(KeptAdmin):
    form = GroupForm
    list_display = ("code", "name", "industry", "is_active", "allows_wechat_work", "created_at")
    list_filter = ("is_active", "allows_wechat_work")
    search_fields = ("code", "name", "short_name", "industry")

    def save_by_service(
        self, request: HttpRequest, row: Group, form: Any, *, is_new: bool
    ) -> Group:
        logo = form.cleaned_data.get("picture") or row.logo
        if is_new:
            row.logo = logo
            return group_open(staff=get_staff_account(request), group=row)
        changes = get_form_values(form, GroupForm.Meta.fields)
        with staff_as_group_admin(staff=get_staff_account(request), group_id=row.pk) as actor:
            return group_update(actor=actor, pk=str(row.pk), changes={**changes, "logo": logo})


@admin.register(Enterprise)
class EnterpriseAdmin(GroupSearchMixin, OrgAdmin):
    """Enterprises of all groups. The services of the customer's API save and delete. The credit is
    changed only on the page 月结信用.
    """

    wire = {key: name for name, key in ENTERPRISE_API_NAMES.items()}
    list_display = (
        "code",
        "name",
        "group",
        "credit_code",
        build_money_column("credit_limit", "信用额度"),
        "is_active",
    )
    list_filter = ("is_active", ("group", AutocompleteSelectFilter))
    list_select_related = ("group",)
    search_fields = ("code", "name", "credit_code")
    ordering = ("group_id", "code")
    autocomplete_fields = ("group",)
    # The page of 月结信用 changes the credit and asks for a reason.
    credit = ("credit_limit", "credit_policy", "credit_days", "credit_page")
    fieldsets = (
        (None, {"fields": ("group", ("code", "name"), ("credit_code", "phone"), "is_active")}),
        ("地址", {"fields": (("province", "city"), ("district", "street"))}),
        (
            "月结信用",
            {"fields": (("credit_limit", "credit_days"), ("credit_policy", "credit_page"))},
        ),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Enterprise | None = None) -> Any:
        return self.fieldsets if obj is not None else self.fieldsets[:2]

    def get_readonly_fields(
        self, request: HttpRequest, obj: Enterprise | None = None
    ) -> tuple[str, ...]:
        """The group of an existing enterprise cannot change, because people, orders and
        invoices refer to both.
        """
        return (*self.credit, "group") if obj is not None else self.credit

    def save_by_service(
        self, request: HttpRequest, row: Enterprise, form: Any, *, is_new: bool
    ) -> Enterprise:
        fields = get_form_values(form, ENTERPRISE_LABELS)
        with staff_as_group_admin(staff=get_staff_account(request), group_id=row.group_id) as actor:
            if is_new:
                return enterprise_create(actor=actor, fields=fields)
            return enterprise_update(actor=actor, pk=str(row.pk), changes=fields)

    def delete_by_service(self, request: HttpRequest, row: Enterprise) -> None:
        with staff_as_group_admin(staff=get_staff_account(request), group_id=row.group_id) as actor:
            enterprise_delete(actor=actor, pk=str(row.pk))

    @display(description="已用与可用")
    def credit_page(self, enterprise: Enterprise) -> str:
        """Return a link to the page that shows the amount owed and changes the credit limit
        with a reason.
        """
        page = reverse("admin:orders_creditaccount_change", args=[enterprise.pk])
        return format_html(
            '<a class="text-primary-600 dark:text-primary-500" href="{}">查看与调整</a>', page
        )


PLAIN = ("code", "name", "cost_center")


def _key(row: Any) -> str | None:
    return None if row is None else str(row.pk)


@transaction.atomic
def _change_department(actor: Account, pk: str, form: Any) -> Department:
    """Rename, move, enable or disable the department. Each change calls its own service, which
    writes one history entry.
    """
    values, changed_names = form.cleaned_data, set(form.changed_data)
    fields: dict[str, Any] = get_form_values(form, PLAIN)
    if "head" in changed_names:
        fields["head_id"] = _key(values["head"])
    if "is_active" in changed_names and values["is_active"]:
        fields["is_active"] = True
    if "parent" in changed_names:
        department_move(actor=actor, pk=pk, parent_id=_key(values["parent"]))
    department = department_update(actor=actor, pk=pk, changes=fields)
    if "is_active" in changed_names and not values["is_active"]:
        department = department_disable(actor=actor, pk=pk)
    return department


@admin.register(Department)
class DepartmentAdmin(GroupSearchMixin, OrgAdmin):
    """Departments of all groups. The services of the customer's API save and delete, under the lock
    of the enterprise.
    """

    wire = {"EnterpriseId": "enterprise", **{key: name for name, key in API_NAMES.items()}}
    fields = ("enterprise", "parent", ("code", "name"), ("head", "cost_center"), "is_active")
    list_display = ("code", "name", "enterprise", "parent", "head", "is_active")
    list_filter = ("is_active", ("enterprise", AutocompleteSelectFilter))
    list_select_related = ("enterprise", "parent", "head")
    search_fields = ("code", "name", "enterprise__name")
    ordering = ("group_id", "enterprise_id", "code")
    autocomplete_fields = ("enterprise", "parent", "head")

    def get_fields(self, request: HttpRequest, obj: Department | None = None) -> Any:
        return self.fields if obj is not None else self.fields[:-1]

    def get_readonly_fields(
        self, request: HttpRequest, obj: Department | None = None
    ) -> tuple[str, ...]:
        """The enterprise of an existing department cannot change."""
        return ("enterprise",) if obj is not None else ()

    def get_form(
        self,
        request: HttpRequest,
        obj: Department | None = None,
        change: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Offer only people and departments of the department's group."""
        form = super().get_form(request, obj, change=change, **kwargs)
        for name in ("parent", "head"):
            if obj is not None and name in form.base_fields:
                limit_to_group(form.base_fields[name].widget, group_id=obj.group_id)
        return form

    def save_by_service(
        self, request: HttpRequest, row: Department, form: Any, *, is_new: bool
    ) -> Department:
        with staff_as_group_admin(
            staff=get_staff_account(request), group_id=row.enterprise.group_id
        ) as actor:
            if not is_new:
                return _change_department(actor, str(row.pk), form)
            values = form.cleaned_data
            place = {
                "enterprise_id": str(row.enterprise_id),
                "parent_id": _key(values["parent"]),
                "head_id": _key(values["head"]),
            }
            return department_create(actor=actor, fields={**get_form_values(form, PLAIN), **place})

    def delete_by_service(self, request: HttpRequest, row: Department) -> None:
        with staff_as_group_admin(staff=get_staff_account(request), group_id=row.group_id) as actor:
            department_delete(actor=actor, pk=str(row.pk))
