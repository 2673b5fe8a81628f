"""The demo's stand-in for 企业微信 redirects only to this mall."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from apps.common.testing import ApiClient
from apps.identity.wechat_work import MEMBERS, DemoWeChatWork

ADDRESS = (
    "/wechat-work-demo/?appid=demo-corp"
    "&redirect_uri=http%3A%2F%2Ftestserver%2Fwechat-work-auth&state=abc123"
)

pytestmark = pytest.mark.django_db


def test_wechat_work_demo_page_lists_its_members(client: Client) -> None:
    address = ApiClient().post("/api/Account/WeChatWorkBegin", {}).body["Url"]
    page = client.get(address).content.decode()

    assert [member.name for member in MEMBERS if member.name in page] == [
        member.name for member in MEMBERS
    ]
    assert "<strong>林晓雨</strong><span>已绑定采购账号 buyer</span>" in page


def test_the_chosen_one_comes_back_with_a_code_and_the_state(client: Client) -> None:
    answer = client.post(ADDRESS, {"subject": "xujingyi"})
    address = urlsplit(answer["Location"])
    query = parse_qs(address.query)

    assert (answer.status_code, address.netloc, address.path) == (302, "", "/wechat-work-auth")
    assert query["state"] == ["abc123"]
    assert DemoWeChatWork().get_member(code=query["code"][0]) == "xujingyi"


def test_wechat_work_demo_refuses_an_unknown_member(client: Client) -> None:
    assert client.post(ADDRESS, {"subject": "root"}).status_code == 200


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/wechat-work-auth",
        "//evil.example/wechat-work-auth",
        "/wechat-work-auth",
        "http://testserver/other",
        "http://[",
        "http://testserver＠evil.example/",
        "",
    ],
)
def test_demo_sign_in_returns_only_to_this_mall(client: Client, target: str) -> None:
    answer = client.post(
        "/wechat-work-demo/",
        {"subject": "xujingyi"},
        query_params={"redirect_uri": target, "state": "abc"},
    )

    assert answer.status_code == 400
    assert "redirect_uri 与配置的可信域名不一致" in answer.content.decode()


def test_a_form_of_another_site_is_refused() -> None:
    assert (
        Client(enforce_csrf_checks=True).post(ADDRESS, {"subject": "xujingyi"}).status_code == 403
    )


def test_the_page_keeps_the_strict_policy_and_is_not_kept(client: Client) -> None:
    answer = client.get(ADDRESS)

    assert "script-src 'self'; style-src-elem 'self' 'nonce-" in answer["Content-Security-Policy"]
    assert "<script" not in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(("name", "value"), [("DEMO_MODE", False), ("WECHAT_WORK_CORP_ID", "ww1")])
def test_there_is_no_page_in_production_or_beside_the_real_one(
    client: Client, settings: Any, name: str, value: object
) -> None:
    setattr(settings, name, value)

    assert client.get(ADDRESS).status_code == 404
