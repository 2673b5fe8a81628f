"""Staff sign in with a second factor, and prove themselves again before a dangerous act."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.auth.models import Group as Job
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from apps.common.tenancy import no_scope, platform_scope
from apps.identity.services.passkeys import Assertion, issue_new_passkey_challenge
from apps.identity.services.second_factor import (
    factor_begin,
    factor_confirm,
    factor_reset,
    has_second_factor,
    passkey_register,
)
from apps.identity.tests.authenticator import Authenticator
from apps.identity.tests.services.test_second_factor import compute_code
from apps.office.proof import DANGEROUS_ACTS, DANGEROUS_SAVES, PROVED_AT
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD, StaffFactory
from apps.org.tests.office import open_office

STEP = "/admin/second-factor/sign-in/"
PROVE = "/admin/second-factor/prove/"


@pytest.fixture
def codes(staff: Account) -> list[str]:
    """The recovery codes of `staff`, who has a second factor. They serve as codes here."""
    with platform_scope(reason="test"):
        secret = factor_begin(account=staff).secret
        return factor_confirm(account=staff, code=compute_code(secret))


@pytest.fixture(autouse=True)
def _no_scope() -> Any:
    with no_scope():
        yield


def give_password(client: Client, *, path: str = "/admin/login/?next=/admin/org/account/") -> Any:
    return client.post(path, {"username": "ops", "password": PASSWORD})


def is_in(client: Client) -> bool:
    return client.get("/admin/org/account/").status_code == 200


def test_staff_password_alone_does_not_sign_in(staff: Account, codes: list[str]) -> None:
    browser = Client()
    assert give_password(browser).headers["Location"] == STEP
    assert not is_in(browser)
    assert "验证码不正确" in browser.post(STEP, {"code": "000000"}).content.decode()
    assert not is_in(browser)
    answer = browser.post(STEP, {"code": codes[0]})
    assert answer.headers["Location"] == "/admin/org/account/"
    assert is_in(browser)


def test_the_second_step_needs_the_first(staff: Account, codes: list[str]) -> None:
    browser = Client()
    assert browser.post(STEP, {"code": codes[0]}).headers["Location"] == "/admin/login/"
    give_password(browser)
    session = browser.session
    session["second_factor_pending"] = {**session["second_factor_pending"], "at": 0}
    session.save()
    assert browser.post(STEP, {"code": codes[0]}).headers["Location"] == "/admin/login/"


def test_an_account_disabled_between_the_steps_does_not_get_in(
    staff: Account, codes: list[str]
) -> None:
    browser = Client()
    give_password(browser)
    with platform_scope(reason="test"):
        Account.objects.filter(pk=staff.pk).update(is_active=False)
    assert browser.post(STEP, {"code": codes[0]}).headers["Location"] == "/admin/login/"


def test_a_remembered_browser_skips_the_step_until_a_reset(
    staff: Account, codes: list[str]
) -> None:
    browser = Client()
    give_password(browser)
    browser.post(STEP, {"code": codes[0], "remembers": "on"})
    browser.post("/admin/logout/")
    assert give_password(browser).headers["Location"] == "/admin/org/account/"
    assert is_in(browser)
    # Signed in, but without a fresh proof.
    assert browser.session[PROVED_AT] == 0
    browser.post("/admin/logout/")
    with platform_scope(reason="test"):
        factor_reset(staff=StaffFactory(), account=staff, reason="手机丢失")
        secret = factor_begin(account=staff).secret
        factor_confirm(account=staff, code=compute_code(secret))
    assert give_password(browser).headers["Location"] == STEP


def test_required_second_factor_is_set_up_at_the_first_sign_in(
    staff: Account, settings: Any
) -> None:
    old = open_office(staff)
    settings.STAFF_SECOND_FACTOR = True
    assert not is_in(old)
    browser = Client()
    assert give_password(browser).headers["Location"] == STEP
    page = browser.get(STEP).content.decode()
    secret = re.search(r'office-secret">([A-Z2-7 ]+)<', page)
    assert secret is not None
    assert "<svg" in page
    done = browser.post(STEP, {"code": compute_code(secret[1].replace(" ", ""))}).content.decode()
    assert len(re.findall(r"<code>([a-z2-9]{5}-[a-z2-9]{5})</code>", done)) == 10
    assert is_in(browser)


def test_dangerous_action_requires_a_new_code_and_returns_to_the_action(
    staff: Account, codes: list[str]
) -> None:
    browser = open_office(staff)
    with platform_scope(reason="test"):
        act = f"/admin/org/account/{StaffFactory().pk}/factor-reset/"
    session = browser.session
    session[PROVED_AT] = 0
    session.save()
    answer = browser.get(act)
    assert answer.headers["Location"].startswith(f"{PROVE}?next=")
    assert "验证码不正确" in browser.post(PROVE, {"code": "000000"}).content.decode()
    back = browser.post(answer.headers["Location"], {"code": codes[0]})
    assert back.headers["Location"] == act
    assert browser.get(act).status_code == 200


def test_proof_page_redirects_to_no_foreign_host(staff: Account, codes: list[str]) -> None:
    browser = open_office(staff)
    answer = browser.post(f"{PROVE}?next=https://example.com/", {"code": codes[0]})
    assert answer.headers["Location"] == "/admin/"


def test_staff_manage_their_second_factor_on_one_page(staff: Account) -> None:
    browser = open_office(staff)
    own = "/admin/second-factor/"
    with platform_scope(reason="test"):
        secret = factor_begin(account=staff).secret
    assert "未开启" in browser.get(own).content.decode()
    page = browser.post(f"{own}authenticator/", {"code": compute_code(secret)}).content.decode()
    [code, *_rest] = re.findall(r"<code>([a-z2-9]{5}-[a-z2-9]{5})</code>", page)
    assert "未使用的恢复码 10 个" in browser.get(own).content.decode()
    browser.post(own, {"act": "remove", "code": code})
    with platform_scope(reason="test"):
        assert not has_second_factor(staff)


PASSKEY = "/admin/second-factor/passkey/"


@pytest.mark.parametrize("name", sorted(DANGEROUS_ACTS))
def test_every_dangerous_action_requires_a_recent_proof(staff: Account, name: str) -> None:
    """Without a second factor the page opens, or has no such row. With one it asks for a proof."""
    browser = open_office(staff)
    args = [] if name.startswith("second-factor") or name == "admin:password_change" else [987_654]
    path = reverse(name, args=args)
    assert not browser.get(path).headers.get("Location", "").startswith(PROVE)
    with platform_scope(reason="test"):
        factor_confirm(account=staff, code=compute_code(factor_begin(account=staff).secret))
    for answer in (browser.get(path), browser.post(path)):
        assert answer.headers["Location"].startswith(f"{PROVE}?next=")


def forget_proof(browser: Client) -> None:
    """Leave the session as a remembered browser has it: signed in, without a fresh proof."""
    session = browser.session
    session[PROVED_AT] = 0
    session.save()


def get_hidden_fields(page: str) -> dict[str, str]:
    """Return the hidden fields of the page as its browser sends them again."""
    inputs = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in inputs}


@pytest.mark.parametrize("name", sorted(DANGEROUS_SAVES))
def test_every_dangerous_save_requires_a_recent_proof(
    staff: Account, codes: list[str], name: str
) -> None:
    browser = open_office(staff)
    path = reverse(name, args=[987_654] if name.endswith("_change") else [])
    forget_proof(browser)
    # Reading needs no proof.
    assert "确认是您本人" not in browser.get(path, follow=True).content.decode()
    page = browser.post(path, {"name": "x"}).content.decode()
    assert "确认是您本人" in page
    assert "您填写的内容已保留" in page


def test_a_save_without_a_recent_proof_keeps_the_typed_form(
    staff: Account, codes: list[str]
) -> None:
    browser = open_office(staff)
    path, typed = reverse("admin:auth_group_add"), '夜班 "A" <1>\r\n客服'
    forget_proof(browser)
    asked = browser.post(path, {"name": typed, "permissions": ["1", "2"]}).content.decode()
    action = re.search(r'<form method="post" action="([^"]+)"', asked)
    assert action is not None
    assert not Job.objects.filter(name__startswith="夜班").exists()
    proof = {**get_hidden_fields(asked), "act": "prove"}
    wrong = browser.post(html.unescape(action[1]), {**proof, "code": "000000"}).content.decode()
    assert "验证码不正确" in wrong
    proof = {**get_hidden_fields(wrong), "act": "prove"}
    again = browser.post(html.unescape(action[1]), {**proof, "code": codes[0]}).content.decode()
    assert f'action="{path}"' in again
    sent = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', again)
    kept = [(key, html.unescape(value)) for key, value in sent if key != "csrfmiddlewaretoken"]
    assert kept == [("name", typed), ("permissions", "1"), ("permissions", "2")]
    saved = browser.post(path, {"name": "夜班", "permissions": ["1", "2"]})
    assert saved.status_code == 302
    assert Job.objects.get(name="夜班").permissions.count() == 2


def test_proof_page_names_files_that_cannot_be_kept(staff: Account, codes: list[str]) -> None:
    browser = open_office(staff)
    forget_proof(browser)
    logo = SimpleUploadedFile("标识.png", b"x", "image/png")
    path = reverse("admin:org_group_change", args=[987_654])
    asked = browser.post(path, {"name": "云帆", "picture": logo}).content.decode()
    answer = browser.post(
        f"{PROVE}?next={path}", {**get_hidden_fields(asked), "code": codes[0]}
    ).content.decode()
    assert "所选文件（标识.png）不能保留" in answer


@pytest.mark.parametrize("kept", ["{", "7", '["x"]', "[[1]]", "[" * 15_000])
def test_damaged_kept_fields_lead_back_without_them(
    staff: Account, codes: list[str], kept: str
) -> None:
    browser = open_office(staff)
    answer = browser.post(f"{PROVE}?next=/admin/org/", {"kept": kept, "code": codes[0]})
    assert answer.headers["Location"] == "/admin/org/"


# The pages that change who may sign in, with which rights, and on whose credit.
GUARDED_MODELS = {
    "auth.group",
    "dual_control.actlimit",
    "dual_control.proposal",
    "identity.sessionkey",
    "identity.wechatworkaccount",
    "org.account",
    "org.group",
    "orders.creditaccount",
}
# Acts of these models that need no proof, with the reason.
HARMLESS = {
    "dual_control_proposal_reject_one": "stops an act",
    "dual_control_proposal_withdraw_one": "stops an act",
    "org_account_sign_in_release": "lifts a wait; the password is still needed",
    "org_account_switch_off": "takes rights away",
    "org_account_switch_on": "the customer's admin decides it with his sign-in alone, too",
}
# All other models: goods, orders and their documents, which staff handle all day. Payments,
# refunds and prices above a limit need a second person, whose release is a dangerous act.
DAILY_WORK = {
    "aftersales": "cancelorder returnorder returnpolicy",
    "approvals": "approval approvaldelegation approvalrule",
    "assistant": "assistantusage",
    "auditlog": "logentry",
    "budgets": "budget",
    "calendar": "calendarday",
    "cart": "quicklist",
    "catalog": "brand category menugroup picturebatch product productfamily stockmovement",
    "common": "outboxmessage rateblock",
    "content": "announcement banner contentpage sitelink sitesetting",
    "dimensions": "dimension",
    "django_celery_beat": "clockedschedule crontabschedule intervalschedule periodictask "
    "solarschedule",
    "finders": "crossreference device devicebrand devicecompatibility expectedarrival "
    "substituterule",
    "identity": "tokenfamily",
    "inquiries": "productinquiry",
    "invoices": "bankreceipt invoice invoiceapplication redletter specialqualification statement",
    "notices": "noticedelivery",
    "orders": "freightregion order payment shipment",
    "org": "address department enterprise invoicetitle role",
    "pricing": "agreement assortment customeragreement ownname pricealarm pricebatch pricelist "
    "pricelistitem pricemove",
    "questions": "productquestion",
    "quotations": "quotation",
    "recurring": "recurringorder",
    "reports": "exportjob reportsend",
    "reviews": "orderreview",
    "search": "hotkeyword searchsynonym",
    "selection": "selectionscenario",
    "webhooks": "webhook webhookdelivery",
}


def test_every_model_of_the_office_is_guarded_or_daily_work() -> None:
    daily_work = {f"{app}.{name}" for app, names in DAILY_WORK.items() for name in names.split()}
    registered = {model._meta.label_lower for model in admin.site._registry}
    assert registered == daily_work | GUARDED_MODELS
    assert not daily_work & GUARDED_MODELS


def list_writing_pages(model: Any, office: ModelAdmin[Any], request: HttpRequest) -> set[str]:
    """Return the names of the URLs of the model that can change something."""
    label = f"{model._meta.app_label}_{model._meta.model_name}"
    may = {
        "history": False,
        "changelist": "delete_selected" in office.get_actions(request),
        "add": office.has_add_permission(request),
        "change": office.has_change_permission(request),
        "delete": office.has_delete_permission(request),
    }
    names = {url.name for url in office.get_urls() if url.name}
    return {name for name in names if may.get(name.removeprefix(f"{label}_"), True)}


def test_every_writing_page_of_a_guarded_model_asks_for_a_proof(staff: Account) -> None:
    request = RequestFactory().get("/admin/")
    request.user = staff
    open_pages = {
        name
        for model, office in admin.site._registry.items()
        if model._meta.label_lower in GUARDED_MODELS
        for name in list_writing_pages(model, office, request)
        if f"admin:{name}" not in DANGEROUS_ACTS | DANGEROUS_SAVES
    }
    assert open_pages == set(HARMLESS)


@pytest.mark.parametrize("page", ["passkey", "authenticator"])
def test_a_session_older_than_the_second_factor_adds_none(staff: Account, page: str) -> None:
    browser, device = open_office(staff), Authenticator()
    with platform_scope(reason="test"):
        created = device.create(issue_new_passkey_challenge(account=staff, session="s"))
        codes = passkey_register(account=staff, session="s", name="x", attestation=created)
    path = f"/admin/second-factor/{page}/"
    proof = browser.get(path).headers["Location"]
    assert proof.startswith(PROVE)
    assert browser.post(proof, {"code": codes[0]}).headers["Location"] == path
    assert browser.get(path).status_code == 200


AT = {"headers": {"host": "localhost"}}


def get_options_on(page: Any) -> dict[str, Any]:
    """Return the options of WebAuthn that the page gives to its script."""
    options = re.search(r'id="passkey-options" type="application/json">(.+?)</script>', page)
    assert options is not None
    return dict(json.loads(options[1]))


def get_hidden(assertion: Assertion) -> str:
    return json.dumps(
        {
            "CredentialId": assertion.credential_id,
            "ClientData": assertion.client_data,
            "AuthenticatorData": assertion.authenticator_data,
            "Signature": assertion.signature,
        }
    )


def test_staff_passkey_works_for_sign_in_and_proof(staff: Account, settings: Settings) -> None:
    settings.PASSKEY_ORIGINS = ["http://localhost"]
    browser, device = open_office(staff), Authenticator(origin="http://localhost")
    html = device.create(get_options_on(browser.get(PASSKEY, **AT).content.decode()))
    new = {
        "Name": "x",
        "ClientData": html.client_data,
        "AttestationObject": html.attestation_object,
    }
    answer = browser.post(PASSKEY, {"name": "蓝色密钥", "passkey": json.dumps(new)}, **AT)
    assert len(re.findall(r"<code>([a-z2-9]{5}-[a-z2-9]{5})</code>", answer.content.decode())) == 10

    second = Client()
    assert give_password(second).headers["Location"] == STEP
    given = get_hidden(device.get(get_options_on(second.get(STEP, **AT).content.decode())))
    stranger = Client()
    give_password(stranger)
    assert "验证未通过" in stranger.post(STEP, {"passkey": given}).content.decode()
    # The stranger's try did not use the challenge up, because it belongs to another session.
    assert second.post(STEP, {"passkey": given}).headers["Location"] == "/admin/org/account/"
    assert is_in(second)

    session = second.session
    session[PROVED_AT] = 0
    session.save()
    assert second.get(PASSKEY).headers["Location"].startswith(PROVE)
    again = get_hidden(device.get(get_options_on(second.get(PROVE, **AT).content.decode())))
    assert second.post(f"{PROVE}?next={PASSKEY}", {"passkey": again}).headers["Location"] == PASSKEY
    assert second.get(PASSKEY, **AT).status_code == 200

    own = "/admin/second-factor/"
    page = second.get(own, **AT).content.decode()
    assert "蓝色密钥" in page
    act = re.search(r'value="(remove-passkey:\d+)"', page)
    assert act is not None
    proof = get_hidden(device.get(get_options_on(page)))
    second.post(own, {"act": act[1], "passkey": proof}, follow=True)
    with platform_scope(reason="test"):
        assert not has_second_factor(staff)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"CredentialId": 1}', "[" * 15_000])
def test_a_damaged_hidden_field_is_refused(staff: Account, codes: list[str], text: str) -> None:
    browser = Client()
    give_password(browser)
    assert browser.post(STEP, {"passkey": text}).status_code == 200
    assert not is_in(browser)


def test_passkey_page_on_another_host_links_to_the_right_host(staff: Account) -> None:
    page = open_office(staff).get(PASSKEY).content.decode()
    assert f'href="http://localhost:8000{PASSKEY}"' in page
    assert "passkey-options" not in page
