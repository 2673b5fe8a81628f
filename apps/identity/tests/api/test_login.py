"""POST /api/Account/Login, /Logout and GetUserMenuList."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone
from django_redis import get_redis_connection

from apps.common.models import RateCounter
from apps.common.testing import Answer, ApiClient
from apps.identity.models import Captcha, TokenFamily
from apps.identity.tests.hand import solve
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD

LOGIN = "/api/Account/Login"


def login(api: ApiClient, username: str = "buyer", password: str = PASSWORD, **more: Any) -> Answer:
    return api.post(LOGIN, {"UserName": username, "Password": password, **more})


def fail(api: ApiClient, times: int, username: str = "buyer") -> list[str]:
    return [login(api, username, "wrong").code for _ in range(times)]


def let_the_window_pass() -> None:
    """Expire the counters as if 15 minutes had passed, in the table or in Redis."""
    RateCounter.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    if settings.CACHE_URL:
        redis = get_redis_connection("default")
        for key in redis.scan_iter(f"{settings.CACHE_PREFIX}:limit:login*"):
            assert 0 < redis.ttl(key) <= 900
            redis.delete(key)


def build_claims(token: str) -> dict[str, Any]:
    part = token.split(".")[1]
    decoded: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return decoded


def test_token_contains_the_claims_that_the_page_decodes(api: ApiClient, buyer: Account) -> None:
    answer = login(api)

    row = build_claims(answer.body["Token"])
    assert row["uid"] == str(buyer.pk)
    assert (row["utype"], row["nname"], row["Role"]) == ("NU", "小采", ["采购员"])
    assert row["Enterprise"] == {"Id": str(buyer.enterprise_id), "Name": "云帆科技有限公司"}
    assert row["exp"] - row["iat"] == 600


def test_token_opens_a_page_that_requires_login(api: ApiClient, buyer: Account) -> None:
    api.bearer = login(api).body["Token"]

    assert api.get("/api/Account/Profile").body["UserName"] == "buyer"


def test_the_name_is_case_folded(api: ApiClient, buyer: Account) -> None:
    assert login(api, "BUYER").ok


def test_an_unknown_name_and_a_wrong_password_answer_the_same(
    api: ApiClient, buyer: Account
) -> None:
    wrong, unknown = login(api, "buyer", "wrong"), login(api, "nobody", "wrong")

    assert (wrong.status, wrong.code, wrong.message) == (
        200,
        "wrong_credentials",
        "账号或密码不正确，请重新输入",
    )
    assert (unknown.status, unknown.code, unknown.message, unknown.body) == (
        wrong.status,
        wrong.code,
        wrong.message,
        wrong.body,
    )


def test_an_unknown_name_costs_a_hash_too(
    api: ApiClient, buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.contrib.auth.hashers import MD5PasswordHasher

    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return str(encode(self, password, salt))

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)

    login(api, "nobody", "guess")
    assert hashed[-1] == "guess"


def test_disabled_account_is_reported_only_with_the_right_password(
    api: ApiClient, buyer: Account
) -> None:
    buyer.is_active = False
    buyer.save()

    assert login(api, password="wrong").code == "wrong_credentials"
    assert login(api).code == "account_disabled"


def test_an_account_of_a_disabled_group_does_not_get_in(api: ApiClient, buyer: Account) -> None:
    assert buyer.group
    buyer.group.is_active = False
    buyer.group.save()

    assert login(api).code == "account_disabled"


def test_staff_do_not_sign_in_at_the_storefront(api: ApiClient, staff: Account) -> None:
    assert login(api, "ops").code == "wrong_credentials"


def test_sixth_failure_of_a_name_requires_the_captcha(api: ApiClient, buyer: Account) -> None:
    assert fail(api, 6) == ["wrong_credentials"] * 5 + ["captcha_required"]


def test_the_right_password_is_not_heard_without_the_captcha_then(
    api: ApiClient, buyer: Account
) -> None:
    fail(api, 5)

    assert login(api).code == "captcha_required"


def test_failures_of_one_name_require_no_captcha_for_others(
    api: ApiClient, buyer: Account, ga: Account
) -> None:
    fail(api, 6)

    assert login(api, "ga").ok


def test_failures_on_many_names_from_one_address_require_the_captcha(
    api: ApiClient, buyer: Account, settings: Any
) -> None:
    settings.LOGIN_NAMES_PER_CLIENT = 3
    codes = [fail(api, 1, name)[0] for name in "abcd"]

    assert codes == ["wrong_credentials"] * 3 + ["captcha_required"]
    assert login(api).code == "captcha_required"
    assert login(ApiClient(REMOTE_ADDR="203.0.113.9")).ok


def test_a_name_counts_once_for_its_address(api: ApiClient, buyer: Account, settings: Any) -> None:
    settings.LOGIN_NAMES_PER_CLIENT = 3
    fail(api, 4, "a")
    fail(api, 4, "b")

    assert login(api).ok


def test_an_office_may_fail_under_twenty_nine_names() -> None:
    assert settings.LOGIN_NAMES_PER_CLIENT == 30


def test_a_name_is_guarded_from_every_address(api: ApiClient, buyer: Account) -> None:
    for last in range(5):
        fail(ApiClient(REMOTE_ADDR=f"203.0.113.{last + 1}"), 1)

    assert login(ApiClient(REMOTE_ADDR="203.0.113.99")).code == "captcha_required"


def test_the_failures_are_forgotten_after_fifteen_minutes(api: ApiClient, buyer: Account) -> None:
    fail(api, 5)
    let_the_window_pass()

    assert login(api).ok


def test_a_success_forgets_the_failures_of_the_name(api: ApiClient, buyer: Account) -> None:
    fail(api, 4)
    login(api)
    fail(ApiClient(REMOTE_ADDR="203.0.113.9"), 4)

    assert login(ApiClient(REMOTE_ADDR="203.0.113.8")).ok


def test_solved_captcha_allows_the_right_password(api: ApiClient, buyer: Account) -> None:
    fail(api, 5)
    answer = solve(api.get("/api/Account/Captcha").body["Id"])

    assert login(api, CaptchaVerifyParam=json.dumps(answer)).ok


def test_solved_captcha_is_used_up_by_a_wrong_password(api: ApiClient, buyer: Account) -> None:
    fail(api, 5)
    answer = solve(api.get("/api/Account/Captcha").body["Id"])

    assert login(api, password="wrong", CaptchaVerifyParam=answer).code == "wrong_credentials"
    assert login(api, CaptchaVerifyParam=answer).code == "captcha_required"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "UserName"),
        ({"UserName": "", "Password": "x"}, "UserName"),
        ({"UserName": "buyer", "Password": ["x"]}, "Password"),
        ({"UserName": "buyer", "Password": "x", "Admin": True}, "Admin"),
        ({"UserName": "b" * 61, "Password": "x"}, "UserName"),
    ],
)
def test_a_wrong_body_names_the_field(
    api: ApiClient, db: None, body: dict[str, Any], field: str
) -> None:
    answer = api.post(LOGIN, body)

    assert (answer.status, answer.code) == (200, "validation")
    assert field in answer.errors


def test_login_does_not_mind_an_expired_bearer(api: ApiClient, buyer: Account) -> None:
    api.bearer = "expired"

    assert login(api).ok


def test_logout_ends_the_sign_in_at_once(api: ApiClient, buyer: Account) -> None:
    tokens = login(api).body
    api.bearer = tokens["Token"]

    assert api.post("/api/Account/Logout", {"RefreshToken": tokens["RefreshToken"]}).ok
    assert api.get("/api/Account/Profile").status == 401
    assert not api.post(
        "/api/Account/RefreshToken",
        {"RefreshToken": tokens["RefreshToken"], "UserId": str(buyer.pk)},
    ).ok


def test_logout_with_a_forged_token_ends_no_session(api: ApiClient, buyer: Account) -> None:
    login(api)
    family = TokenFamily.objects.get()

    assert api.post(
        "/api/Account/Logout", {"RefreshToken": f"{family.public_id.hex}.0.{'A' * 43}"}
    ).ok
    assert TokenFamily.objects.filter(revoked_at__isnull=True).count() == 1


def test_the_menu_list_has_the_roles_codes_and_their_groups(limited: Account) -> None:
    assert ApiClient(limited).post("/api/Account/GetUserMenuList").body == [
        "order",
        "order.list",
        "asset",
        "asset.budget",
    ]


def test_a_group_admins_menu_list_has_every_code(ga: Account) -> None:
    body = ApiClient(ga).post("/api/Account/GetUserMenuList").body

    assert len(body) == 27
    assert {"order", "report.purchaser", "invoice.list"} <= set(body)


def test_the_menu_list_needs_a_login(api: ApiClient, db: None) -> None:
    answer = api.post("/api/Account/GetUserMenuList")

    assert (answer.status, answer.code, answer.message) == (
        401,
        "not_logged_in",
        "未登录或登录已过期，请重新登录",
    )


def test_captcha_response_does_not_contain_its_answer(api: ApiClient, db: None) -> None:
    body = api.get("/api/Account/Captcha").body

    assert set(body) == {"Id", "Background", "Piece", "Y", "Width", "Height", "PieceSize"}
    assert body["Background"].startswith("data:image/webp;base64,")
    assert Captcha.objects.get(public_id=body["Id"]).answer_x >= 54
