"""企业微信 bindings in the back office: create and delete, no changes."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin
from django.http import HttpRequest

from apps.common.errors import DomainError
from apps.identity.models import WeChatWorkAccount
from apps.identity.services.wechat_work import TAKEN, wechat_work_link
from apps.identity.wechat_work import wechat_work_provider
from apps.office.lists import OfficeAdmin
from apps.office.pages import request_staff


class WeChatWorkAccountForm(forms.ModelForm[WeChatWorkAccount]):
    """Member and account. The corp comes from the settings."""

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        try:
            corp_id = wechat_work_provider().corp_id
        except DomainError as error:
            raise forms.ValidationError(error.text) from error
        account = cleaned.get("account")
        if account is not None and account.group_id is None:
            raise forms.ValidationError({"account": "运营人员不能绑定企业微信，请选择客户的账号"})
        bound = WeChatWorkAccount.objects.filter(corp_id=corp_id)
        if (
            bound.filter(user_id=cleaned.get("user_id")).exists()
            or bound.filter(account=account).exists()
        ):
            raise forms.ValidationError(TAKEN)
        return cleaned


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
        corp_id = wechat_work_provider().corp_id
        bound = wechat_work_link(
            account=obj.account,
            corp_id=corp_id,
            user_id=obj.user_id,
            by=request_staff(request),
        )
        obj.pk = bound.pk


auditlog.register(WeChatWorkAccount, exclude_fields=["used_at"])
