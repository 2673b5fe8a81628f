"""The account's own pages: profile, password, sessions, and the link to the old mall."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings as configured
from django.core import mail
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.files import ANY_KIND, file_take
from apps.common.services.files import file_store
from apps.common.testing import Answer, ApiClient
from apps.common.tests.test_files import NamedBytes, draw_picture
from apps.identity.errors import RedirectRefused
from apps.identity.models import SessionKey, SessionKeyIssuer
from apps.identity.services.session_key import old_mall_ticket_use, session_key_issue
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD

NEW = "another-Mall-2027"
PROFILE, CHANGE = "/api/Account/Profile", "/api/Account/ChangePassword"


def login(password: str = PASSWORD) -> Answer:
    return ApiClient().post("/api/Account/Login", {"UserName": "buyer", "Password": password})


def test_profile_shows_name_role_and_department(buyer: Account) -> None:
    body = ApiClient(buyer).get(PROFILE).body

    assert (body["UserName"], body["NickName"], body["UserType"], body["Role"]) == (
        "buyer",
        "小采",
        "NU",
        ["采购员"],
    )
    assert body["Department"] == {"Id": str(buyer.department_id), "Name": "行政部"}


def test_the_profile_is_changed(buyer: Account) -> None:
    body = (
        ApiClient(buyer)
        .patch(
            PROFILE,
            {
                "NickName": "小采二",
                "FullName": "蔡晓",
                "JobTitle": "采购主管",
                "Mobile": buyer.mobile,
            },
        )
        .body
    )

    buyer.refresh_from_db()
    assert (buyer.nickname, buyer.full_name, buyer.job_title) == ("小采二", "蔡晓", "采购主管")
    assert (body["NickName"], body["FullName"], body["JobTitle"]) == ("小采二", "蔡晓", "采购主管")


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        (
            {"Mobile": "12345"},
            "Mobile",
            "请输入 11 位手机号码，或带区号的固定电话（如 010-88888888）",
        ),
        ({"NickName": "\u202e张三"}, "NickName", "含有换行或不可见字符，请删除后重试"),
        ({"FullName": "张\u200b三"}, "FullName", "含有换行或不可见字符，请删除后重试"),
        ({"JobTitle": "采购\n主管"}, "JobTitle", "含有换行或不可见字符，请删除后重试"),
        ({"Email": "no"}, "Email", "请输入正确的邮箱地址"),
        ({"Mobile": "13912345678"}, "Mobile", "更换手机号码需要验证码，请在“更换手机号码”中办理"),
        ({"Email": "b@yf.example"}, "Email", "更换邮箱需要验证码，请在“更换邮箱”中办理"),
        ({"NickName": " "}, "NickName", "请输入昵称"),
        ({"Avatar": "no"}, "Avatar", "请先上传头像图片，再提交其 FileId"),
        ({"Avatar": "00000000-0000-4000-8000-000000000000"}, "Avatar", "请重新上传头像图片"),
        ({"UserType": "GA"}, "UserType", "不支持的字段"),
    ],
)
def test_invalid_profile_is_refused_with_a_hint(
    buyer: Account, change: dict[str, Any], field: str, message: str
) -> None:
    assert ApiClient(buyer).patch(PROFILE, change).errors == {field: [message]}


def test_avatar_must_be_an_own_picture(buyer: Account, approver: Account) -> None:
    sheet = file_take(NamedBytes("a.csv", "编码,数量\n".encode()), kinds=ANY_KIND, max_mb=1)
    drawing = file_take(NamedBytes("a.png", draw_picture()), kinds=ANY_KIND, max_mb=1)
    files = [file_store(actor=approver, file=drawing), file_store(actor=buyer, file=sheet)]
    answers = [ApiClient(buyer).patch(PROFILE, {"Avatar": str(file.public_id)}) for file in files]

    assert [answer.errors for answer in answers] == [{"Avatar": ["请重新上传头像图片"]}] * 2


def test_password_change_applies_and_ends_other_sessions(buyer: Account) -> None:
    here, elsewhere = ApiClient(buyer), ApiClient(buyer)

    assert here.post(CHANGE, {"OldPassword": PASSWORD, "NewPassword": NEW}).ok
    assert login(NEW).ok
    assert login().code == "wrong_credentials"
    assert here.get(PROFILE).ok
    assert elsewhere.get(PROFILE).status == 401


def test_password_change_is_notified_by_mail(buyer: Account) -> None:
    buyer.email = "buyer@yf.example"
    buyer.save()
    ApiClient(buyer).post(CHANGE, {"OldPassword": PASSWORD, "NewPassword": NEW})
    outbox_deliver()

    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        (["buyer@yf.example"], "文采商城：登录密码已修改")
    ]
    assert timezone.localtime().strftime("%Y年%-m月%-d日") in str(mail.outbox[0].body)


def test_a_changed_password_ends_the_keys_that_could_begin_a_sign_in(buyer: Account) -> None:
    key = session_key_issue(account=buyer, issuer=SessionKeyIssuer.SSO)
    ApiClient(buyer).post(CHANGE, {"OldPassword": PASSWORD, "NewPassword": NEW})

    assert by_session(key).code == "session_key_invalid"


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("wrong", NEW, "OldPassword"),
        (PASSWORD, "12345678", "NewPassword"),
        (PASSWORD, "x", "NewPassword"),
        (PASSWORD, PASSWORD, "NewPassword"),
    ],
)
def test_password_change_refuses_a_wrong_old_or_weak_new_password(
    buyer: Account, old: str, new: str, field: str
) -> None:
    assert set(ApiClient(buyer).post(CHANGE, {"OldPassword": old, "NewPassword": new}).errors) == {
        field
    }
    assert login().ok


def test_five_wrong_old_passwords_block_the_change(buyer: Account) -> None:
    client = ApiClient(buyer)
    for _ in range(5):
        client.post(CHANGE, {"OldPassword": "wrong", "NewPassword": NEW})

    assert (
        client.post(CHANGE, {"OldPassword": PASSWORD, "NewPassword": NEW}).message
        == "原密码错误次数过多，请 15 分钟后再试"
    )


def by_session(key: str, **query: str) -> Answer:
    return ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key, **query})


def test_a_session_key_signs_in_once(buyer: Account) -> None:
    key = session_key_issue(
        account=buyer, issuer=SessionKeyIssuer.SSO, return_url="/product/index?Keyword=A4"
    )

    answer = by_session(key)
    assert ApiClient(bearer=answer.body["Token"]).get(PROFILE).body["UserName"] == "buyer"
    assert (answer.body["ReturnUrl"], answer.body["Redirect"]) == (
        "/product/index?Keyword=A4",
        None,
    )
    again = by_session(key)
    assert (again.code, again.message) == ("session_key_invalid", "自动登录失败，请手动登录")


def test_the_capital_spelling_of_the_key_is_heard_too(buyer: Account) -> None:
    key = session_key_issue(account=buyer, issuer=SessionKeyIssuer.SSO)

    assert ApiClient(bearer="expired").get("/api/Account/LoginBySession", {"SessionKey": key}).ok


def test_a_session_key_lives_five_minutes(buyer: Account) -> None:
    key = session_key_issue(account=buyer, issuer=SessionKeyIssuer.SSO)
    row = SessionKey.objects.get()
    assert timedelta(seconds=295) < row.expires_at - timezone.now() <= timedelta(seconds=300)
    SessionKey.objects.update(expires_at=timezone.now())

    assert by_session(key).code == "session_key_invalid"


@pytest.mark.parametrize("key", ["", "x", "A" * 43, "A" * 201])
def test_an_unknown_session_key_is_refused(db: None, key: str) -> None:
    assert not by_session(key).ok


def test_a_disabled_account_does_not_get_in_by_session_key(buyer: Account) -> None:
    key = session_key_issue(account=buyer, issuer=SessionKeyIssuer.SSO)
    buyer.is_active = False
    buyer.save()

    assert by_session(key).code == "session_key_invalid"


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_a_session_key_is_not_issued_for_a_foreign_address(buyer: Account, target: str) -> None:
    with pytest.raises(RedirectRefused):
        session_key_issue(account=buyer, issuer=SessionKeyIssuer.SSO, return_url=target)


def test_a_visitor_gets_the_old_malls_address_without_a_ticket(api: ApiClient, db: None) -> None:
    assert api.get("/api/Account/JumpOldLink").body == configured.OLD_MALL_URL


def test_the_ticket_for_the_old_mall_is_the_accounts_and_works_once(buyer: Account) -> None:
    client = ApiClient(buyer)
    address = urlsplit(client.get("/api/Account/JumpOldLink", {"tag": "order"}).body)
    query = parse_qs(address.query)

    assert query["tag"] == ["order"]
    assert client.bearer not in address.query
    assert old_mall_ticket_use(ticket=query["token"][0]) == buyer
    assert old_mall_ticket_use(ticket=query["token"][0]) is None


@pytest.mark.django_db
def test_old_mall_link_is_empty_without_an_old_mall(api: ApiClient, settings: Any) -> None:
    settings.OLD_MALL_URL = ""

    assert api.get("/api/Account/JumpOldLink").body == ""


def test_an_expired_bearer_gets_the_address_as_a_visitor(db: None) -> None:
    assert (
        ApiClient(bearer="expired").get("/api/Account/JumpOldLink").body == configured.OLD_MALL_URL
    )
