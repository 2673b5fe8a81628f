"""Sign-ins and bindings of 企业微信 in the back office. Sign-ins are viewed and ended, bindings are
created and deleted. Neither is changed.
"""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import RangeDateTimeFilter

from apps.common.errors import DomainError
from apps.identity.models import SessionKey, TokenFamily, WeChatWorkAccount
from apps.identity.services.family import sign_ins_end_by_staff
from apps.identity.services.wechat_work import TAKEN, wechat_work_link
from apps.identity.wechat_work import get_wechat_work_provider
from apps.office.lists import OfficeAdmin
from apps.office.pages import get_request_staff


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
    """Sign-ins of all accounts, read-only. The only action ends them."""

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
        family_ids = queryset.values_list("pk", flat=True)
        ended_count = sign_ins_end_by_staff(
            staff=get_request_staff(request), family_ids=list(family_ids)
        )
        self.message_user(request, f"已结束 {ended_count} 个登录会话", messages.SUCCESS)


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


class WeChatWorkAccountForm(forms.ModelForm[WeChatWorkAccount]):
    """Member and account. The corp comes from the settings."""

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        try:
            corp_id = get_wechat_work_provider().corp_id
        except DomainError as error:
            raise forms.ValidationError(error.text) from error
        account = values.get("account")
        if account is not None and account.group_id is None:
            raise forms.ValidationError({"account": "运营人员不能绑定企业微信，请选择客户的账号"})
        bindings = WeChatWorkAccount.objects.filter(corp_id=corp_id)
        if (
            bindings.filter(user_id=values.get("user_id")).exists()
            or bindings.filter(account=account).exists()
        ):
            raise forms.ValidationError(TAKEN)
        return values


@admin.register(WeChatWorkAccount)
class WeChatWorkAccountAdmin(OfficeAdmin):
    form = WeChatWorkAccountForm
    fields = ("user_id", "account")
    list_display = ("user_id", "account", "bound_by", "created_at", "used_at")
    list_select_related = ("account", "bound_by")
    search_fields = ("user_id", "account__username", "account__nickname")
    autocomplete_fields = ("account",)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def save_model(
        self, request: HttpRequest, obj: WeChatWorkAccount, form: Any, change: bool
    ) -> None:
        """Save with the service, which notifies the owner."""
        corp_id = get_wechat_work_provider().corp_id
        binding = wechat_work_link(
            account=obj.account,
            corp_id=corp_id,
            user_id=obj.user_id,
            by=get_request_staff(request),
        )
        obj.pk = binding.pk


auditlog.register(WeChatWorkAccount, exclude_fields=["used_at"])
