"""Acts on the page of an account, each with a reason that the log keeps.

- 以客户身份登录: the staff member gets a one-time URL.
- 发送设置密码链接: the owner gets a one-time link by mail. Staff see neither the link nor the
  password.
- 解除登录限速: release a colleague whose name is slowed down at the back office's sign-in.
"""

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
from apps.common.numbers import parse_key
from apps.common.requests import get_client_address
from apps.identity.services.family import IMPERSONATION
from apps.identity.services.invitation import LINK_LIFETIME, Invitation, password_link_send
from apps.identity.services.second_factor import factor_reset, has_second_factor
from apps.identity.services.session_key import impersonation_begin
from apps.identity.services.sign_in_pace import get_slow_down, sign_in_release
from apps.office.acts import Act, ActPageMixin
from apps.office.pages import PageBase, action, get_request_staff
from apps.org.admin.base import get_staff_account
from apps.org.models import Account

IMPERSONATION_NOTICE = (
    "商城每一页都会显示您的姓名、原因和剩余时间；下单、收货等操作记在您名下。"
    "不能审批、支付，也不能修改客户的资料和密码。申请、登录和结束都会写入操作日志。"
)


LINK_TITLE = "发送设置密码链接"
LINK_NOTICE = (
    f"一次性链接发送到客户登记的邮箱，{LINK_LIFETIME.days} 天内有效，只能使用一次，"
    "由客户本人设置新密码。"
    "发送后，原密码立即失效，该账号的全部登录随之结束。操作人、原因和来源 IP 写入操作日志。"
)
RESET_TITLE = "重置两步验证"
RESET_NOTICE = (
    "请先核对本人身份。验证器、恢复码和免验证设备全部失效；该账号必须使用两步验证时，"
    "下次登录重新设置。本人会收到通知；操作人、原因和来源 IP 写入操作日志。"
)
RELEASE_TITLE = "解除登录限速"
RELEASE_NOTICE = (
    "清零该账号名在陌生浏览器和地址上累计的登录失败，可以立即再次登录；密码不变。"
    "本人常用浏览器和常用地址的等待另行计算，最长 5 分钟。操作人、原因和来源 IP 写入操作日志。"
)


def _build_reason_field(label: str, *, help_text: str) -> forms.CharField:
    """Return the required field for the reason of an act, at most 100 characters."""
    return forms.CharField(
        label=label,
        max_length=100,
        help_text=help_text,
        error_messages={"required": f"请填写{label}"},
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "maxlength": 100, "autofocus": True}),
    )


class ImpersonationForm(forms.Form):
    reason = _build_reason_field("代登录原因", help_text="例如：客户来电，协助核对 11 月对账订单")


