"""Sign-in with 企业微信, using the demo provider: WeChatWorkBegin, WeChatWorkAuth and
WeChatWorkBind.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core import mail, signing
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.tenancy import platform_scope
from apps.common.testing import Answer, ApiClient
from apps.identity.models import TokenFamily, WeChatWorkAccount, WeChatWorkState
from apps.identity.services import wechat_work
from apps.identity.services.purge import identity_purge
from apps.identity.services.second_factor import factor_begin, factor_confirm
from apps.identity.services.wechat_work import wechat_work_link
from apps.identity.tests.services.test_second_factor import compute_code as authenticator_code
from apps.identity.wechat_work import STRANGER, UNAVAILABLE, DemoWeChatWork
from apps.org.models import Account, Group
from apps.org.tests.factories import PASSWORD

BEGIN, AUTH, BIND = (f"/api/Account/WeChatWork{name}" for name in ("Begin", "Auth", "Bind"))
EXPIRED = "登录请求已失效，或不是由本浏览器发起，请重新发起企业微信登录"
MEMBER = "xujingyi"


@pytest.fixture
def bound(buyer: Account) -> WeChatWorkAccount:
    return wechat_work_link(account=buyer, corp_id=DemoWeChatWork.corp_id, user_id=MEMBER, by=None)


def begin(browser: ApiClient, return_url: str = "") -> str:
    """Begin a sign-in and return the state in the redirect to 企业微信."""
    address = browser.post(BEGIN, {"ReturnUrl": return_url}).body["Url"]
    return parse_qs(urlsplit(address).query)["state"][0]


def get_code(subject: str = MEMBER) -> str:
    return DemoWeChatWork().create_code(subject)


def back(browser: ApiClient, state: str, code: str | None = None) -> Answer:
    return browser.get(AUTH, {"code": code or get_code(), "state": state})


def bind(
    browser: ApiClient,
    state: str,
    password: str = PASSWORD,
    username: str = "buyer",
    **more: str,
) -> Answer:
    body = {"State": state, "UserName": username, "Password": password, **more}
    return browser.post(BIND, body)


def test_the_way_there_names_the_callback_and_a_state_of_letters_and_digits(
    api: ApiClient, db: None
) -> None:
    address = urlsplit(api.post(BEGIN, {}).body["Url"])
    query = parse_qs(address.query)

    assert (address.path, query["redirect_uri"]) == (
        "/wechat-work-demo/",
        ["http://testserver/wechat-work-auth"],
    )
    assert len(query["state"][0]) == 64
    assert query["state"][0].isalnum()


def test_the_browser_keeps_a_secret_that_no_script_reads(api: ApiClient, db: None) -> None:
    begin(api)
    cookie = api.client.cookies["WeChatWorkBrowser"]

    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["max-age"]) == (
        True,
        "Lax",
        "/api/Account/",
        1200,
    )
    assert cookie.value not in str(WeChatWorkState.objects.values().get())


def test_a_bound_member_signs_in_as_his_account(api: ApiClient, bound: WeChatWorkAccount) -> None:
    answer = back(api, begin(api, "/shop/cart"))

    assert set(answer.body) == {"Token", "RefreshToken", "Redirect", "ReturnUrl"}
    assert (answer.body["ReturnUrl"], answer.body["Redirect"]) == ("/shop/cart", None)
    assert (
        ApiClient(bearer=answer.body["Token"]).get("/api/Account/Profile").body["UserName"]
        == "buyer"
    )
    bound.refresh_from_db()
    assert bound.used_at is not None


def test_sign_in_is_refused_if_the_binding_is_removed_meanwhile(
    api: ApiClient, bound: WeChatWorkAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wechat_work, "check_sign_in_allowed", lambda _account: bound.delete())

    assert back(api, begin(api)).code == "wechat_work_expired"
    assert not TokenFamily.objects.exists()


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_foreign_return_address_is_dropped(
    api: ApiClient, bound: WeChatWorkAccount, target: str
) -> None:
    assert back(api, begin(api, target)).body["ReturnUrl"] is None


def test_a_state_is_good_once(api: ApiClient, bound: WeChatWorkAccount) -> None:
    state = begin(api)
    back(api, state)
    again = back(api, state)

    assert (again.code, again.message) == ("wechat_work_expired", EXPIRED)


def test_state_is_valid_only_in_its_browser(api: ApiClient, bound: WeChatWorkAccount) -> None:
    state = begin(api)
    stranger = ApiClient()
    begin(stranger)

    assert back(stranger, state).message == EXPIRED
    assert back(ApiClient(), state).message == EXPIRED
    assert back(api, state).ok


def test_a_state_lives_ten_minutes(api: ApiClient, bound: WeChatWorkAccount) -> None:
    state = begin(api)
    row = WeChatWorkState.objects.get()
    assert timedelta(seconds=595) < row.expires_at - timezone.now() <= timedelta(minutes=10)
    WeChatWorkState.objects.update(expires_at=timezone.now())

    assert back(api, state).message == EXPIRED


@pytest.mark.parametrize("state", ["", "0" * 64, "x"])
def test_an_unknown_state_is_refused(api: ApiClient, bound: WeChatWorkAccount, state: str) -> None:
    begin(api)

    assert back(api, state).code == "wechat_work_expired"


def test_two_tabs_of_a_browser_sign_in_independently(
    api: ApiClient, bound: WeChatWorkAccount
) -> None:
    first, second = begin(api), begin(api)

    assert back(api, first).ok
    assert back(api, second).ok


def test_a_code_is_good_once(api: ApiClient, bound: WeChatWorkAccount) -> None:
    code = get_code()
    assert back(api, begin(api), code).ok
    again = back(api, begin(api), code)

    assert (again.code, again.message) == (
        "wechat_work_expired",
        "企业微信授权已失效，请重新发起登录",
    )


@pytest.mark.parametrize("code", ["x", "foreign"])
def test_forged_wechat_work_code_is_refused(
    api: ApiClient, bound: WeChatWorkAccount, code: str
) -> None:
    given = signing.dumps([MEMBER, ""], salt="another") if code == "foreign" else code

    assert back(api, begin(api), given).message == "企业微信授权已失效，请重新发起登录"


def test_wechat_work_sign_in_reports_a_disabled_account(
    api: ApiClient, bound: WeChatWorkAccount
) -> None:
    Account.objects.update(is_active=False)

    assert back(api, begin(api)).message == "账号已停用，请联系贵司管理员"


def test_an_account_of_a_disabled_group_does_not_get_in(
    api: ApiClient, bound: WeChatWorkAccount, buyer: Account
) -> None:
    assert buyer.group
    buyer.group.is_active = False
    buyer.group.save()

    assert back(api, begin(api)).code == "account_disabled"


def test_a_group_may_shut_this_way(
    api: ApiClient, bound: WeChatWorkAccount, buyer: Account
) -> None:
    assert buyer.group
    buyer.group.allows_wechat_work = False
    buyer.group.save()
    answer = back(api, begin(api))

    assert (answer.code, answer.message) == (
        "wechat_work_refused",
        "贵司未开放企业微信登录，请使用账号密码登录",
    )
    assert TokenFamily.objects.count() == 0


def test_wechat_work_sign_in_refuses_a_stranger(api: ApiClient, db: None) -> None:
    answer = back(api, begin(api), get_code(STRANGER))

    assert (answer.code, answer.message) == (
        "wechat_work_refused",
        "您不是该企业微信的成员，请切换企业或使用账号密码登录",
    )


def test_wechat_work_sign_in_reports_an_unavailable_provider(api: ApiClient, db: None) -> None:
    answer = back(api, begin(api), get_code(UNAVAILABLE))

    assert (answer.code, answer.message) == (
        "wechat_work_unavailable",
        "企业微信暂时无法连接，请稍后重试，或使用账号密码登录",
    )


def test_wechat_work_login_is_disabled_without_a_corp_outside_the_demo(
    api: ApiClient, db: None, settings: Any
) -> None:
    settings.DEMO_MODE = False

    assert {
        api.post(BEGIN, {}).message,
        back(api, "0" * 64).message,
        bind(api, "0" * 64).message,
    } == {"商城未开通企业微信登录，请使用账号密码登录"}


def test_unbound_member_is_asked_to_bind_an_account(api: ApiClient, buyer: Account) -> None:
    answer = back(api, begin(api))

    assert (answer.code, answer.body) == ("wechat_work_unbound", {"Member": MEMBER})
    assert answer.message == "该企业微信尚未绑定商城账号，请验证账号密码完成绑定"


def test_account_password_binds_the_member_and_signs_in(api: ApiClient, buyer: Account) -> None:
    buyer.email = "buyer@yf.example"
    buyer.save()
    state = begin(api, "/shop/cart")
    back(api, state)
    answer = bind(api, state)
    outbox_deliver()

    assert (
        ApiClient(bearer=answer.body["Token"]).get("/api/Account/Profile").body["UserName"]
        == "buyer"
    )
    assert answer.body["ReturnUrl"] == "/shop/cart"
    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        (["buyer@yf.example"], "文采商城：已绑定企业微信")
    ]
    assert MEMBER in str(mail.outbox[0].body)
    assert back(api, begin(api)).ok


def test_wrong_password_binds_no_member_and_allows_another_try(
    api: ApiClient, buyer: Account
) -> None:
    state = begin(api)
    back(api, state)

    assert bind(api, state, "wrong").code == "wrong_credentials"
    assert WeChatWorkAccount.objects.count() == 0
    assert bind(api, state).ok


def test_guessing_while_binding_meets_the_limits_of_the_login(
    api: ApiClient, buyer: Account
) -> None:
    state = begin(api)
    back(api, state)
    codes = [bind(api, state, "wrong").code for _ in range(6)]

    assert codes == ["wrong_credentials"] * 5 + ["captcha_required"]
    assert (
        api.post("/api/Account/Login", {"UserName": "buyer", "Password": PASSWORD}).code
        == "captcha_required"
    )


def test_binding_state_is_valid_once_and_only_in_its_browser(
    api: ApiClient, buyer: Account, ga: Account
) -> None:
    state = begin(api)
    assert bind(api, state).message == EXPIRED  # the callback has not arrived yet
    back(api, state)

    assert bind(ApiClient(), state).message == EXPIRED
    assert bind(api, state).ok
    assert bind(api, state, username="ga").message == EXPIRED


def test_binding_state_expires(api: ApiClient, buyer: Account) -> None:
    state = begin(api)
    back(api, state)
    WeChatWorkState.objects.update(expires_at=timezone.now())

    assert bind(api, state).message == EXPIRED


def test_account_binds_only_one_member(api: ApiClient, bound: WeChatWorkAccount) -> None:
    state = begin(api)
    back(api, state, get_code("linxiaoyu"))
    answer = bind(api, state)

    assert (answer.code, answer.message) == (
        "wechat_work_refused",
        "该商城账号或企业微信成员已有绑定，请联系贵司管理员或客服解除后重试",
    )
    assert WeChatWorkAccount.objects.count() == 1


def test_group_with_disabled_wechat_work_refuses_bindings(api: ApiClient, buyer: Account) -> None:
    assert buyer.group
    buyer.group.allows_wechat_work = False
    buyer.group.save()
    state = begin(api)
    back(api, state)

    assert bind(api, state).code == "wechat_work_refused"
    assert WeChatWorkAccount.objects.count() == 0


def test_wechat_work_binding_of_staff_is_refused(api: ApiClient, staff: Account) -> None:
    state = begin(api)
    back(api, state)

    assert bind(api, state, username="ops").code == "wrong_credentials"


def test_same_member_name_of_another_corp_is_unbound(api: ApiClient, buyer: Account) -> None:
    wechat_work_link(account=buyer, corp_id="another-corp", user_id=MEMBER, by=None)

    assert back(api, begin(api)).code == "wechat_work_unbound"


def test_expired_state_is_purged(api: ApiClient, db: None) -> None:
    begin(api)
    WeChatWorkState.objects.update(expires_at=timezone.now())
    identity_purge()

    assert WeChatWorkState.objects.count() == 0


def test_binding_with_a_password_needs_the_second_factor_too(
    api: ApiClient, buyer: Account
) -> None:
    state = begin(api)
    back(api, state)
    Group.objects.update(requires_second_factor=True)
    assert bind(api, state).code == "wrong_state"
    with platform_scope(reason="test"):
        secret = factor_begin(account=buyer).secret
        code, *_rest = factor_confirm(account=buyer, code=authenticator_code(secret))
    assert bind(api, state).code == "second_factor_required"
    assert not WeChatWorkAccount.objects.exists()
    assert bind(api, state, SecondFactorCode=code).ok
    assert WeChatWorkAccount.objects.get().account == buyer
