"""The browsable API: only for staff with a session of the back office."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django import Settings

from apps.common.middleware.response_headers import DOCS
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient
from apps.identity.services.session_key import impersonation_begin
from apps.org.models import Account
from apps.org.tests.office import create_staff

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
PROFILE, LIST, HOT = "/api/Account/Profile", "/api/Product", "/api/Product/SupposeCategory"


def browser_of(account: Account, *, checks: bool = False) -> Client:
    client = Client(enforce_csrf_checks=checks, headers={"accept": BROWSER})
    with platform_scope(reason="test: staff sign in"):
        client.force_login(account, backend="apps.identity.backends.AccountBackend")
    return client


@pytest.fixture
def office(db: None) -> Client:
    return browser_of(create_staff("客服"))


def is_page(answer: Any) -> bool:
    return str(answer["Content-Type"]).startswith("text/html")


def build_header(answer: HttpResponseBase) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(answer.getvalue())["MsgHeader"]
    return result


def act_as(account: Account, staff: Account) -> None:
    key = impersonation_begin(actor=staff, account=account, reason="客户来电")
    ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key, "adminLogin": "1"})


def test_staff_get_a_page_of_a_public_call(office: Client) -> None:
    answer = office.get(LIST)

    assert (answer.status_code, is_page(answer)) == (200, True)
    assert "RetCode" in answer.content.decode()
    assert (answer["Content-Security-Policy"], answer["Cache-Control"]) == (
        DOCS,
        "private, no-store",
    )


def test_browsable_page_contains_no_inline_script(office: Client) -> None:
    page = office.get(HOT).content.decode()

    assert page.count("<script ") == page.count("<script src=") + page.count(
        '<script type="application/json"'
    )
    assert "<script>" not in page
    assert " onclick=" not in page


@pytest.mark.parametrize("path", [LIST, PROFILE])
def test_visitors_and_customers_get_json(buyer: Account, path: str) -> None:
    visitor, customer = Client(headers={"accept": BROWSER}), ApiClient(buyer)

    assert not is_page(visitor.get(path))
    assert not is_page(Client(headers={"accept": "text/html"}).get(path))
    assert customer.get(path).status == 200
    assert Client(headers={"accept": BROWSER}).get(PROFILE).status_code == 401


def test_a_customers_own_session_opens_no_page(buyer: Account) -> None:
    answer = browser_of(buyer).get(PROFILE)

    assert (answer.status_code, is_page(answer)) == (401, False)


def test_staff_without_a_customer_get_403_with_a_hint(office: Client) -> None:
    answer = office.get(PROFILE)

    assert (answer.status_code, is_page(answer)) == (403, True)
    assert "以客户身份登录" in answer.content.decode()


def test_json_request_with_a_staff_session_is_not_logged_in(office: Client) -> None:
    answer = office.get(PROFILE, headers={"accept": "application/json"})

    assert (answer.status_code, build_header(answer)["RetCode"]) == (401, "not_logged_in")


def test_impersonating_staff_browse_the_customers_api_pages(buyer: Account) -> None:
    staff = create_staff("客服")
    act_as(buyer, staff)

    page = browser_of(staff).get(PROFILE).content.decode()

    assert "&quot;UserName&quot;" in page
    assert "以客户 小采（buyer）的身份" in page
    assert browser_of(create_staff("商品")).get(PROFILE).status_code == 403


def test_browsable_api_requires_the_impersonation_right(buyer: Account) -> None:
    staff = create_staff("客服")
    act_as(buyer, staff)
    with platform_scope(reason="test"):
        staff.groups.clear()

    assert browser_of(staff).get(PROFILE).status_code == 403


def test_browsable_api_shows_forms_only_for_permitted_methods(
    buyer: Account, office: Client
) -> None:
    assert "data-override" not in office.get(HOT).content.decode()
    staff = create_staff("客服")
    act_as(buyer, staff)

    page = browser_of(staff).get(HOT).content.decode()

    assert 'data-override="content"' in page


def test_a_write_without_the_pages_token_is_refused(buyer: Account) -> None:
    staff = create_staff("客服")
    act_as(buyer, staff)
    browser = browser_of(staff, checks=True)
    browser.get(HOT)
    token = browser.cookies["csrftoken"].value

    refused = browser.post(HOT, {}, content_type="application/json")
    taken = browser.post(HOT, {}, content_type="application/json", headers={"x-csrftoken": token})

    assert (refused.status_code, taken.status_code) == (403, 200)
    assert "刷新页面" in refused.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        LIST,
        HOT,
        "/api/Order",
        "/api/Order/1",
        "/api/ShoppingCart",
        "/api/Product/abc",
        "/api/Nowhere",
    ],
)
def test_browsable_page_never_answers_with_a_server_error(office: Client, path: str) -> None:
    for method in ("get", "post", "put", "patch", "delete", "options"):
        assert getattr(office, method)(path).status_code < 500, method


def test_the_operator_may_switch_pages_off(office: Client, settings: Settings) -> None:
    settings.BROWSABLE_API = False

    assert (office.get(PROFILE).status_code, is_page(office.get(LIST))) == (401, False)
