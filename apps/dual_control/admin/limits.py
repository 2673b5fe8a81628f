"""复核额度 in the back office: one table with the limits of each job for each kind of act."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from apps.dual_control.controlled import get_act_title
from apps.dual_control.models import ActLimit
from apps.dual_control.services.limits import act_limit_save
from apps.office.cells import format_yuan
from apps.office.pages import get_request_staff
from apps.office.service_forms import ServiceFormAdmin


@admin.register(ActLimit)
class ActLimitAdmin(ServiceFormAdmin):
    """The rows exist for each act and job of its registration. Only a superuser changes them."""

    list_display = ("act", "job", "alone_text", "release_text")
    fields = ("act", "job", "alone", "release")
    readonly_fields = ("act", "job")
    warn_unsaved_form = True

    @admin.display(description="操作", ordering="kind")
    def act(self, row: ActLimit) -> str:
        return get_act_title(row.kind)

    @admin.display(description="单人上限", ordering="alone")
    def alone_text(self, row: ActLimit) -> str:
        """Return the amount that one person may do."""
        if row.alone is None:
            return "不限"
        return format_yuan(row.alone) if row.alone else "每次都须复核"

    @admin.display(description="复核上限", ordering="release")
    def release_text(self, row: ActLimit) -> str:
        """Return the amount that a person may release for others."""
        if row.release is None:
            return "不限"
        return format_yuan(row.release) if row.release else "不能复核"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(get_request_staff(request).is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_by_service(self, request: HttpRequest, row: Any, form: Any, *, is_new: bool) -> Model:
        return act_limit_save(actor=get_request_staff(request), row=row)


auditlog.register(ActLimit)
