"""角色 in the back office. Menu codes are checkboxes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from apps.office.choices import GroupSearchMixin
from apps.org.admin.base import OrgAdmin, staff_in
from apps.org.admin.limits import LimitsMixin
from apps.org.menus import MENU_TREE
from apps.org.models import Role
from apps.org.services.role import RoleForm, role_create, role_delete, role_update
from apps.org.services.staff import staff_as_group_admin


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
        with staff_as_group_admin(staff=staff_in(request), group_id=row.group_id) as actor:
            if is_new:
                return role_create(actor=actor, form=RoleForm(**values))
            return role_update(actor=actor, pk=row.pk, changes=values, seen_at=None)

    def delete_by_service(self, request: HttpRequest, row: Role) -> None:
        with staff_as_group_admin(staff=staff_in(request), group_id=row.group_id) as actor:
            role_delete(actor=actor, pk=row.pk)
