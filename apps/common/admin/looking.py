"""Rows that are looked at: nothing is typed into them, their changes are acts that call the services."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import TabularInline

from apps.common.admin.listing import ListedAdmin


class NothingTyped:
    """No form adds, changes or deletes."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class LookingAdmin(NothingTyped, ListedAdmin):
    """A page without a save button; who has the right to change may act (`permissions=["act"]`)."""

    list_filter_submit = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(self._may(request, "view") or self._may(request, "change"))

    def has_act_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Whether the person may act on such rows at all; the services know the states."""
        return self._may(request, "change")

    def _may(self, request: HttpRequest, verb: str) -> bool:
        return bool(request.user.has_perm(f"{self.opts.app_label}.{verb}_{self.opts.model_name}"))


class LookingInline(NothingTyped, TabularInline):  # type: ignore[misc]
    """Rows to look at below their owner, for whoever may look at the owner."""

    # What its rows show of other tables is read with them.
    list_select_related: tuple[str, ...] = ()
    extra = 0
    max_num = 0
    can_delete = False
    show_change_link = False
    hide_title = True
    # A table of nothing but its header says that there is nothing.
    template_after = "admin/inline_empty.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.select_related(*self.list_select_related) if self.list_select_related else rows
