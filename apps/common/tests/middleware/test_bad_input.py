"""Paths, queries, cookies and body sizes that no route can accept."""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory

from apps.common.middleware.bad_input import BadInputMiddleware, is_query_bad

PATHS = {
    "NUL": "a%00b",
    "a control": "a%0Ab",
    "bytes that are no UTF-8": "%ff%fe",
    "a lone surrogate": "%ed%a0%80",
    "19 digits": "1234567890123456789",
    "a long segment": "x" * 256,
    "a long path": "x/" * 600,
}
QUERIES = {
    "NUL": "a=%00",
    "bytes that are no UTF-8": "a=%ff",
    "a lone surrogate": "a=%ED%A0%80",
    "a broken percent code": "a=%zz",
    "a cut percent code": "a=%",
    "8 KB": "a=" + "x" * 8192,
}


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_bad_api_path_is_refused_in_the_envelope(client: Client, path: str) -> None:
    answer = client.get(f"/api/{path}")
    assert (answer.status_code, answer.json()["MsgHeader"]["RetCode"]) == (200, "bad_request")


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_bad_page_path_is_a_bare_400(client: Client, path: str) -> None:
    answer = client.get(f"/{path}")
    assert (answer.status_code, answer["Content-Type"]) == (400, "text/plain; charset=utf-8")


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_bad_query_is_refused(client: Client, query: str) -> None:
    answer = client.get("/api/Product", QUERY_STRING=query)
    assert (answer.status_code, answer.json()["MsgHeader"]["RetCode"]) == (200, "bad_request")


def test_too_long_page_address_answers_400_with_a_link(client: Client) -> None:
    answer = client.get("/product/index", QUERY_STRING="Keyword=" + "%E5%AD%97" * 5000)
    assert (answer.status_code, answer["Content-Type"]) == (400, "text/html; charset=utf-8")
    assert "地址太长，请缩短搜索词后重试" in answer.content.decode()
    assert 'href="/product/index"' in answer.content.decode()


@pytest.mark.parametrize(
    "query", ["", "Keyword=%E7%AC%94", "a=100%25", "a=1&a=2&b", "a+b=c", "code=" + "9" * 30]
)
def test_an_honest_query_passes(query: str) -> None:
    assert not is_query_bad(query)


@pytest.mark.parametrize(
    "path",
    [
        "/100234.html",
        "/api/Order/SO123456789012345678",
        "/中文",
        "/api/File/00000000-0000-0000-0000-000000000000",
    ],
)
def test_an_honest_path_passes(path: str) -> None:
    middleware = BadInputMiddleware(lambda _request: HttpResponse("passed"))
    assert middleware(RequestFactory().get(path)).content == b"passed"


def test_a_cookie_that_spells_nul_is_refused(client: Client) -> None:
    client.cookies["sessionid"] = "a\x00b"
    assert client.get("/admin/login/").status_code == 400


@pytest.mark.parametrize(
    "length", ["67108865", "99999999999999999999", "0000000000000000000067108865", "9" * 5000, "x"]
)
def test_a_body_beyond_every_form_is_refused_unread(client: Client, length: str) -> None:
    answer = client.post("/api/File/Execute", CONTENT_LENGTH=length)
    assert (answer.status_code, answer.json()["MsgHeader"]["RetCode"]) == (200, "too_large")
