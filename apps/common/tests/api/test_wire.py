"""The envelope of every answer and every error."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from rest_framework.exceptions import ValidationError

from apps.common.api.serializers import MoneyField
from apps.common.testing import ApiClient
from apps.org.models import Account

pytestmark = [pytest.mark.urls("apps.common.tests.wire_urls"), pytest.mark.django_db]


def test_a_success_is_wrapped_with_its_message(api: ApiClient) -> None:
    response: Any = api.post("/api/Wish", {"Name": "笔"}).response
    request_id = response["X-Request-Id"]
    header = {"Success": True, "RetCode": "ok", "RetMessage": "已保存", "RequestId": request_id}
    assert response.json() == {"MsgHeader": header, "MsgBody": {"Name": "笔"}}


@pytest.mark.parametrize(
    ("how", "status", "code", "message"),
    [
        ("stale", 200, "stale", "内容已被他人修改，请刷新后重试"),
        ("missing", 404, "not_found", "请求的内容不存在或已删除"),
        ("http404", 404, "not_found", "请求的内容不存在或已删除"),
        ("denied", 403, "forbidden", "拒绝访问"),
        ("throttled", 429, "rate_limited", "系统识别到您的访问存在安全隐患"),
        ("suspicious", 200, "bad_request", "请求内容无法解析，请检查后重试"),
        ("bug", 500, "server_error", "服务器故障"),
        ("locked", 503, "server_error", "服务繁忙，请稍后重试"),
    ],
)
def test_every_failure_has_its_status_code_and_message(
    api: ApiClient, how: str, status: int, code: str, message: str
) -> None:
    answer = api.get(f"/api/Wish/fail/{how}")
    assert (answer.ok, answer.status, answer.code, answer.message) == (False, status, code, message)


def test_a_refusal_carries_its_body(api: ApiClient) -> None:
    assert api.get("/api/Wish/fail/stale").body == {"Version": 2}


def test_locked_database_answers_with_retry_after(api: ApiClient) -> None:
    assert api.get("/api/Wish/fail/locked").response["Retry-After"] == "3"


def test_an_unknown_path_is_an_enveloped_404(api: ApiClient) -> None:
    answer = api.get("/api/Nothing/Here")
    assert (answer.status, answer.code) == (404, "not_found")


def test_wrong_method_answers_200_with_its_ret_code(api: ApiClient) -> None:
    answer = api.delete("/api/Wish")
    assert (answer.status, answer.code) == (200, "method_not_allowed")


def test_wrong_content_type_answers_200_with_its_ret_code() -> None:
    response = Client().post("/api/Wish", data="<a/>", content_type="text/xml")
    assert (response.status_code, response.json()["MsgHeader"]["RetCode"]) == (
        200,
        "unsupported_media",
    )


def test_unsupported_accept_header_answers_200_with_its_ret_code(api: ApiClient) -> None:
    answer = api.post("/api/Wish", {"Name": "x"}, Accept="application/xml")
    assert (answer.status, answer.code) == (200, "unsupported_media")


def test_a_missing_field_is_named(api: ApiClient) -> None:
    answer = api.post("/api/Wish", {})
    assert (answer.status, answer.code) == (200, "validation")
    assert list(answer.errors) == ["Name"]
    assert answer.message == answer.errors["Name"][0]


def test_an_unknown_field_is_refused_by_name(api: ApiClient) -> None:
    assert api.post("/api/Wish", {"Name": "x", "Admin": True}).errors == {"Admin": ["不支持的字段"]}


def test_a_field_of_a_line_is_named_by_its_path(api: ApiClient) -> None:
    answer = api.post("/api/Wish", {"Name": "x", "Lines": [{"Quantity": 1}, {"Quantity": 0}]})
    assert list(answer.errors) == ["Lines.1.Quantity"]


def test_money_is_a_string_with_two_places() -> None:
    assert MoneyField().to_representation(Decimal("12.5")) == "12.50"


@pytest.mark.parametrize(
    ("sent", "read"), [("12.50", "12.50"), ("12.5", "12.5"), ("12", "12"), (12, "12")]
)
def test_money_is_read_from_strings_and_whole_numbers(sent: object, read: str) -> None:
    assert MoneyField().run_validation(sent) == Decimal(read)


@pytest.mark.parametrize("sent", [12.5, 12.0, 1e3, True])
def test_money_is_not_read_from_a_number_with_decimals(sent: object) -> None:
    with pytest.raises(ValidationError):
        MoneyField().run_validation(sent)


def test_a_decimal_is_never_a_float_on_the_wire(api: ApiClient) -> None:
    assert api.post("/api/Wish", {"Name": "x", "Amount": "12.50"}).body["Amount"] == "12.50"


@pytest.mark.parametrize(
    "amount", ["12.505", "x", "999999999999999", "NaN", "1e5", "１２", "1,200", "+2", "1_0"]
)
def test_invalid_amount_is_refused_under_its_field(api: ApiClient, amount: str) -> None:
    assert list(api.post("/api/Wish", {"Name": "x", "Amount": amount}).errors) == ["Amount"]


def test_anonymous_is_401_and_never_403(api: ApiClient) -> None:
    answer = api.get("/api/Wish/mine")
    assert (answer.status, answer.code, answer.message) == (
        401,
        "not_logged_in",
        "未登录或登录已过期，请重新登录",
    )
    assert answer.response["WWW-Authenticate"] == "Bearer"


def test_invalid_bearer_answers_401_where_login_is_required() -> None:
    assert ApiClient(bearer="nonsense").get("/api/Wish/mine").status == 401


def test_invalid_bearer_is_anonymous_on_a_public_route() -> None:
    assert ApiClient(bearer="nonsense").post("/api/Wish", {"Name": "x"}).ok


def test_a_login_opens_a_login_route(buyer: Account) -> None:
    assert ApiClient(buyer).get("/api/Wish/mine").body == {"Who": buyer.pk}


def test_a_menu_route_wants_its_code(limited: Account) -> None:
    assert ApiClient(limited).get("/api/Wish/orders").ok
    limited.roles.clear()
    answer = ApiClient(limited).get("/api/Wish/orders")
    assert (answer.status, answer.code) == (403, "forbidden")


def test_a_browser_sees_the_envelope_too(client: Client) -> None:
    page = client.get("/api/Wish/fail/stale", headers={"Accept": "text/html"})
    assert b"MsgHeader" in page.content


@pytest.mark.parametrize(
    "query",
    [
        "PageIndex=0",
        "PageIndex=x",
        "PageIndex=-1",
        "PageIndex=１",
        "PageIndex=99999999999",
        "PageSize=7",
        "PageSize=１０",
        "PageSize=99999999999999999999999999999999",
    ],
)
def test_a_page_out_of_bounds_is_refused_by_name(buyer: Account, query: str) -> None:
    answer = ApiClient(buyer).get(f"/api/Wish?{query}")
    assert list(answer.errors) == [query.partition("=")[0]]


def test_a_page_deeper_than_10000_rows_is_refused(buyer: Account) -> None:
    assert list(ApiClient(buyer).get("/api/Wish?PageIndex=501").errors) == ["PageIndex"]


def test_a_list_is_a_page(buyer: Account) -> None:
    assert ApiClient(buyer).get("/api/Wish").body == {
        "Items": ["行政部"],
        "Total": 1,
        "PageIndex": 1,
        "PageSize": 20,
    }
