"""Read-only pages and inline tables. Changes are actions that call services."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import TabularInline

from apps.office.lists import OfficeAdmin


class ReadOnlyPermissionsMixin:
    """Denies add, change and delete."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnlyPermissionsMixin, OfficeAdmin):
    """A page without a save button.

    The change permission allows the page's actions (`permissions=["act"]`).
    """

    list_filter_submit = True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(self._may(request, "view") or self._may(request, "change"))

    def has_act_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the person may run actions. The services check the state of each row."""
        return self._may(request, "change")

    def _may(self, request: HttpRequest, verb: str) -> bool:
        return bool(request.user.has_perm(f"{self.opts.app_label}.{verb}_{self.opts.model_name}"))


class ReadOnlyInline(ReadOnlyPermissionsMixin, TabularInline):
    """A read-only inline table. It is visible to everybody who may view the parent row."""

    # Relations to fetch together with the rows.
    list_select_related: tuple[str, ...] = ()
    extra = 0
    max_num = 0
    can_delete = False
    show_change_link = False
    hide_title = True
    # The template writes a hint below a table without rows.
    template_after = "admin/inline_empty.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.select_related(*self.list_select_related) if self.list_select_related else rows
