"""Which Host headers are accepted: our names, with a port on which the mall is reachable."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from apps.common.middleware.bad_input import HostMiddleware

OWN = HostMiddleware(lambda _request: HttpResponse("own"))


def request_from_host(
    host: str, *, path: str = "/api/Order", served_on: str = "8000", scheme: str = "http"
) -> HttpResponse:
    request = RequestFactory().get(path, secure=scheme == "https", headers={"host": host})
    request.META["SERVER_PORT"] = served_on
    return OWN(request)


@pytest.fixture(autouse=True)
def _names(settings: Any) -> None:
    settings.ALLOWED_HOSTS, settings.ALLOWED_PORTS, settings.TRUSTED_PROXIES = (
        ["127.0.0.1", "[::1]", "mall.example"],
        [],
        0,
    )


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "mall.example:8000", "[::1]:8000", "mall.example", "mall.example:80"]
)
def test_own_host_is_accepted_with_its_port(host: str) -> None:
    assert request_from_host(host).content == b"own"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:9999",
        "mall.example:443",
        "evil.example",
        "evil.example:8000",
        "mall.example:x",
        "[::1]:9999",
    ],
)
def test_a_foreign_name_or_port_is_refused_in_the_envelope(host: str) -> None:
    answer = request_from_host(host)

    assert (answer.status_code, json.loads(answer.content)["MsgHeader"]["RetCode"]) == (
        400,
        "bad_request",
    )


def test_a_page_is_refused_in_words() -> None:
    answer = request_from_host("127.0.0.1:9999", path="/product/index")

    assert (answer.status_code, "端口不正确" in answer.content.decode()) == (400, True)


@pytest.mark.parametrize(
    ("host", "scheme", "status"),
    [
        ("mall.example", "https", 200),
        ("mall.example:443", "https", 200),
        ("mall.example:8443", "https", 200),
        ("mall.example:8000", "https", 400),
        ("mall.example:80", "https", 400),
    ],
)
def test_public_port_is_checked_behind_a_proxy(
    settings: Any, host: str, scheme: str, status: int
) -> None:
    settings.TRUSTED_PROXIES, settings.ALLOWED_PORTS = 1, ["8443"]

    assert request_from_host(host, scheme=scheme).status_code == status


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_a_probe_may_come_by_the_inner_port(settings: Any, path: str) -> None:
    settings.TRUSTED_PROXIES = 1

    assert request_from_host("127.0.0.1:8000", path=path).content == b"own"


def test_host_is_checked_before_other_middleware(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]

    assert client.get("/api/Order", headers={"host": "testserver:9999"}).status_code == 400
