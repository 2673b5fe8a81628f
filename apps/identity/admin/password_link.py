"""发送设置密码链接: the staff member enters a reason, and the account's owner gets a one-time link
by
mail. Staff see neither the link nor a password.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.common.keys import key_of
from apps.identity.services.invitation import LINK_LIFETIME, Invitation
from apps.identity.services.staff_reset import password_link_send
from apps.office.acts import Act, ActPageMixin
from apps.office.decorators import action
from apps.org.admin.base import staff_in
from apps.org.models import Account

TITLE = "发送设置密码链接"
NOTICE = (
    f"一次性链接发送到客户登记的邮箱，{LINK_LIFETIME.days} 天内有效，只能使用一次，"
    "由客户本人设置新密码。"
    "发送后，原密码立即失效，该账号的全部登录随之结束。操作人、原因和来源 IP 写入操作日志。"
)


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label="原因",
        max_length=100,
        help_text="例如：客户来电，忘记密码且收不到验证码，已核对身份",
        error_messages={"required": "请填写原因"},
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "maxlength": 100, "autofocus": True}),
    )


class PasswordLinkMixin(ActPageMixin):
    """Adds the button to the page of a customer's account."""

    def has_password_link_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Requires the permission to change customers' accounts. Not available for staff
        accounts.
        """
        if not request.user.has_perm("org.change_account"):
            return False
        return (
            object_id is None
            or Account.objects.filter(pk=key_of(object_id), is_staff=False).exists()
        )

    @action(
        description=TITLE,
        url_path="password-link",
        icon="lock_reset",
        permissions=["password_link"],
    )
    def password_link(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason and send the letter."""
        account: Account = get_object_or_404(
            Account.objects.select_related("group"), pk=key_of(object_id)
        )
        form = ReasonForm(request.POST or None)
        state = "已设置" if account.has_usable_password() else "未设置"
        facts: list[tuple[str, object]] = [
            ("集团", account.group or "—"),
            ("邮箱", account.email or "未登记"),
            ("密码", state),
        ]
        page = reverse("admin:org_account_change", args=[account.pk])
        act = Act(TITLE, str(account), page, form, facts, NOTICE, result_text=_said)
        origin = request.build_absolute_uri("/").rstrip("/")
        return self.act_page(
            request,
            act,
            lambda filled: password_link_send(
                staff=staff_in(request), account=account, reason=filled["reason"], origin=origin
            ),
        )


def _said(invitation: Invitation) -> str:
    return f"一次性链接将发送至 {invitation.account.email}"
