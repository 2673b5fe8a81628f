"""Which calls are limited, by which client they are counted, and the answer to a client above
its limit.
"""

from __future__ import annotations

import json
import re
import time
from typing import Any
from uuid import uuid4

import jwt
import pytest
from django.conf import settings
from django.test import RequestFactory

from apps.common.limits import counters
from apps.common.limits.counters import block_guid, is_guid_of
from apps.common.limits.rules import CLASSES, list_rules, parse_window
from apps.common.models import RateCounter
from apps.common.requests import get_person_key
from apps.common.testing import Answer, ApiClient, assert_queries
from apps.identity.tests.hand import solve
from apps.org.models import Account
from mall.settings.limits import RATES

pytestmark = pytest.mark.django_db
requests = RequestFactory()


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("POST", "/api/Account/Login", "sign-in"),
        ("GET", "/api/Account/LoginBySession", "sign-in"),
        ("HEAD", "/api/Account/LoginBySession", "sign-in"),
        ("GET", "/api/Account/WeChatWorkAuth", "sign-in"),
        ("POST", "/api/Account/WeChatWorkBind", "sign-in"),
        ("POST", "/api/Account/SendResetCode", "codes"),
        ("POST", "/api/Account/CheckResetCode", "code-tries"),
        ("POST", "/api/Account/ResetPassword", "code-tries"),
        ("GET", "/api/Product", "search"),
        ("HEAD", "/api/Product", "search"),
        ("POST", "/api/Product/Search", "search"),
        ("GET", "/api/Search/Suggest", "search"),
        ("POST", "/api/Product/ImageSearch", "image-search"),
        ("POST", "/api/File/Execute", "uploads"),
        ("POST", "/api/Report/Order/Export", "exports"),
        ("POST", "/api/ExportJob", "exports"),
        ("POST", "/api/ExportJob/7/Retry", "exports"),
        ("POST", "/api/ReportSubscription/7/SendNow", "exports"),
        ("POST", "/api/Webhook/7/Test", "trials"),
        ("POST", "/api/Order", "writes"),
        ("PATCH", "/api/ShoppingCart/1", "writes"),
        ("DELETE", "/api/Address/1", "writes"),
    ],
)
def test_a_call_is_counted_in_its_class_and_in_general(method: str, path: str, name: str) -> None:
    assert [rule.name for rule in list_rules(requests.generic(method, path))] == [name, "general"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/Order"),
        ("GET", "/api/ExportJob"),
        ("POST", "/api/Order/Preview"),
        ("POST", "/api/ShoppingCart/Count"),
        ("POST", "/api/ShoppingCart/YouLike/订单/6"),
    ],
)
def test_read_request_counts_only_toward_the_general_limit(method: str, path: str) -> None:
    assert [rule.name for rule in list_rules(requests.generic(method, path))] == ["general"]


def test_captcha_calls_count_only_toward_the_captcha_limit() -> None:
    assert [rule.name for rule in list_rules(requests.get("/api/Account/Captcha"))] == ["captcha"]
    assert [rule.name for rule in list_rules(requests.head("/api/Account/Captcha"))] == ["captcha"]
    assert [rule.name for rule in list_rules(requests.post("/api/Account/UnLock"))] == ["captcha"]


def test_every_class_has_a_rate_in_the_settings() -> None:
    assert set(RATES) == {rule.name for rule in CLASSES} | {"general"}


def test_accounts_of_one_office_are_counted_separately(buyer: Account, ga: Account) -> None:
    keys = {
        get_person_key(
            "", requests.get("/", headers={"Authorization": f"Bearer {ApiClient(one).bearer}"})
        )
        for one in (buyer, ga)
    }
    assert keys == {f"account-{buyer.pk}", f"account-{ga.pk}"}


FORGED = jwt.encode(
    {"uid": "7"}, "somebody else's secret of more than thirty-two bytes", algorithm="HS256"
)
UNSIGNED = jwt.encode({"uid": "7"}, None, algorithm="none")


@pytest.mark.parametrize(
    "header", [f"Bearer {FORGED}", f"Bearer {UNSIGNED}", "Bearer x.y.z", "Basic x", "Bearer ", ""]
)
def test_a_forged_token_counts_by_the_address(header: str) -> None:
    assert get_person_key("", requests.get("/", headers={"Authorization": header})) == "127.0.0.1"


def test_the_call_too_many_is_answered_with_the_security_block_info(
    api: ApiClient, settings: Any
) -> None:
    settings.RATE_LIMITS = {"general": "3/m"}
    answers = [api.get("/api/Nothing") for _ in range(4)]
    assert [answer.status for answer in answers] == [404, 404, 404, 429]
    assert (answers[3].code, answers[3].message) == (
        "rate_limited",
        "系统识别到您的访问存在安全隐患",
    )
    assert set(answers[3].body) == {"Ip", "CurrentTime", "Target", "Guid"}
    assert (answers[3].body["Ip"], answers[3].body["Target"]) == ("127.0.0.1", "/api/Nothing")


