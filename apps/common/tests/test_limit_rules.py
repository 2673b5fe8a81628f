"""Which calls are limited, by whom they are counted, and what a client that called too often is told."""

from __future__ import annotations

import json
from typing import Any

import jwt
import pytest
from django.test import RequestFactory

from apps.common.limits.rules import CLASSES, by_person, rules_for
from apps.common.testing import Answer, ApiClient
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
    assert [rule.name for rule in rules_for(requests.generic(method, path))] == [name, "general"]


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
def test_what_only_reads_is_counted_in_general_alone(method: str, path: str) -> None:
    assert [rule.name for rule in rules_for(requests.generic(method, path))] == ["general"]


def test_the_captcha_that_lifts_a_block_is_not_under_it() -> None:
    assert [rule.name for rule in rules_for(requests.get("/api/Account/Captcha"))] == ["captcha"]
    assert [rule.name for rule in rules_for(requests.head("/api/Account/Captcha"))] == ["captcha"]
    assert [rule.name for rule in rules_for(requests.post("/api/Account/UnLock"))] == ["captcha"]


def test_every_class_has_a_rate_in_the_settings() -> None:
    assert set(RATES) == {rule.name for rule in CLASSES} | {"general"}


def test_people_of_one_office_are_counted_apart(buyer: Account, ga: Account) -> None:
    keys = {by_person("", requests.get("/", headers={"Authorization": f"Bearer {ApiClient(one).bearer}"})) for one in (buyer, ga)}
    assert keys == {f"account-{buyer.pk}", f"account-{ga.pk}"}


FORGED = jwt.encode({"uid": "7"}, "somebody else's secret of more than thirty-two bytes", algorithm="HS256")
UNSIGNED = jwt.encode({"uid": "7"}, None, algorithm="none")


@pytest.mark.parametrize("header", [f"Bearer {FORGED}", f"Bearer {UNSIGNED}", "Bearer x.y.z", "Basic x", "Bearer ", ""])
def test_a_forged_token_counts_by_the_address(header: str) -> None:
    assert by_person("", requests.get("/", headers={"Authorization": header})) == "127.0.0.1"


def test_the_call_too_many_is_answered_with_the_security_block_info(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "3/m"}
    answers = [api.get("/api/Nothing") for _ in range(4)]
    assert [answer.status for answer in answers] == [404, 404, 404, 429]
    assert (answers[3].code, answers[3].message) == ("rate_limited", "系统识别到您的访问存在安全隐患")
    assert set(answers[3].body) == {"Ip", "CurrentTime", "Target", "Guid"}
    assert (answers[3].body["Ip"], answers[3].body["Target"]) == ("127.0.0.1", "/api/Nothing")


def test_a_class_is_limited_apart_from_the_others(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"search": "2/m", "general": "100/m"}
    assert [api.get("/api/Search/Suggest", {"Key": "x"}).status for _ in range(3)] == [200, 200, 429]
    assert api.post("/api/Category/MallCategories").status == 200


def test_a_forged_forwarded_for_dodges_nothing(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "3/m"}
    assert [api.get("/api/Nothing", **{"X-Forwarded-For": f"1.2.3.{n}"}).status for n in range(4)][3] == 429


def test_behind_a_trusted_proxy_a_forged_entry_before_its_own_dodges_nothing(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS, settings.TRUSTED_PROXIES = {"general": "3/m"}, 1
    answers = [api.get("/api/Nothing", **{"X-Forwarded-For": f"6.6.6.{n}, 9.8.7.6"}) for n in range(4)]
    assert answers[3].status == 429
    assert answers[3].body["Ip"] == "9.8.7.6"
    assert api.get("/api/Nothing", **{"X-Forwarded-For": "9.8.7.5"}).status == 404


def test_a_limit_is_exact_and_lasts_over_processes_when_a_write_each_is_worth_it(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"codes": "2/h"}
    body = {"UserName": "nobody"}
    assert [api.post("/api/Account/SendResetCode", body).status for _ in range(3)] == [200, 200, 429]


def unlock(api: ApiClient) -> Answer:
    """Solve a captcha by hand and send it."""
    puzzle = api.get("/api/Account/Captcha").body
    return api.post("/api/Account/UnLock", {"CaptchaVerifyParam": json.dumps(solve(puzzle["Id"]))})


def test_a_block_that_no_captcha_lifts_says_what_does(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"codes": "1/h"}
    api.post("/api/Account/SendResetCode", {"UserName": "nobody"})
    refused = api.post("/api/Account/SendResetCode", {"UserName": "nobody"})
    assert (refused.status, refused.message) == (429, "操作过于频繁，请稍后再试")
    assert unlock(api).ok
    assert api.post("/api/Account/SendResetCode", {"UserName": "nobody"}).status == 429


def test_a_solved_captcha_lets_the_client_in_again_but_no_other(buyer: Account, ga: Account, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "1/m"}
    mine, theirs = ApiClient(buyer), ApiClient(ga)
    for client in (mine, theirs):
        assert [client.get("/api/Nothing").status for _ in range(2)] == [404, 429]
    unlocked = unlock(mine)
    assert (unlocked.status, unlocked.message) == (200, "验证成功")
    assert (mine.get("/api/Nothing").status, theirs.get("/api/Nothing").status) == (404, 429)


def test_a_wrong_captcha_lifts_nothing(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "1/m"}
    assert [api.get("/api/Nothing").status for _ in range(2)] == [404, 429]
    assert api.post("/api/Account/UnLock", {"CaptchaVerifyParam": "{}"}).message == "请先完成滑动验证"
    assert api.get("/api/Nothing").status == 429


def test_pages_are_not_limited(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "1/m"}
    assert [api.get("/healthz").status for _ in range(3)] == [200, 200, 200]
