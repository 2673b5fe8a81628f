"""Sign-ins in the back office: view and end, no creation or change."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import RangeDateTimeFilter

from apps.identity.models import SessionKey, TokenFamily
from apps.identity.services.family import sign_ins_end_by_staff
from apps.office.lists import OfficeAdmin
from apps.office.pages import request_staff


class SeenOnly(OfficeAdmin):
    """A read-only page."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(TokenFamily)
class TokenFamilyAdmin(SeenOnly):
    list_display = (
        "account",
        "client_address",
        "created_at",
        "used_at",
        "revoked_at",
        "revoked_why",
        "impersonator",
        "reason",
    )
    list_select_related = ("account", "impersonator")
    list_filter = (("created_at", RangeDateTimeFilter), ("revoked_at", admin.EmptyFieldListFilter))
    search_fields = ("account__username", "account__nickname", "client_address")
    fields = (
        *("account", "impersonator", "reason", "client_address", "user_agent", "generation"),
        *("created_at", "used_at", "expires_at", "revoked_at", "revoked_why"),
    )
    actions = ("revoke",)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Staff who may change accounts may end their sign-ins."""
        return bool(request.user.has_perm("org.change_account"))

    @admin.action(description="结束所选登录会话", permissions=["revoke"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[TokenFamily]) -> None:
        chosen = queryset.values_list("pk", flat=True)
        ended = sign_ins_end_by_staff(staff=request_staff(request), family_ids=list(chosen))
        self.message_user(request, f"已结束 {ended} 个登录会话", messages.SUCCESS)


@admin.register(SessionKey)
class SessionKeyAdmin(SeenOnly):
    list_display = (
        "account",
        "issuer",
        "issued_by",
        "reason",
        "created_at",
        "expires_at",
        "used_at",
    )
    list_select_related = ("account", "issued_by")
    list_filter = ("issuer",)
    search_fields = ("account__username", "account__nickname")
    fields = (
        "account",
        "issuer",
        "issued_by",
        "reason",
        "return_url",
        "redirect",
        "created_at",
        "expires_at",
        "used_at",
    )
