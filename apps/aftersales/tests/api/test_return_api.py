"""Tests of /api/ReturnOrder: the application form, visibility, messages of both sides, and
query counts.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_close import returns_confirm_silent
from apps.aftersales.services.return_message import return_reply
from apps.aftersales.services.return_review import return_approve
from apps.aftersales.tests.stories import SEND_TO, apply_for_return, get_line, received_order
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient, assert_queries
from apps.common.testing.client import make_key
from apps.orders.models import Order
from apps.org.models import Account

AT = "/api/ReturnOrder"


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    return received_order(shopper, staff)


def build_body(order: Order, quantity: int = 2, **changes: Any) -> dict[str, Any]:
    lines = [{"OrderLineId": get_line(order).pk, "Quantity": quantity}]
    return {
        "OrderNo": order.order_no,
        "Kind": "return",
        "Reason": "quality",
        "Way": "send",
        "Lines": lines,
        **changes,
    }


def test_return_application_is_shown_with_its_entered_values(
    shopper: Account, order: Order
) -> None:
    answer = ApiClient(shopper).post(
        AT, build_body(order, Detail="漏墨", VideoUrl="https://video.example/1")
    )
    assert answer.message == "售后申请已提交"
    body = ApiClient(shopper).get(f"{AT}/{answer.body['ReturnOrderId']}").body
    assert (body["Status"], body["Detail"], body["VideoUrl"], body["AllowedActions"]) == (
        "pending_review",
        "漏墨",
        "https://video.example/1",
        ["withdraw", "message"],
    )
    assert [(line["Quantity"], line["Accepted"]) for line in body["Lines"]] == [(2, None)]


def test_order_offers_a_return_only_while_pieces_remain(shopper: Account, order: Order) -> None:
    def allowed() -> list[str]:
        return list(ApiClient(shopper).get(f"/api/Order/{order.order_no}").body["AllowedActions"])

    assert allowed() == ["review", "apply_return", "reorder"]
    apply_for_return(shopper, order, quantity=10)
    assert allowed() == ["review", "reorder"]


def test_repeated_idempotency_key_creates_one_return(shopper: Account, order: Order) -> None:
    key, client = make_key(), ApiClient(shopper)
    answers = [client.post(AT, build_body(order), key=key).body["ReturnOrderId"] for _ in range(2)]
    assert (len(set(answers)), ReturnOrder.objects.count(), get_line(order).returning_quantity) == (
        1,
        1,
        2,
    )


def test_second_return_for_the_same_pieces_reports_the_remaining_quantity(
    shopper: Account, order: Order
) -> None:
    first, second = (ApiClient(shopper).post(AT, build_body(order, 6)) for _ in range(2))
    assert (first.ok, second.code) == (True, "quantity_exceeded")
    assert "最多还可申请 4" in second.message
    assert get_line(order).returning_quantity == 6


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"Lines": []}, "Lines"),
        ({"Kind": "gift"}, "Kind"),
        ({"Reason": ""}, "Reason"),
        ({"VideoUrl": "http://video.example/1"}, "VideoUrl"),
        ({"VideoUrl": "javascript:alert(1)"}, "VideoUrl"),
        ({"Detail": "长" * 501}, "Detail"),
        ({"FileIds": ["00000000-0000-4000-8000-000000000000"]}, "FileIds"),
        ({"Status": "completed"}, "Status"),
    ],
)
def test_invalid_return_application_reports_its_field(
    shopper: Account, order: Order, changes: dict[str, Any], field: str
) -> None:
    answer = ApiClient(shopper).post(AT, build_body(order, **changes))
    assert (answer.code, [name.partition(".")[0] for name in answer.errors]) == (
        "validation",
        [field],
    )
    assert not ReturnOrder.objects.exists()


def test_return_terms_show_free_quantity_and_the_refusal_reason(
    shopper: Account, approver: Account, order: Order
) -> None:
    body = ApiClient(shopper).get(f"{AT}/Terms", {"OrderNo": order.order_no}).body
    assert (body["CanApply"], body["Lines"][0]["Free"]) == (True, 10)
    assert [(kind["KindText"], kind["WhyNot"]) for kind in body["Lines"][0]["Kinds"]] == [
        ("退货", ""),
        ("换货", ""),
        ("维修", ""),
    ]
    looked = ApiClient(approver).get(f"{AT}/Terms", {"OrderNo": order.order_no}).body
    assert (looked["CanApply"], looked["WhyNot"]) == (
        False,
        "只有下单人或集团管理员可以为该订单申请售后",
    )


def test_returnable_orders_have_open_quantities(shopper: Account, order: Order) -> None:
    client = ApiClient(shopper)
    assert [row["OrderNo"] for row in client.get(f"{AT}/Orders").body["Items"]] == [order.order_no]
    apply_for_return(shopper, order, 10)
    assert client.get(f"{AT}/Orders").body["Total"] == 0


def test_the_list_is_the_data_scopes(
    shopper: Account, approver: Account, ga: Account, other_ga: Account, order: Order
) -> None:
    number = apply_for_return(shopper, order).return_no
    totals = {
        person.username: ApiClient(person).get(AT).body["Total"]
        for person in (shopper, approver, ga, other_ga)
    }
    assert totals == {"buyer": 1, "approver": 1, "ga": 1, "other": 0}
    assert ApiClient(approver).get(f"{AT}/{number}").body["AllowedActions"] == []


def test_tabs_are_counted_under_the_filter(shopper: Account, staff: Account, order: Order) -> None:
    return_approve(actor=staff, return_id=apply_for_return(shopper, order, 1).pk, send_to=SEND_TO)
    apply_for_return(shopper, order, 1, kind="exchange")
    body = ApiClient(shopper).get(AT, {"Kind": "return", "Status": "pending_review"}).body
    counts = {tab["Code"]: tab["Count"] for tab in body["Tabs"]}
    assert (counts[""], counts["pending_send"], counts["pending_review"], body["Total"]) == (
        1,
        1,
        0,
        0,
    )


def test_the_customer_ships_withdraws_and_confirms_through_the_api(
    shopper: Account, staff: Account, order: Order
) -> None:
    return_order, client = apply_for_return(shopper, order), ApiClient(shopper)
    page = f"{AT}/{return_order.return_no}"
    assert (
        client.post(f"{page}/Ship", {"Carrier": "示例快递", "TrackingNo": "SF1"}).code
        == "wrong_state"
    )
    return_approve(actor=staff, return_id=return_order.pk, send_to=SEND_TO)
    shipped = client.post(f"{page}/Ship", {"Carrier": "示例快递", "TrackingNo": "SF1"}).body
    assert (shipped["Status"], shipped["Parcels"][0]["TrackingNo"]) == ("pending_receipt", "SF1")
    assert client.post(f"{page}/Confirm").code == "wrong_state"
    assert client.post(f"{page}/Withdraw", {"Reason": "不退了"}).body["Status"] == "withdrawn"


def test_messages_of_both_sides_are_listed_and_unread_ones_counted(
    shopper: Account, staff: Account, order: Order
) -> None:
    return_order, client = apply_for_return(shopper, order), ApiClient(shopper)
    page = f"{AT}/{return_order.return_no}"
    return_reply(actor=staff, return_id=return_order.pk, text="请补一张照片")
    assert client.get(AT, {"Unread": "true"}).body["Items"][0]["Unread"] == 1
    client.post(f"{page}/Read")
    body = client.post(f"{page}/Message", {"Text": "已补"}).body
    assert ([(row["By"], row["Ours"]) for row in body["Messages"]], body["Unread"]) == (
        [("平台客服", True), ("小采", False)],
        0,
    )


def unread(client: ApiClient) -> list[int]:
    return [row["Unread"] for row in client.get(AT).body["Items"]]


def test_customer_actions_mark_earlier_return_messages_as_read(
    shopper: Account, staff: Account, order: Order
) -> None:
    return_order, client = apply_for_return(shopper, order), ApiClient(shopper)
    return_reply(actor=staff, return_id=return_order.pk, text="请补一张照片")
    assert unread(client) == [1]
    client.post(f"{AT}/{return_order.return_no}/Message", {"Text": "已补"})
    assert unread(client) == [0]
    return_approve(actor=staff, return_id=return_order.pk, send_to=SEND_TO)
    assert unread(client) == [1]
    client.post(f"{AT}/{return_order.return_no}/Ship", {"Carrier": "示例快递", "TrackingNo": "SF1"})
    assert unread(client) == [0]


@pytest.mark.parametrize("by_clock", [True, False])
def test_completed_return_has_no_unread_messages_until_a_new_one(
    shopper: Account, staff: Account, order: Order, by_clock: bool
) -> None:
    return_order, client = apply_for_return(shopper, order), ApiClient(shopper)
    ReturnOrder.objects.update(
        status="pending_confirm", customer_unread=3, due_at=timezone.now() - timedelta(days=1)
    )
    if by_clock:
        with platform_scope(reason="test: the clock"):
            assert returns_confirm_silent() == 1
    else:
        client.post(f"{AT}/{return_order.return_no}/Confirm")
    assert unread(client) == [0]
    return_reply(actor=staff, return_id=return_order.pk, text="发票已寄出")
    assert unread(client) == [1]


def test_a_list_and_a_detail_cost_a_fixed_number_of_queries(shopper: Account, order: Order) -> None:
    numbers = [apply_for_return(shopper, order, 1).return_no for _ in range(3)]
    client = ApiClient(shopper)
    client.get(AT)
    with assert_queries(6):
        client.get(AT)
    with assert_queries(8):
        client.get(f"{AT}/{numbers[0]}")
