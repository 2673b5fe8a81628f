"""以客户身份登录: the staff member enters a reason and gets a one-time URL."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.common.errors import DomainError
from apps.common.keys import key_of
from apps.common.requests import client_address
from apps.identity.services.family import IMPERSONATION
from apps.identity.services.impersonation_begin import impersonation_begin
from apps.office.acts import Act
from apps.office.bases import PageBase
from apps.office.decorators import action, request_staff
from apps.org.models import Account

NOTICE = (
    "商城每一页都会显示您的姓名、原因和剩余时间；下单、收货等操作记在您名下。"
    "不能审批、支付，也不能修改客户的资料和密码。申请、登录和结束都会写入操作日志。"
)


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label="代登录原因",
        max_length=100,
        help_text="例如：客户来电，协助核对 11 月对账订单",
        error_messages={"required": "请填写代登录原因"},
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "maxlength": 100, "autofocus": True}),
    )


class ImpersonatingMixin(PageBase):
    """Adds the button to the account page."""

    def has_impersonate_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Requires the permission `impersonate_account`. Staff accounts cannot be impersonated."""
        if not request.user.has_perm("identity.impersonate_account"):
            return False
        return (
            object_id is None
            or Account.objects.filter(pk=key_of(object_id), is_staff=False).exists()
        )

    @action(
        description="以客户身份登录",
        url_path="impersonate",
        icon="login",
        permissions=["impersonate"],
    )
    def impersonate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason, then show the URL. It works once and for five minutes."""
        return never_cache(self._impersonate)(request, object_id)

    def _impersonate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        account: Account = get_object_or_404(
            Account.objects.select_related("group", "enterprise"), pk=key_of(object_id)
        )
        form = ReasonForm(request.POST or None)
        page = reverse("admin:org_account_change", args=[account.pk])
        act = Act("以客户身份登录", str(account), page, form, self._facts(account), NOTICE)
        context = {
            **self.admin_site.each_context(request),
            "title": f"{act.title} · {act.subject}",
            "act": act,
            "form": form,
            "opts": self.opts,
        }
        if request.method == "POST" and form.is_valid():
            try:
                key = impersonation_begin(
                    actor=request_staff(request),
                    account=account,
                    reason=form.cleaned_data["reason"],
                    client=client_address(request),
                )
            except DomainError as error:
                form.add_error(None, error.text)
            else:
                address = request.build_absolute_uri(
                    "/?" + urlencode({"sessionKey": key, "adminLogin": "1"})
                )
                return TemplateResponse(
                    request, "admin/identity/impersonate.html", {**context, "address": address}
                )
        return TemplateResponse(request, "admin/act.html", context)

    @staticmethod
    def _facts(account: Account) -> list[tuple[str, object]]:
        minutes = int(IMPERSONATION.total_seconds() // 60)
        return [
            ("集团", account.group or "—"),
            ("企业", account.enterprise or "—"),
            ("最长时间", f"{minutes} 分钟，不可续期"),
        ]
