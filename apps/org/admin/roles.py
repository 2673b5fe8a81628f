"""角色 in the back office, with menu codes as checkboxes, and 采购限额 on the pages of roles and
accounts. The services of `role` check and save them, and write the customer's history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest
from unfold.admin import TabularInline
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from apps.office.choices import ChoiceWidgetsMixin, GroupSearchMixin
from apps.office.pages import PageBase
from apps.org.admin.base import OrgAdmin, get_staff_account
from apps.org.menus import MENU_TREE
from apps.org.models import Account, PurchaseLimit, Role
from apps.org.services.role import (
    MAX_LIMITS,
    AccountTermsForm,
    LimitForm,
    RoleForm,
    account_terms_set,
    role_create,
    role_delete,
    role_update,
)
from apps.org.services.staff import staff_as_group_admin

if TYPE_CHECKING:
    LimitFormSetBase = BaseInlineFormSet[PurchaseLimit, Any, Any]
else:
    LimitFormSetBase = BaseInlineFormSet


class LimitFormSet(LimitFormSetBase):
    """The limits of one role or account, each category and period once."""

    def build_limits(self) -> list[LimitForm]:
        """Return the limits that are not deleted."""
        return [
            LimitForm(
                row["period"],
                row["amount"],
                row["action"],
                category_id=row["category"].pk if row["category"] else None,
            )
            for row in (form.cleaned_data for form in self.forms)
            if row.get("period") and not row.get("DELETE")
        ]

    def clean(self) -> None:
        if any(self.errors):
            return
        keys = [(limit.category_id, limit.period) for limit in self.build_limits()]
        if len(set(keys)) < len(keys):
            raise forms.ValidationError("每个类目的每个周期只能设置一个限额")


class LimitInline(ChoiceWidgetsMixin, TabularInline):
    model = PurchaseLimit
    formset = LimitFormSet
    fields = ("category", "period", "amount", "action")
    autocomplete_fields = ("category",)
    extra = 0
    max_num = MAX_LIMITS

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow deleting a limit to everybody who may change the role or the account."""
        return self.has_change_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may change the page's row may change its limits."""
        page = self.admin_site._registry[self.parent_model]
        return bool(page.has_change_permission(request, obj))


class LimitsMixin(PageBase):
    """A page of a role or an account with its limits. Staff accounts and new rows have none."""

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        is_customers = obj is not None and obj.group_id is not None
        return [*super().get_inlines(request, obj), *([LimitInline] if is_customers else [])]

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save the limits by the service. It raises a DomainError that the form shows."""
        if formset.model is not PurchaseLimit:
            super().save_formset(request, form, formset, change)
            return
        if formset.has_changed():
            _limits_save(request, form.instance, formset.build_limits())
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []


def _limits_save(request: HttpRequest, owner: Role | Account, limits: list[LimitForm]) -> None:
    group_id: Any = owner.group_id
    with staff_as_group_admin(staff=get_staff_account(request), group_id=group_id) as actor:
        if isinstance(owner, Role):
            changes = {"limits": tuple(limits)}
            role_update(actor=actor, pk=owner.pk, changes=changes, seen_at=None)
        else:
            form = AccountTermsForm(limits=tuple(limits))
            account_terms_set(actor=actor, pk=owner.pk, form=form)


class RolePageForm(forms.ModelForm[Role]):
    """Menu codes as checkboxes, grouped by menu."""

    menu_codes = forms.MultipleChoiceField(
        label="菜单权限",
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        choices=[
            (code, f"{name} · {text}")
            for name, entries in MENU_TREE.values()
            for code, text in entries
        ],
    )

    class Meta:
        model = Role
        fields = ["group", "code", "name", "data_scope", "purchasing", "menu_codes"]


@admin.register(Role)
class RoleAdmin(LimitsMixin, GroupSearchMixin, OrgAdmin):
    """Roles of all groups, with menu codes as checkboxes and the purchase limits of each role. The
    services save and write the customer's history.
    """

    form = RolePageForm
    wire = {
        "Code": "code",
        "Name": "name",
        "Purchasing": "purchasing",
        "MenuCodes": "menu_codes",
    }
    list_display = ("code", "name", "group", "data_scope", "purchasing")
    list_filter = ("data_scope", "purchasing", ("group", AutocompleteSelectFilter))
    list_select_related = ("group",)
    search_fields = ("code", "name", "group__name")
    ordering = ("group_id", "code")
    autocomplete_fields = ("group",)

    def get_readonly_fields(self, request: HttpRequest, obj: Role | None = None) -> tuple[str, ...]:
        """The group of an existing role cannot change."""
        return ("group",) if obj is not None else ()

    def save_by_service(self, request: HttpRequest, row: Role, form: Any, *, is_new: bool) -> Role:
        filled = form.cleaned_data
        # `save_formset` saves the limits. The choices at the checkout are not on this page.
        values = {
            "name": filled["name"],
            "menu_codes": tuple(filled["menu_codes"]),
            "data_scope": filled["data_scope"],
            "code": filled["code"],
            "purchasing": filled["purchasing"],
        }
        with staff_as_group_admin(staff=get_staff_account(request), group_id=row.group_id) as actor:
            if is_new:
                return role_create(actor=actor, form=RoleForm(**values))
            return role_update(actor=actor, pk=row.pk, changes=values, seen_at=None)

    def delete_by_service(self, request: HttpRequest, row: Role) -> None:
        with staff_as_group_admin(staff=get_staff_account(request), group_id=row.group_id) as actor:
            role_delete(actor=actor, pk=row.pk)
