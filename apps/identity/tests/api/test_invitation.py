"""Invitations: a one-time link by mail, or a code that the administrator passes on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.mail import EmailMessage

from apps.common.background.delivery import outbox_deliver
from apps.common.testing import ApiClient
from apps.org.models import Account, Department
from apps.org.tests.factories import PASSWORD

NEW = "fresh-Mall-2027"


def open_account(ga: Account, department: Department, **more: Any) -> Any:
    body = {
        "UserName": "newbie",
        "NickName": "小新",
        "Email": "newbie@yf.cn",
        "DepartmentId": department.pk,
        "Password": PASSWORD,
        **more,
    }
    return ApiClient(ga).post("/api/Account", body)


def spend(code: str, password: str = NEW) -> Any:
    return ApiClient().post(
        "/api/Account/ResetPassword", {"UserName": "newbie", "Code": code, "NewPassword": password}
    )


def sign_in() -> str:
    return ApiClient().post("/api/Account/Login", {"UserName": "newbie", "Password": NEW}).code


@pytest.fixture
def handed(ga: Account, department: Department) -> str:
    """The invitation code of a new account, from the answer to the administrator."""
    code: str = open_account(ga, department, Invite="code").body["Invitation"]["Code"]
    return code


def test_the_code_sets_the_first_password_once(handed: str) -> None:
    assert spend(handed).ok
    assert sign_in() == "ok"
    assert spend(handed, "other-Mall-2028").errors == {
        "Code": ["验证码不正确或已过期，请核对邮件或重新获取"]
    }


def test_invitation_code_ignores_dashes_and_case(handed: str) -> None:
    assert spend(handed.replace("-", "").lower()).ok


def test_the_link_hides_the_code_from_servers(ga: Account, department: Department) -> None:
    invitation = open_account(ga, department, Invite="code").body["Invitation"]

    code = invitation["Code"].replace("-", "")
    assert invitation["Link"] == f"http://testserver/resetPassword#account=newbie&code={code}"


def test_a_letter_brings_a_link_that_works(
    ga: Account, department: Department, mailoutbox: list[EmailMessage]
) -> None:
    texts = open_account(ga, department, Invite="mail")
    outbox_deliver()

    letter = mailoutbox[0]
    assert (letter.to, letter.subject) == (["newbie@yf.cn"], "文采商城：邀请您开通账号")
    assert texts.body["Invitation"]["Code"] == ""
    match = re.search(r"#account=newbie&code=(\w{12})", str(letter.body))
    assert match
    assert spend(match[1]).ok


def test_mail_invitation_requires_an_address(ga: Account, department: Department) -> None:
    answer = open_account(ga, department, Invite="mail", Email="")

    assert answer.errors == {"Email": ["该账号没有登记邮箱，请先填写邮箱，或改用临时验证码"]}
    assert not Account.objects.filter(username="newbie").exists()


def test_new_invitation_invalidates_the_previous_one(ga: Account, handed: str) -> None:
    account = Account.objects.get(username="newbie")
    ApiClient(ga).post(
        f"/api/Account/{account.pk}/Invite", {"Channel": "code", "Password": PASSWORD}
    )

    assert not spend(handed).ok


def test_reset_code_request_does_not_end_the_invitation(
    handed: str, mailoutbox: list[EmailMessage]
) -> None:
    ApiClient().post("/api/Account/SendResetCode", {"UserName": "newbie"})
    outbox_deliver()

    assert spend(handed).ok


def test_wrong_tries_end_no_invitation(handed: str) -> None:
    for _ in range(7):
        spend("AAAA-BBBB-CCCC")

    assert spend(handed).ok


def test_the_invitation_of_a_disabled_account_is_void(ga: Account, handed: str) -> None:
    account = Account.objects.get(username="newbie")
    ApiClient(ga).post(f"/api/Account/{account.pk}/Disable")

    assert not spend(handed).ok


def test_account_with_a_password_cannot_be_invited(ga: Account, buyer: Account) -> None:
    answer = ApiClient(ga).post(
        f"/api/Account/{buyer.pk}/Invite", {"Channel": "code", "Password": PASSWORD}
    )

    assert answer.message == "该账号已设置密码，如需更换请使用“重置密码”"


def test_second_mail_within_a_minute_is_refused(ga: Account, buyer: Account) -> None:
    Account.objects.filter(pk=buyer.pk).update(email="buyer@yf.cn")
    codes = [
        ApiClient(ga).post(f"/api/Account/{buyer.pk}/ResetPassword", {"Channel": "mail"}).code
        for _ in range(2)
    ]

    assert codes == ["ok", "too_soon"]


def test_account_cannot_reset_its_own_password_as_an_administrator(ga: Account) -> None:
    assert (
        ApiClient(ga).post(f"/api/Account/{ga.pk}/ResetPassword").message
        == "请在个人中心修改自己的密码"
    )


def test_changed_mail_address_invalidates_the_previous_invitation(
    ga: Account, department: Department, mailoutbox: list[EmailMessage]
) -> None:
    body = open_account(ga, department, Invite="mail", Email="stranger@yf.cn").body
    outbox_deliver()
    code = re.search(r"code=(\w+)", str(mailoutbox[0].body))
    ApiClient(ga).patch(f"/api/Account/{body['Id']}", {"JobTitle": "文员"})
    ApiClient(ga).patch(
        f"/api/Account/{body['Id']}", {"Email": "newbie@yf.cn", "Password": PASSWORD}
    )

    assert code is not None
    assert spend(code[1]).errors == {"Code": ["验证码不正确或已过期，请核对邮件或重新获取"]}
