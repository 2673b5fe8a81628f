"""The second factor of staff: the second step of the sign-in, the own settings, and the proof
before a dangerous act.

After the right password no session is signed in yet: the session only names the account that may
take the second step within ten minutes.
"""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import urlencode

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
from rest_framework.exceptions import ValidationError
from unfold.widgets import UnfoldAdminTextInputWidget, UnfoldBooleanSwitchWidget

from apps.common.api.serializers import BodySerializer
from apps.common.errors import DomainError
from apps.identity.api.second_factor import (
    NewPasskeySerializer,
    get_device_cookie_name,
    remember_second_factor,
)
from apps.identity.backends import AccountBackend
from apps.identity.errors import WrongPasskey
from apps.identity.known_device import remember_device
from apps.identity.services.passkeys import (
    NAME_LENGTH,
    Attestation,
    are_passkeys_offered,
    issue_new_passkey_challenge,
    issue_passkey_challenge,
    list_passkeys,
)
from apps.identity.services.remembered_devices import (
    REMEMBERED,
    devices_forget,
    is_device_remembered,
)
from apps.identity.services.second_factor import (
    Proof,
    authenticator_remove,
    count_recovery_codes,
    factor_begin,
    factor_check,
    factor_confirm,
    factor_remove,
    has_authenticator,
    has_second_factor,
    is_required,
    passkey_register,
    passkey_remove,
    recovery_codes_renew,
)
from apps.identity.shared_serializers import AssertionSerializer, read_proof
from apps.office.pages import get_request_staff
from apps.office.proof import PROVED_AT, mark_proved
from apps.org.models import Account

PENDING = "second_factor_pending"
PENDING_SECONDS = 600
BACKEND = "apps.identity.backends.AccountBackend"
HOME = "/admin/"
CONFIRM = "确认是您本人"
CODE_WIDGET = UnfoldAdminTextInputWidget(
    attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}
)


class CodeForm(forms.Form):
    """The first code of a new authenticator."""

    code = forms.CharField(
        label="验证码",
        max_length=20,
        widget=CODE_WIDGET,
        error_messages={"required": "请输入验证器显示的 6 位数字"},
    )


class ProofForm(forms.Form):
    """A code, or the use of a passkey, which `passkeys.js` writes into the hidden field."""

    code = forms.CharField(label="验证码", max_length=20, required=False, widget=CODE_WIDGET)
    passkey = forms.CharField(required=False, max_length=16_000, widget=forms.HiddenInput)

    def clean(self) -> None:
        """Refuse a form without a code and without a passkey."""
        if not (self.cleaned_data.get("code") or self.cleaned_data.get("passkey")):
            self.add_error("code", "请输入验证器显示的 6 位数字或一个恢复码")

    def build_proof(self, request: HttpRequest) -> Proof:
        """Return the proof of the valid form.

        Raises:
            WrongPasskey: the hidden field has another form.
        """
        given = self.cleaned_data["passkey"]
        body = {
            "SecondFactorCode": self.cleaned_data["code"],
            "Passkey": _parse_hidden(AssertionSerializer, given) if given else None,
        }
        return read_proof(body, session=_get_challenge_session(request))


class SignInForm(ProofForm):
    remembers = forms.BooleanField(
        label=f"在此浏览器上 {REMEMBERED.days} 天内免验证",
        required=False,
        widget=UnfoldBooleanSwitchWidget,
    )


class PasskeyForm(forms.Form):
    """A new passkey. `passkeys.js` writes the credential into the hidden field."""

    name = forms.CharField(
        label="名称",
        max_length=NAME_LENGTH,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "如：办公电脑、蓝色安全密钥"}),
        error_messages={"required": "请填写通行密钥的名称"},
    )
    passkey = forms.CharField(required=False, max_length=40_000, widget=forms.HiddenInput)


