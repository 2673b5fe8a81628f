"""Owners of open work in lists: a column, a filter, and the actions 认领 and 退回."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.owners import (
    OWNER_CHOICES,
    build_owner_name_expression,
    filter_by_owner,
    get_work_kind,
    work_give_back,
    work_take,
)
from apps.office.pages import PageBase

OWNER = "owner"
OWNER_ACTIONS = ("take_chosen", "give_back_chosen")


class OwnerFilter(admin.SimpleListFilter):
    """Filters by own work and by work without an owner."""

    title = "负责人"
    parameter_name = OWNER

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return OWNER_CHOICES

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(filter_by_owner(queryset.model, self.value(), staff=request.user))


class WorkOwnerMixin(PageBase):
    """Mixin for a page of open work. Add `*OWNER_ACTIONS` to its `actions`."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows annotated with `owner_name`."""
        rows: QuerySet[Any] = super().get_queryset(request)
        rows_with_owner: QuerySet[Any] = rows.annotate(
            owner_name=build_owner_name_expression(self.model)
        )
        return rows_with_owner

    def get_list_display(self, request: HttpRequest) -> Any:
        return (*super().get_list_display(request), "owner_text")

    def get_list_filter(self, request: HttpRequest) -> Any:
        return (OwnerFilter, *super().get_list_filter(request))

    @admin.display(description="负责人")
    def owner_text(self, row: Any) -> str:
        """Return the owner's name, or a dash."""
        return row.owner_name or "—"

    @admin.action(description="认领：由我处理所选", permissions=["act"])
    def take_chosen(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Make the user the owner of the selected rows that have none."""
        ids = list(queryset.order_by().values_list("pk", flat=True))
        taken_count = work_take(staff=request.user, kind=get_work_kind(self.model), ids=ids)
        taken_by_others = len(ids) - taken_count
        text = f"已认领 {taken_count} 项" + (
            f"；另有 {taken_by_others} 项已由同事认领" if taken_by_others else ""
        )
        messages.add_message(
            request, messages.WARNING if taken_by_others else messages.SUCCESS, text
        )

    @admin.action(description="退回：不再由我处理所选", permissions=["act"])
    def give_back_chosen(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        ids = list(queryset.order_by().values_list("pk", flat=True))
        returned_count = work_give_back(staff=request.user, kind=get_work_kind(self.model), ids=ids)
        messages.success(request, f"已退回 {returned_count} 项，可由同事认领")