def test_exhausted_limit_class_does_not_block_another(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"search": "2/m", "general": "100/m"}
    assert [api.get("/api/Search/Suggest", {"Key": "x"}).status for _ in range(3)] == [
        200,
        200,
        429,
    ]
    assert api.post("/api/Category/MallCategories").status == 200


def test_forged_forwarded_for_does_not_avoid_the_limit(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "3/m"}
    assert [api.get("/api/Nothing", **{"X-Forwarded-For": f"1.2.3.{n}"}).status for n in range(4)][
        3
    ] == 429


def test_forged_entry_before_a_trusted_proxy_does_not_avoid_the_limit(
    api: ApiClient, settings: Any
) -> None:
    settings.RATE_LIMITS, settings.TRUSTED_PROXIES = {"general": "3/m"}, 1
    answers = [
        api.get("/api/Nothing", **{"X-Forwarded-For": f"6.6.6.{n}, 9.8.7.6"}) for n in range(4)
    ]
    assert answers[3].status == 429
    assert answers[3].body["Ip"] == "9.8.7.6"
    assert api.get("/api/Nothing", **{"X-Forwarded-For": "9.8.7.5"}).status == 404


def test_strict_limit_is_exact_across_processes(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"codes": "2/h"}
    body = {"UserName": "nobody"}
    assert [api.post("/api/Account/SendResetCode", body).status for _ in range(3)] == [
        200,
        200,
        429,
    ]


def unlock(api: ApiClient, **more: str) -> Answer:
    """Solve a captcha and send the answer."""
    puzzle = api.get("/api/Account/Captcha").body
    return api.post(
        "/api/Account/UnLock", {"CaptchaVerifyParam": json.dumps(solve(puzzle["Id"])), **more}
    )


def test_block_without_a_captcha_release_tells_to_wait(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"codes": "1/h"}
    api.post("/api/Account/SendResetCode", {"UserName": "nobody"})
    refused = api.post("/api/Account/SendResetCode", {"UserName": "nobody"})
    assert (refused.status, refused.message) == (429, "操作过于频繁，请稍后再试")
    assert unlock(api).ok
    assert api.post("/api/Account/SendResetCode", {"UserName": "nobody"}).status == 429


def test_solved_captcha_releases_only_its_own_client(
    buyer: Account, ga: Account, settings: Any
) -> None:
    settings.RATE_LIMITS = {"general": "1/m"}
    mine, theirs = ApiClient(buyer), ApiClient(ga)
    for client in (mine, theirs):
        assert [client.get("/api/Nothing").status for _ in range(2)] == [404, 429]
    unlocked = unlock(mine)
    assert (unlocked.status, unlocked.message) == (200, "验证成功")
    assert (mine.get("/api/Nothing").status, theirs.get("/api/Nothing").status) == (404, 429)


def test_wrong_captcha_releases_no_block(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "1/m"}
    assert [api.get("/api/Nothing").status for _ in range(2)] == [404, 429]
    assert (
        api.post("/api/Account/UnLock", {"CaptchaVerifyParam": "{}"}).message == "请先完成滑动验证"
    )
    assert api.get("/api/Nothing").status == 429


def test_pages_are_not_limited(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "1/m"}
    assert [api.get("/healthz").status for _ in range(3)] == [200, 200, 200]


@pytest.mark.parametrize(
    ("rate", "seconds"),
    [("20/h", 3600), ("60/5m", 300), ("3/m", 60), ("5/s", 1), ("9/2d", 172_800)],
)
def test_the_window_of_a_rate(rate: str, seconds: int) -> None:
    assert parse_window(rate) == seconds


def test_every_answer_has_the_rate_limit_headers(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"search": "2/m", "general": "50/5m"}
    first, second, third = (api.get("/api/Search/Suggest", {"Key": "x"}).response for _ in range(3))

    assert first["RateLimit-Policy"] == '"search";q=2;w=60, "general";q=50;w=300'
    assert re.fullmatch(r'"search";r=1;t=(59|60), "general";r=49;t=(299|300)', first["RateLimit"])
    assert re.fullmatch(r'"search";r=0;t=(59|60), "general";r=48;t=(299|300)', second["RateLimit"])
    assert (third.status_code, third["RateLimit-Policy"]) == (429, '"search";q=2;w=60')
    assert re.fullmatch(r'"search";r=0;t=(59|60)', third["RateLimit"])


def test_batched_limit_has_rate_limit_headers(settings: Any) -> None:
    settings.CACHE_URL, settings.RATE_LIMITS = "", {"general": "600/m"}
    answer = ApiClient(REMOTE_ADDR="203.0.113.77").get("/api/Nothing").response

    assert re.fullmatch(r'"general";r=599;t=(59|60)', answer["RateLimit"])


def test_refused_call_has_a_retry_after_header(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "1/h"}
    answers = [api.get("/api/Nothing").response for _ in range(2)]

    assert not answers[0].has_header("Retry-After")
    assert answers[1].status_code == 429
    assert 3590 <= int(answers[1]["Retry-After"]) <= 3600


def test_health_page_has_no_rate_limit_header(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "1/m"}

    assert not api.get("/healthz").response.has_header("RateLimit")


