"""The page 以客户身份登录 in the back office: permission, form and result."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.urls import reverse

from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient
from apps.identity.models import SessionKey
from apps.org.models import Account
from apps.org.tests.factories import StaffFactory
from apps.org.tests.office import create_staff, open_office


def open_page(account: Account) -> str:
    return reverse("admin:org_account_impersonate", args=[account.pk])


def test_impersonation_requires_a_reason(staff: Account, buyer: Account) -> None:
    page = open_office(staff).post(open_page(buyer), {"reason": " "}).content.decode()

    assert "请填写代登录原因" in page
    assert not SessionKey.objects.exists()


def test_the_address_signs_in_as_the_customer_once(staff: Account, buyer: Account) -> None:
    response = open_office(staff).post(open_page(buyer), {"reason": "核对对账单"})
    match = re.search(r'<a class="office-go" href="([^"]+)"', response.content.decode())
    assert match
    query = parse_qs(urlsplit(unescape(match[1])).query)

    assert query["adminLogin"] == ["1"]
    assert "no-store" in response["Cache-Control"]
    answers = [
        ApiClient().get("/api/Account/LoginBySession", {"sessionKey": query["sessionKey"][0]})
        for _ in range(2)
    ]
    assert [answer.code for answer in answers] == ["ok", "session_key_invalid"]
    assert (
        ApiClient(bearer=answers[0].body["Token"]).get("/api/Account/Profile").body["UserName"]
        == "buyer"
    )


def test_an_account_of_the_staff_has_no_such_page(staff: Account) -> None:
    with platform_scope(reason="test"):
        colleague = StaffFactory()

    assert open_office(staff).get(open_page(colleague)).status_code == 403


@pytest.mark.parametrize(
    ("job", "status"), [("客服", 200), ("系统", 200), ("商品", 403), ("财务", 403)]
)
def test_impersonation_page_requires_a_service_role(buyer: Account, job: str, status: int) -> None:
    assert open_office(create_staff(job)).get(open_page(buyer)).status_code == status


@pytest.mark.parametrize(("job", "is_offered"), [("客服", True), ("财务", False)])
def test_impersonation_button_is_shown_to_service_roles_only(
    buyer: Account, job: str, is_offered: bool
) -> None:
    page = (
        open_office(create_staff(job))
        .get(reverse("admin:org_account_change", args=[buyer.pk]))
        .content.decode()
    )

    assert (open_page(buyer) in page) is is_offered
