"""Tests of /api/CancelOrder: preview, apply, list and withdraw."""

from __future__ import annotations

from typing import Any

import pytest

from apps.aftersales.tests.cancelling import ask, confirm_order, get_line, order_two_lines
from apps.common.testing import ApiClient, assert_queries
from apps.orders.models import Order
from apps.org.models import Account


@pytest.fixture
def order(shopper: Account) -> Order:
    """Ten and five pieces at 10.00 元, 待确认."""
    return order_two_lines(shopper)


@pytest.fixture
def api(shopper: Account) -> ApiClient:
    return ApiClient(shopper)


def list_lines(order: Order, *pieces: int) -> list[dict[str, Any]]:
    return [
        {"Id": str(get_line(order, place).pk), "Quantity": number}
        for place, number in enumerate(pieces)
    ]


def test_cancel_preview_shows_amounts_before_and_after(api: ApiClient, order: Order) -> None:
    body = api.post(
        "/api/CancelOrder/Preview", {"OrderNo": order.order_no, "Lines": list_lines(order, 8, 0)}
    ).body

    assert body["Before"] == {
        "Goods": "150.00",
        "Freight": "0.00",
        "Tax": "17.25",
        "Total": "150.00",
    }
    assert body["After"] == {"Goods": "70.00", "Freight": "15.00", "Tax": "8.05", "Total": "85.00"}
    assert (body["Reduction"], body["Refund"], body["DecideBy"], body["IsWhole"]) == (
        "65.00",
        "0.00",
        None,
        False,
    )
    assert [(line["Quantity"], line["Cancellable"]) for line in body["Lines"]] == [(10, 10), (5, 5)]
    assert body["BudgetName"] == "年度办公预算"


def test_cancellation_result_equals_its_preview(api: ApiClient, order: Order) -> None:
    body = {
        "OrderNo": order.order_no,
        "Lines": list_lines(order, 8, 0),
        "ReasonKind": "unwanted",
        "Reason": "多订了",
    }
    answer = api.post("/api/CancelOrder", body)

    assert (answer.message, answer.body["Status"], answer.body["Reduction"]) == (
        "取消成功",
        "done",
        "65.00",
    )
    assert (answer.body["TotalBefore"], answer.body["TotalAfter"]) == ("150.00", "85.00")
    assert [row["Event"] for row in answer.body["Timeline"]] == ["取消成功"]
    order_body = api.get(f"/api/Order/{order.order_no}").body
    assert (order_body["Amounts"]["Total"], order_body["Amounts"]["Tax"]) == ("85.00", "8.05")


def test_orderer_may_withdraw_a_cancellation_request(
    api: ApiClient, order: Order, shopper: Account, staff: Account
) -> None:
    cancel = ask(shopper, confirm_order(order, staff), 3)
    assert api.get(f"/api/CancelOrder/{cancel.pk}").body["AllowedActions"] == ["withdraw"]

    answer = api.post(f"/api/CancelOrder/{cancel.pk}/Withdraw")

    assert (answer.body["Status"], answer.body["AllowedActions"]) == ("withdrawn", [])


def test_the_list_has_tabs_and_filters_in_six_queries(
    api: ApiClient, order: Order, shopper: Account, staff: Account
) -> None:
    first = ask(shopper, order, 1)
    second = ask(shopper, confirm_order(order, staff), 2)

    with assert_queries(6):
        body = api.get("/api/CancelOrder").body
    assert [row["CancelNo"] for row in body["Items"]] == [second.cancel_no, first.cancel_no]
    assert {tab["Code"]: tab["Count"] for tab in body["Tabs"]} == {
        "": 2,
        "pending": 1,
        "done": 1,
        "refused": 0,
        "withdrawn": 0,
    }
    assert [row["Id"] for row in api.get("/api/CancelOrder?Status=pending").body["Items"]] == [
        str(second.pk)
    ]
    assert api.get(f"/api/CancelOrder?Keyword={first.cancel_no}").body["Total"] == 1
    assert api.get(f"/api/CancelOrder?Keyword={get_line(order, 1).product_code}").body["Total"] == 0


def test_a_line_given_twice_is_refused(api: ApiClient, order: Order) -> None:
    twice = [*list_lines(order, 1), *list_lines(order, 1)]
    answer = api.post("/api/CancelOrder/Preview", {"OrderNo": order.order_no, "Lines": twice})
    assert (answer.code, "Lines" in answer.errors) == ("validation", True)


def test_repeated_idempotency_key_cancels_once(api: ApiClient, order: Order) -> None:
    body = {"OrderNo": order.order_no, "Lines": list_lines(order, 1), "ReasonKind": "unwanted"}
    answers = [api.post("/api/CancelOrder", body, key="cancel-once-0001") for _ in range(2)]
    assert answers[0].body == answers[1].body
    assert get_line(order, 0).quantity == 9


def test_order_allows_a_cancellation_request_after_confirmation(
    api: ApiClient, order: Order, staff: Account
) -> None:
    def allowed() -> list[str]:
        return list(api.get(f"/api/Order/{order.order_no}").body["AllowedActions"])

    assert allowed() == ["cancel", "apply_cancel", "reorder"]
    confirm_order(order, staff)
    assert allowed() == ["apply_cancel", "reorder"]


def test_cancellation_is_forbidden_to_a_colleague_without_permission(
    api: ApiClient, order: Order, shopper: Account, ga: Account, limited: Account
) -> None:
    cancel = ask(shopper, order, 1)
    assert ApiClient(ga).get(f"/api/CancelOrder/{cancel.pk}").body["CancelNo"] == cancel.cancel_no
    assert ApiClient(limited).get(f"/api/CancelOrder/{cancel.pk}").status == 403