def test_refused_calls_take_no_database_queries(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CACHE_URL, settings.RATE_LIMITS = "", {"general": "1/m"}
    monkeypatch.setattr(counters, "REFUSED_SECONDS", 60.0)
    api = ApiClient(REMOTE_ADDR="203.0.113.78")
    for _ in range(2):
        api.get("/api/Nothing")
    with assert_queries(0):
        assert [api.get("/api/Nothing").status for _ in range(5)] == [429] * 5


def test_release_by_another_process_is_noticed(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CACHE_URL, settings.RATE_LIMITS = "", {"general": "1/m"}
    api = ApiClient(REMOTE_ADDR="203.0.113.79")
    monkeypatch.setattr(counters, "REFUSED_SECONDS", 0.0)
    assert [api.get("/api/Nothing").status for _ in range(2)] == [404, 429]
    RateCounter.objects.all().delete()

    assert api.get("/api/Nothing").status == 404


def test_rate_limit_middleware_precedes_the_load_middleware(settings: Any) -> None:
    order = [name.rpartition(".")[2] for name in settings.MIDDLEWARE]

    assert order.index("RateLimitMiddleware") < order.index("LoadMiddleware")


def use_up(api: ApiClient) -> Answer:
    """Search once more than the limit of two and return the refusal."""
    return [api.get("/api/Search/Suggest", {"Key": "x"}) for _ in range(3)][2]


def get_status(api: ApiClient, path: str) -> int:
    return api.get(path, {"Key": "x"}).status


def test_solved_captcha_releases_one_block_only(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"writes": "1/m", "search": "1/m"}
    for _ in range(2):
        get_status(api, "/api/Search/Suggest")
        written = api.post("/api/Nothing")
    assert (written.status, unlock(api).status) == (429, 200)

    assert (api.post("/api/Nothing").status, get_status(api, "/api/Search/Suggest")) == (404, 429)


def test_guid_releases_only_the_block_of_its_refusal(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"writes": "1/m", "search": "1/m"}
    first = [api.get("/api/Search/Suggest", {"Key": "x"}) for _ in range(2)][1]
    assert [api.post("/api/Nothing").status for _ in range(2)] == [404, 429]
    assert unlock(api, Guid=first.body["Guid"]).ok

    assert (get_status(api, "/api/Search/Suggest"), api.post("/api/Nothing").status) == (200, 429)


def test_refusal_guid_is_unique_and_signed() -> None:
    one, two = block_guid("search:203.0.113.9"), block_guid("search:203.0.113.9")

    assert one != two
    assert is_guid_of(one, "search:203.0.113.9")
    assert not is_guid_of(one, "writes:203.0.113.9")
    assert not any(is_guid_of(guid, "search:203.0.113.9") for guid in ("", "未知", str(uuid4())))


def test_guid_of_another_client_releases_no_block_of_his(settings: Any) -> None:
    settings.RATE_LIMITS = {"search": "2/m"}
    mine, theirs = ApiClient(REMOTE_ADDR="203.0.113.1"), ApiClient(REMOTE_ADDR="203.0.113.2")
    guid = use_up(theirs).body["Guid"]
    assert unlock(mine, Guid=guid).ok

    assert get_status(theirs, "/api/Search/Suggest") == 429


def test_captcha_releases_a_limit_three_times_an_hour(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"search": "2/m"}
    for _ in range(3):
        assert use_up(api).message == "系统识别到您的访问存在安全隐患"
        assert unlock(api).ok

    refused = use_up(api)
    assert (refused.status, refused.message) == (429, "操作过于频繁，请稍后再试")
    assert 0 < refused.body["RetryAfter"] <= 60
    again = unlock(api)
    assert (again.status, again.code, again.message) == (
        429,
        "rate_limited",
        "操作过于频繁，请稍后再试",
    )
    assert get_status(api, "/api/Search/Suggest") == 429


def test_captcha_without_a_block_uses_no_release(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"search": "2/m"}
    assert all(unlock(api).ok for _ in range(4))
    use_up(api)

    assert unlock(api).ok
    assert get_status(api, "/api/Search/Suggest") == 200


def test_retry_seconds_are_in_the_body_only_without_a_captcha_release(
    api: ApiClient, settings: Any
) -> None:
    settings.RATE_LIMITS = {"search": "2/m"}
    lifted = use_up(api)

    assert (lifted.response.has_header("Retry-After"), "RetryAfter" in lifted.body) == (True, False)


@pytest.mark.parametrize(
    ("seconds", "key"), [(600, "account-7"), (3500, "account-7"), (3700, "127.0.0.1")]
)
def test_a_token_counts_as_its_account_up_to_an_hour_after_its_end(seconds: int, key: str) -> None:
    claims = {"uid": 7, "gid": 1, "exp": int(time.time()) - seconds}
    token = jwt.encode(claims, settings.SECRET_KEY, algorithm="HS256")

    assert (
        get_person_key("", requests.get("/", headers={"Authorization": f"Bearer {token}"})) == key
    )