def begin_second_step(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    """Return the answer to a right password: that of the sign-in, or the redirect to the second
    step after the session was ended again.
    """
    staff = get_request_staff(request)
    has_factor = has_second_factor(staff)
    if not has_factor and not is_required(staff):
        return answer
    if has_factor and is_device_remembered(
        account=staff, key=request.COOKIES.get(get_device_cookie_name(staff), "")
    ):
        mark_proved(request, is_fresh=False)
        return answer
    target = answer.headers.get("Location", HOME)
    logout(request)
    request.session[PENDING] = {"account": staff.pk, "at": time.time(), "next": target}
    return HttpResponseRedirect(reverse("second-factor-sign-in"))


@never_cache
def second_factor_sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for a code or a passkey. An account that needs a second factor and has none sets it up
    first.
    """
    account = _find_pending_account(request)
    if account is None:
        messages.warning(request, "登录已超时，请重新输入账号和密码")
        return HttpResponseRedirect(reverse("admin:login"))
    if not has_second_factor(account):
        return _set_up(request, account)
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            factor_check(account=account, proof=form.build_proof(request))
        except DomainError as error:
            form.add_error("code", error.text)
        else:
            answer = HttpResponseRedirect(_sign_in(request, account))
            if form.cleaned_data["remembers"]:
                remember_second_factor(request, answer, account=account)
            remember_device(request=request, response=answer, username=account.username)
            return answer
    return _render_page(
        request,
        "sign_in",
        "两步验证",
        form=form,
        account=account,
        **_get_passkey_options(request, account),
    )


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
            page = _render_page(request, "codes", "恢复码", codes=codes, target=target)
            remember_device(request=request, response=page, username=account.username)
            return page
    return _render_page(request, "set_up", "设置两步验证", form=form, **_build_enrolment(account))


@never_cache
def second_factor_own(request: HttpRequest) -> HttpResponse:
    """The own second factor: its factors, renew the recovery codes, forget browsers, disable it."""
    staff = get_request_staff(request)
    form = ProofForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            codes = _change_own(request, staff, form.build_proof(request))
        except DomainError as error:
            form.add_error("code", error.text)
        else:
            own = reverse("second-factor-own")
            if codes:
                return _render_page(request, "codes", "恢复码", codes=codes, target=own)
            return HttpResponseRedirect(own)
    return _render_page(
        request,
        "own",
        "两步验证",
        form=form,
        is_on=has_second_factor(staff),
        has_authenticator=has_authenticator(staff),
        passkeys=list_passkeys(staff),
        offers_passkeys=are_passkeys_offered(),
        is_required=is_required(staff),
        codes_left=count_recovery_codes(staff),
        **_get_passkey_options(request, staff),
    )


def _change_own(request: HttpRequest, staff: Account, proof: Proof) -> list[str]:
    """Do the act and return new recovery codes, if there are any."""
    act, _, passkey_id = request.POST.get("act", "").partition(":")
    if act == "renew":
        return recovery_codes_renew(account=staff, proof=proof)
    if act == "forget":
        factor_check(account=staff, proof=proof)
        messages.success(request, f"已取消 {devices_forget(account=staff)} 个浏览器的免验证")
    elif act == "remove-authenticator":
        authenticator_remove(account=staff, proof=proof)
        messages.success(request, "验证器已移除")
    elif act == "remove-passkey" and passkey_id.isascii() and passkey_id.isdecimal():
        passkey_remove(account=staff, passkey_id=int(passkey_id[:18]), proof=proof)
        messages.success(request, "通行密钥已移除")
    elif act == "remove":
        factor_remove(account=staff, proof=proof)
        messages.success(request, "两步验证已关闭")
    if not has_second_factor(staff):
        request.session.pop(PROVED_AT, None)
    return []


@never_cache
def second_factor_authenticator(request: HttpRequest) -> HttpResponse:
    """Add an authenticator. Where a second factor exists, the middleware asks for a proof first."""
    staff = get_request_staff(request)
    if has_authenticator(staff):
        return HttpResponseRedirect(reverse("second-factor-own"))
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            codes = factor_confirm(account=staff, code=form.cleaned_data["code"])
        except DomainError as error:
            form.add_error("code", error.text)
        else:
            return _answer_added(request, "验证器已启用", codes)
    return _render_page(
        request, "authenticator", "添加验证器", form=form, **_build_enrolment(staff)
    )


@never_cache
def second_factor_passkey(request: HttpRequest) -> HttpResponse:
    """Add a passkey. Where a second factor exists, the middleware asks for a proof first."""
    staff = get_request_staff(request)
    form = PasskeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            codes = _register(request, staff, form)
        except DomainError as error:
            form.add_error("name", error.text)
        else:
            return _answer_added(request, "通行密钥已添加", codes)
    try:
        options = issue_new_passkey_challenge(
            account=staff, session=_get_challenge_session(request)
        )
    except DomainError as error:
        messages.error(request, error.text)
        return HttpResponseRedirect(reverse("second-factor-own"))
    return _render_page(
        request, "passkey", "添加通行密钥", form=form, **_get_options_or_address(request, options)
    )


def _register(request: HttpRequest, staff: Account, form: PasskeyForm) -> list[str]:
    given = _parse_hidden(NewPasskeySerializer, form.cleaned_data["passkey"])
    return passkey_register(
        account=staff,
        session=_get_challenge_session(request),
        name=form.cleaned_data["name"],
        attestation=Attestation(given["ClientData"], given["AttestationObject"]),
    )


def _answer_added(request: HttpRequest, message: str, codes: list[str]) -> HttpResponse:
    mark_proved(request)
    own = reverse("second-factor-own")
    if codes:
        return _render_page(request, "codes", "恢复码", codes=codes, target=own)
    messages.success(request, message)
    return HttpResponseRedirect(own)


class KeptForm(forms.Form):
    """A form that was sent without a fresh proof: its fields as JSON of [name, value] pairs, and
    those of its files, which cannot be kept.
    """

    kept = forms.CharField(required=False, widget=forms.HiddenInput, strip=False)
    file_names = forms.CharField(required=False, widget=forms.HiddenInput, strip=False)

    def pairs(self, field: str) -> list[tuple[str, str]]:
        """Return the (name, value) pairs of a field, none if it has another form."""
        try:
            pairs = json.loads(self.data.get(field, ""))
            return [(str(name), str(value)) for name, value in pairs]
        except (ValueError, TypeError, RecursionError):
            return []


def _keep_form(request: HttpRequest) -> KeptForm:
    """Return the fields of the sent form, to send them again after the proof."""
    pairs = [
        (name, value)
        for name, values in request.POST.lists()
        if name != "csrfmiddlewaretoken"
        for value in values
    ]
    names = [
        (name, getattr(file, "name", "")) for name, files in request.FILES.lists() for file in files
    ]
    return KeptForm({"kept": json.dumps(pairs), "file_names": json.dumps(names)})


@never_cache
def second_factor_prove(request: HttpRequest) -> HttpResponse:
    """Ask for a new proof before a dangerous act, then lead back to it.

    The middleware also calls it with a form that was sent to another page without a fresh proof.
    Then the page keeps the fields, and after the proof a second page sends them again.
    """
    own = reverse("second-factor-prove")
    if request.path != own:
        staff = get_request_staff(request)
        address = f"{own}?{urlencode({'next': request.get_full_path()})}"
        return _render_page(
            request,
            "prove",
            CONFIRM,
            form=ProofForm(),
            kept=_keep_form(request),
            address=address,
            **_get_passkey_options(request, staff),
        )
    form = ProofForm(request.POST or None)
    target = request.GET.get("next", HOME)
    if not url_has_allowed_host_and_scheme(target, allowed_hosts=None) or target.startswith("//"):
        target = HOME
    staff = get_request_staff(request)
    if not has_second_factor(staff):
        # A colleague has reset it meanwhile.
        request.session.pop(PROVED_AT, None)
        return HttpResponseRedirect(target)
    if request.method == "POST" and form.is_valid():
        try:
            factor_check(account=staff, proof=form.build_proof(request))
        except DomainError as error:
            form.add_error("code", error.text)
        else:
            mark_proved(request)
            sent = KeptForm(request.POST)
            if pairs := sent.pairs("kept"):
                files = [name for _, name in sent.pairs("file_names")]
                return _render_page(
                    request, "resend", CONFIRM, pairs=pairs, files=files, target=target
                )
            return HttpResponseRedirect(target)
    kept = KeptForm(request.POST) if "kept" in request.POST else None
    return _render_page(
        request, "prove", CONFIRM, form=form, kept=kept, **_get_passkey_options(request, staff)
    )


def _get_challenge_session(request: HttpRequest) -> str:
    """Return the session to which challenges are issued."""
    return f"office:{request.session.session_key}"


def _parse_hidden(serializer: type[BodySerializer], text: str) -> dict[str, Any]:
    """Return the parsed JSON of a hidden field.

    Raises:
        WrongPasskey: it has another form, or is missing because the page has run no script.
    """
    try:
        given = serializer(data=json.loads(text))
        given.is_valid(raise_exception=True)
    except (ValueError, RecursionError, ValidationError) as error:
        raise WrongPasskey from error
    return dict(given.validated_data)


def _get_passkey_options(request: HttpRequest, account: Account) -> dict[str, Any]:
    return _get_options_or_address(
        request, issue_passkey_challenge(account=account, session=_get_challenge_session(request))
    )


def _get_options_or_address(request: HttpRequest, options: dict[str, Any] | None) -> dict[str, Any]:
    """Return the options, or the address at which passkeys work if this is another one."""
    here = f"{request.scheme}://{request.get_host()}"
    if options is None or here in settings.PASSKEY_ORIGINS:
        return {"passkey_options": options, "passkey_origin": ""}
    return {"passkey_options": None, "passkey_origin": settings.PASSKEY_ORIGINS[0]}


def _find_pending_account(request: HttpRequest) -> Account | None:
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


def _build_enrolment(account: Account) -> dict[str, Any]:
    enrolment = factor_begin(account=account)
    secret = enrolment.secret
    return {
        "qr": segno.make(enrolment.uri, error="m").svg_inline(scale=5, border=2),
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        "mall_name": settings.MALL_NAME,
    }


def _render_page(request: HttpRequest, name: str, title: str, **context: Any) -> TemplateResponse:
    return TemplateResponse(
        request,
        f"admin/second_factor/{name}.html",
        {**admin.site.each_context(request), "title": title, **context},
    )
