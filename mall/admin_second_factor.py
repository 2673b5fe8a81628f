"""The second factor of staff: the second step of the sign-in, the own settings, and the proof
before a dangerous act.

After the right password no session is signed in yet: the session only names the account that may
take the second step within ten minutes.
"""

from __future__ import annotations

import time
from typing import Any

import segno
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from unfold.widgets import UnfoldAdminTextInputWidget, UnfoldBooleanSwitchWidget

from apps.common.errors import DomainError
from apps.identity.backends import AccountBackend
from apps.identity.known_device import remember_device
from apps.identity.second_factor_cookie import device_cookie, remember_second_factor
from apps.identity.services.second_factor import (
    REMEMBERED,
    count_recovery_codes,
    devices_forget,
    factor_begin,
    factor_check,
    factor_confirm,
    factor_remove,
    has_second_factor,
    is_device_remembered,
    is_required,
    recovery_codes_renew,
)
from apps.office.pages import request_staff
from apps.office.proof import PROVED_AT, mark_proved
from apps.org.models import Account

PENDING = "second_factor_pending"
PENDING_SECONDS = 600
BACKEND = "apps.identity.backends.AccountBackend"
HOME = "/admin/"


class CodeForm(forms.Form):
    code = forms.CharField(
        label="验证码",
        max_length=20,
        widget=UnfoldAdminTextInputWidget(
            attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}
        ),
        error_messages={"required": "请输入验证器显示的 6 位数字或一个恢复码"},
    )


class SignInCodeForm(CodeForm):
    remembers = forms.BooleanField(
        label=f"在此浏览器上 {REMEMBERED.days} 天内免验证",
        required=False,
        widget=UnfoldBooleanSwitchWidget,
    )


def begin_second_step(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    """Return the answer to a right password: that of the sign-in, or the redirect to the second
    step after the session was ended again.
    """
    staff = request_staff(request)
    has_factor = has_second_factor(staff)
    if not has_factor and not is_required(staff):
        return answer
    if has_factor and is_device_remembered(
        account=staff, key=request.COOKIES.get(device_cookie(staff), "")
    ):
        mark_proved(request, is_fresh=False)
        return answer
    target = answer.headers.get("Location", HOME)
    logout(request)
    request.session[PENDING] = {"account": staff.pk, "at": time.time(), "next": target}
    return HttpResponseRedirect(reverse("second-factor-sign-in"))


@never_cache
def second_factor_sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for the code. An account that needs a second factor and has none sets it up first."""
    account = _pending_account(request)
    if account is None:
        messages.warning(request, "登录已超时，请重新输入账号和密码")
        return HttpResponseRedirect(reverse("admin:login"))
    if not has_second_factor(account):
        return _set_up(request, account)
    form = SignInCodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            factor_check(account=account, code=form.cleaned_data["code"])
        except DomainError as error:
            form.add_error("code", error.text)
        else:
            answer = HttpResponseRedirect(_sign_in(request, account))
            if form.cleaned_data["remembers"]:
                remember_second_factor(request, answer, account=account)
            remember_device(request=request, response=answer, username=account.username)
            return answer
    return _page(request, "sign_in", "两步验证", form=form, account=account)


def _set_up(request: HttpRequest, account: Account) -> HttpResponse:
    """Show the QR code. After the first right code, sign in and show the recovery codes once."""
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            codes = factor_confirm(account=account, code=form.cleaned_data["code"])
        except DomainError as error:
            form.add_error("code", error.text)
        else:
            target = _sign_in(request, account)
            page = _page(request, "codes", "恢复码", codes=codes, target=target)
            remember_device(request=request, response=page, username=account.username)
            return page
    return _page(request, "set_up", "设置两步验证", form=form, **_enrolment(account))


@never_cache
def second_factor_own(request: HttpRequest) -> HttpResponse:
    """The own second factor: enable it, renew the recovery codes, forget browsers, disable it."""
    staff = request_staff(request)
    form = CodeForm(request.POST or None)
    act = request.POST.get("act", "")
    if request.method == "POST" and form.is_valid():
        try:
            codes = _change_own(request, staff, act, form.cleaned_data["code"])
        except DomainError as error:
            form.add_error("code", error.text)
        else:
            own = reverse("second-factor-own")
            if codes:
                return _page(request, "codes", "恢复码", codes=codes, target=own)
            return HttpResponseRedirect(own)
    is_on = has_second_factor(staff)
    return _page(
        request,
        "own",
        "两步验证",
        form=form,
        is_on=is_on,
        is_required=is_required(staff),
        codes_left=count_recovery_codes(staff),
        **({} if is_on else _enrolment(staff)),
    )


def _change_own(request: HttpRequest, staff: Account, act: str, code: str) -> list[str]:
    """Do the act and return new recovery codes, if there are any."""
    if act == "enable":
        codes = factor_confirm(account=staff, code=code)
        mark_proved(request)
        return codes
    if act == "renew":
        return recovery_codes_renew(account=staff, code=code)
    if act == "forget":
        factor_check(account=staff, code=code)
        messages.success(request, f"已取消 {devices_forget(account=staff)} 个浏览器的免验证")
    elif act == "remove":
        factor_remove(account=staff, code=code)
        request.session.pop(PROVED_AT, None)
        messages.success(request, "两步验证已关闭")
    return []


@never_cache
def second_factor_prove(request: HttpRequest) -> HttpResponse:
    """Ask for a new code before a dangerous act, then lead back to it."""
    form = CodeForm(request.POST or None)
    target = request.GET.get("next", HOME)
    if not url_has_allowed_host_and_scheme(target, allowed_hosts=None) or target.startswith("//"):
        target = HOME
    staff = request_staff(request)
    if not has_second_factor(staff):
        # A colleague has reset it meanwhile.
        request.session.pop(PROVED_AT, None)
        return HttpResponseRedirect(target)
    if request.method == "POST" and form.is_valid():
        try:
            factor_check(account=staff, code=form.cleaned_data["code"])
        except DomainError as error:
            form.add_error("code", error.text)
        else:
            mark_proved(request)
            return HttpResponseRedirect(target)
    return _page(request, "prove", "确认是您本人", form=form)


def _pending_account(request: HttpRequest) -> Account | None:
    """Return the account that gave its password within ten minutes and is still enabled."""
    pending = request.session.get(PENDING) or {}
    if time.time() - pending.get("at", 0) > PENDING_SECONDS:
        return None
    return AccountBackend().get_user(pending.get("account"))


def _sign_in(request: HttpRequest, account: Account) -> str:
    """Sign the account in and return the address that it wanted."""
    target = str(request.session.pop(PENDING)["next"])
    login(request, account, backend=BACKEND)
    mark_proved(request)
    return target


def _enrolment(account: Account) -> dict[str, Any]:
    enrolment = factor_begin(account=account)
    secret = enrolment.secret
    return {
        "qr": segno.make(enrolment.uri, error="m").svg_inline(scale=5, border=2),
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        "mall_name": settings.MALL_NAME,
    }


def _page(request: HttpRequest, name: str, title: str, **context: Any) -> TemplateResponse:
    return TemplateResponse(
        request,
        f"admin/second_factor/{name}.html",
        {**admin.site.each_context(request), "title": title, **context},
    )
