"""The demo's stand-in for the old mall accepts a ticket once."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client

from apps.common.testing import ApiClient
from apps.org.models import Account
from apps.org.tests.factories import PASSWORD


@pytest.fixture
def address(buyer: Account) -> str:
    return str(ApiClient(buyer).get("/api/Account/JumpOldLink", {"tag": "old"}).body)


def open_page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_old_mall_page_shows_the_ticket_owner_and_extra_parameters(
    client: Client, address: str, buyer: Account
) -> None:
    page = open_page(client, address)

    assert f"票据有效：{buyer.nickname}" in page
    assert "<td>old</td>" in page


def test_the_ticket_is_cut_short(client: Client, address: str) -> None:
    ticket = dict(part.split("=") for part in urlsplit(address).query.split("&"))["token"]

    assert ticket not in open_page(client, address)


def test_used_ticket_is_reported_as_invalid(client: Client, address: str) -> None:
    open_page(client, address)

    assert "票据已使用过、已过期或无效" in open_page(client, address)


@pytest.mark.parametrize("whose", ["account", "group"])
def test_ticket_of_a_disabled_account_or_group_is_invalid(
    client: Client, address: str, buyer: Account, whose: str
) -> None:
    owner: Any = buyer if whose == "account" else buyer.group
    owner.is_active = False
    owner.save()

    assert "票据已使用过、已过期或无效" in open_page(client, address)


def test_a_new_password_ends_the_ticket(client: Client, address: str, buyer: Account) -> None:
    assert (
        ApiClient(buyer)
        .post(
            "/api/Account/ChangePassword",
            {"OldPassword": PASSWORD, "NewPassword": "another-Mall-2027"},
        )
        .ok
    )

    assert "票据已使用过、已过期或无效" in open_page(client, address)


def test_a_posted_ticket_counts_too(client: Client, address: str, buyer: Account) -> None:
    ticket = dict(part.split("=") for part in urlsplit(address).query.split("&"))["token"]

    assert (
        f"票据有效：{buyer.nickname}"
        in client.post("/old-mall/", {"token": ticket}).content.decode()
    )


@pytest.mark.django_db
def test_without_a_ticket_one_is_a_visitor(client: Client) -> None:
    assert "以访客身份访问" in open_page(client, "/old-mall/")


@pytest.mark.django_db
def test_old_mall_page_escapes_its_parameters(client: Client) -> None:
    page = open_page(client, "/old-mall/?a=<script>1</script>&token=<img>")

    assert "<script>" not in page
    assert "<img" not in page
    assert "&lt;script&gt;1&lt;/script&gt;" in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("return_url", "back"),
    [
        ("", "/?MallVersion=new"),
        (
            "http://testserver/product/index?Keyword=a",
            "/product/index?Keyword=a&amp;MallVersion=new",
        ),
        ("/shop/cart?MallVersion=old", "/shop/cart?MallVersion=new"),
        ("https://evil.example/", "/?MallVersion=new"),
        ("http://testserver//evil.example", "/?MallVersion=new"),
        ("javascript:alert(1)", "/?MallVersion=new"),
    ],
)
def test_the_page_leads_back_to_where_one_came_from_in_this_mall(
    client: Client, return_url: str, back: str
) -> None:
    assert (
        f'<a href="{back}">'
        in client.post("/old-mall/", {"returnUrl": return_url}).content.decode()
    )


@pytest.mark.django_db
def test_the_page_keeps_the_strict_policy_and_is_not_kept(client: Client) -> None:
    response = client.get("/old-mall/")

    assert "script-src 'self'; style-src-elem 'self' 'nonce-" in response["Content-Security-Policy"]
    assert "<script" not in response.content.decode()
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("url", ["https://old.wencai.example/old-mall/", "/elsewhere/", ""])
def test_there_is_no_page_where_the_old_mall_is_another_system(
    client: Client, settings: Any, url: str
) -> None:
    settings.OLD_MALL_URL = url

    assert client.get("/old-mall/").status_code == 404
