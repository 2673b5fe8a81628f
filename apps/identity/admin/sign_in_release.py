"""解除登录限速: release a colleague whose name is slowed down at the back office's sign-in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.common.keys import key_of
from apps.identity.services.sign_in_release import get_slow_down, sign_in_release
from apps.office.acts import Act, ActPageMixin
from apps.office.decorators import action
from apps.org.admin.base import staff_in
from apps.org.models import Account

TITLE = "解除登录限速"
NOTICE = (
    "清零该账号名在陌生浏览器和地址上累计的登录失败，可以立即再次登录；密码不变。"
    "本人常用浏览器和常用地址的等待另行计算，最长 5 分钟。操作人、原因和来源 IP 写入操作日志。"
)


class ReleaseForm(forms.Form):
    reason = forms.CharField(
        label="原因",
        max_length=100,
        help_text="例如：本人来电，出差在外更换电脑，已核对身份",
        error_messages={"required": "请填写原因"},
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "maxlength": 100, "autofocus": True}),
    )


class SignInReleaseMixin(ActPageMixin):
    """Adds the button to the page of a staff account."""

    def has_release_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Requires the permission to release rate limits. Only staff accounts have this
        slow-down.
        """
        if not request.user.has_perm("common.release_rateblock"):
            return False
        return (
            object_id is None
            or Account.objects.filter(pk=key_of(object_id), is_staff=True).exists()
        )

    @action(
        description=TITLE, url_path="sign-in-release", icon="lock_open", permissions=["release"]
    )
    def sign_in_release(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason and release the name."""
        account: Account = get_object_or_404(Account, pk=key_of(object_id))
        slow_down = get_slow_down(account)
        facts: list[tuple[str, object]] = [
            ("登录失败", f"{slow_down.failures} 次"),
            ("还须等待", f"{slow_down.wait} 秒" if slow_down.wait else "无需等待"),
        ]
        act = Act(
            title=TITLE,
            subject=str(account),
            page=reverse("admin:org_account_change", args=[account.pk]),
            form=ReleaseForm(request.POST or None),
            facts=facts,
            notice=NOTICE,
        )
        return self.act_page(
            request,
            act,
            lambda filled: sign_in_release(
                staff=staff_in(request), account=account, reason=filled["reason"]
            ),
        )
