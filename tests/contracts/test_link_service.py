"""Phones are redirected to the link service as in section 4 of the spec."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"
DESK = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36"


@pytest.fixture(autouse=True)
def _on(settings: Any, db: None) -> None:
    settings.MOBILE_REDIRECT = True
    settings.ALLOWED_HOSTS, settings.ALLOWED_PORTS = ["*"], ["8000"]
    settings.LINK_SERVICE_URL, settings.LINK_SERVICE_TEST_URL = (
        "https://link.example",
        "https://link-test.example/",
    )


def get_redirect_target(
    address: str, *, host: str = "mall.example.com", agent: str = PHONE
) -> str | None:
    response = Client().get(address, headers={"host": host, "user-agent": agent})
    return response.headers.get("Location")


def test_redirect_target_on_a_foreign_host_is_the_test_host() -> None:
    assert get_redirect_target("/") == "https://link-test.example/"


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "mall.localhost"]
)
def test_on_a_local_host_it_is_the_production_host(host: str) -> None:
    assert get_redirect_target("/", host=host) == "https://link.example/"


@pytest.mark.parametrize("host", ["localhost.example.com", "127.0.0.1.example.com", "notlocalhost"])
def test_a_name_that_only_looks_local_is_not(host: str) -> None:
    assert get_redirect_target("/", host=host) == "https://link-test.example/"


def test_path_and_query_are_kept() -> None:
    assert (
        get_redirect_target("/product/index?Keyword=%E7%AC%94&Cid=3")
        == "https://link-test.example/product/index?Keyword=%E7%AC%94&Cid=3"
    )


@pytest.mark.parametrize(
    "agent",
    [
        "x Android 14 x",
        "x iPhone x",
        "x iPad x",
        "x Windows Phone x",
        "x BlackBerry x",
        "x HarmonyOS x",
    ],
)
def test_a_phone_is_known_by_a_word_of_its_user_agent(agent: str) -> None:
    assert get_redirect_target("/", agent=agent) is not None


def test_a_computer_stays() -> None:
    assert get_redirect_target("/", agent=DESK) is None


def test_where_the_setting_is_off_a_phone_stays(settings: Any) -> None:
    settings.MOBILE_REDIRECT = False

    assert get_redirect_target("/") is None


@pytest.mark.parametrize("address", ["/api/Content/Footer", "/healthz", "/admin/login/"])
def test_only_the_storefronts_pages_send_away(address: str) -> None:
    assert get_redirect_target(address) is None