class ImpersonatingMixin(PageBase):
    """Adds the button to the account page."""

    def has_impersonate_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Requires the permission `impersonate_account`. Staff accounts cannot be impersonated."""
        if not request.user.has_perm("identity.impersonate_account"):
            return False
        return (
            object_id is None
            or Account.objects.filter(pk=parse_key(object_id), is_staff=False).exists()
        )

    @action(
        description="以客户身份登录",
        url_path="impersonate",
        icon="login",
        permissions=["impersonate"],
    )
    def impersonate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason, then show the URL. It works once and for five minutes."""
        return never_cache(self._show_impersonation)(request, object_id)

    def _show_impersonation(self, request: HttpRequest, object_id: str) -> HttpResponse:
        account: Account = get_object_or_404(
            Account.objects.select_related("group", "enterprise"), pk=parse_key(object_id)
        )
        form = ImpersonationForm(request.POST or None)
        page = reverse("admin:org_account_change", args=[account.pk])
        act = Act(
            "以客户身份登录",
            str(account),
            page,
            form,
            self._list_impersonation_facts(account),
            IMPERSONATION_NOTICE,
        )
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
                    actor=get_request_staff(request),
                    account=account,
                    reason=form.cleaned_data["reason"],
                    client=get_client_address(request),
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
    def _list_impersonation_facts(account: Account) -> list[tuple[str, object]]:
        """Return (label, value) of each fact above the form."""
        minutes = int(IMPERSONATION.total_seconds() // 60)
        return [
            ("集团", account.group or "—"),
            ("企业", account.enterprise or "—"),
            ("最长时间", f"{minutes} 分钟，不可续期"),
        ]


class PasswordLinkForm(forms.Form):
    reason = _build_reason_field(
        "原因", help_text="例如：客户来电，忘记密码且收不到验证码，已核对身份"
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
            or Account.objects.filter(pk=parse_key(object_id), is_staff=False).exists()
        )

    @action(
        description=LINK_TITLE,
        url_path="password-link",
        icon="lock_reset",
        permissions=["password_link"],
    )
    def password_link(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason and send the letter."""
        account: Account = get_object_or_404(
            Account.objects.select_related("group"), pk=parse_key(object_id)
        )
        form = PasswordLinkForm(request.POST or None)
        state = "已设置" if account.has_usable_password() else "未设置"
        facts: list[tuple[str, object]] = [
            ("集团", account.group or "—"),
            ("邮箱", account.email or "未登记"),
            ("密码", state),
        ]
        page = reverse("admin:org_account_change", args=[account.pk])
        act = Act(
            LINK_TITLE,
            str(account),
            page,
            form,
            facts,
            LINK_NOTICE,
            result_text=_describe_link,
        )
        origin = request.build_absolute_uri("/").rstrip("/")
        return self.show_act_page(
            request,
            act,
            lambda filled: password_link_send(
                staff=get_staff_account(request),
                account=account,
                reason=filled["reason"],
                origin=origin,
            ),
        )


def _describe_link(invitation: Invitation) -> str:
    return f"一次性链接将发送至 {invitation.account.email}"


class ReleaseForm(forms.Form):
    reason = _build_reason_field("原因", help_text="例如：本人来电，出差在外更换电脑，已核对身份")


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
            or Account.objects.filter(pk=parse_key(object_id), is_staff=True).exists()
        )

    @action(
        description=RELEASE_TITLE,
        url_path="sign-in-release",
        icon="lock_open",
        permissions=["release"],
    )
    def sign_in_release(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason and release the name."""
        account: Account = get_object_or_404(Account, pk=parse_key(object_id))
        slow_down = get_slow_down(account)
        facts: list[tuple[str, object]] = [
            ("登录失败", f"{slow_down.failures} 次"),
            ("还须等待", f"{slow_down.wait} 秒" if slow_down.wait else "无需等待"),
        ]
        act = Act(
            title=RELEASE_TITLE,
            subject=str(account),
            page=reverse("admin:org_account_change", args=[account.pk]),
            form=ReleaseForm(request.POST or None),
            facts=facts,
            notice=RELEASE_NOTICE,
        )
        return self.show_act_page(
            request,
            act,
            lambda filled: sign_in_release(
                staff=get_staff_account(request), account=account, reason=filled["reason"]
            ),
        )


class FactorResetForm(forms.Form):
    reason = _build_reason_field("原因", help_text="例如：本人来电，手机丢失，已核对身份")


class FactorResetMixin(ActPageMixin):
    """Adds the button that removes a lost second factor."""

    def has_factor_reset_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Requires the permission to change accounts; for a staff account a superuser. Nobody
        resets his own.
        """
        if not request.user.has_perm("org.change_account"):
            return False
        if object_id is None:
            return True
        rows = Account.objects.filter(pk=parse_key(object_id)).exclude(pk=request.user.pk)
        if not request.user.is_superuser:
            rows = rows.filter(is_staff=False)
        return bool(rows.exists())

    @action(
        description=RESET_TITLE,
        url_path="factor-reset",
        icon="phonelink_erase",
        permissions=["factor_reset"],
    )
    def factor_reset(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for the reason and remove the second factor."""
        account: Account = get_object_or_404(Account, pk=parse_key(object_id))
        state = "已开启" if has_second_factor(account) else "未开启"
        act = Act(
            title=RESET_TITLE,
            subject=str(account),
            page=reverse("admin:org_account_change", args=[account.pk]),
            form=FactorResetForm(request.POST or None),
            facts=[("两步验证", state)],
            notice=RESET_NOTICE,
            is_destructive=True,
        )
        return self.show_act_page(
            request,
            act,
            lambda filled: factor_reset(
                staff=get_staff_account(request), account=account, reason=filled["reason"]
            ),
        )
