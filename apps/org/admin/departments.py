"""部门 in the back office. Pages use the same services as the API to save, move and disable."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.office.choices import GroupSearchMixin, limit_to_group
from apps.office.service_forms import values_of
from apps.org.admin.base import OrgAdmin, staff_in
from apps.org.models import Account, Department
from apps.org.services.department import (
    WIRE,
    department_create,
    department_delete,
    department_move,
    department_update,
)
from apps.org.services.department_merge import department_disable
from apps.org.services.staff import staff_as_group_admin

PLAIN = ("code", "name", "cost_center")


def _key(row: Any) -> str | None:
    return None if row is None else str(row.pk)


@transaction.atomic
def _changed(actor: Account, pk: str, form: Any) -> Department:
    """Rename, move, enable or disable the department. Each change calls its own service, which
    writes one history entry.
    """
    filled, changed = form.cleaned_data, set(form.changed_data)
    fields: dict[str, Any] = values_of(form, PLAIN)
    if "head" in changed:
        fields["head_id"] = _key(filled["head"])
    if "is_active" in changed and filled["is_active"]:
        fields["is_active"] = True
    if "parent" in changed:
        department_move(actor=actor, pk=pk, parent_id=_key(filled["parent"]))
    saved = department_update(actor=actor, pk=pk, changes=fields)
    if "is_active" in changed and not filled["is_active"]:
        saved = department_disable(actor=actor, pk=pk)
    return saved


@admin.register(Department)
class DepartmentAdmin(GroupSearchMixin, OrgAdmin):
    wire = {"EnterpriseId": "enterprise", **{key: name for name, key in WIRE.items()}}
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
            staff=staff_in(request), group_id=row.enterprise.group_id
        ) as actor:
            if not is_new:
                return _changed(actor, str(row.pk), form)
            filled = form.cleaned_data
            place = {
                "enterprise_id": str(row.enterprise_id),
                "parent_id": _key(filled["parent"]),
                "head_id": _key(filled["head"]),
            }
            return department_create(actor=actor, fields={**values_of(form, PLAIN), **place})

    def delete_by_service(self, request: HttpRequest, row: Department) -> None:
        with staff_as_group_admin(staff=staff_in(request), group_id=row.group_id) as actor:
            department_delete(actor=actor, pk=str(row.pk))
