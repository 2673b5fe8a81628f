"""Tests of orders to several addresses over the API: the preview, the submit, and the requests
that fail validation before any lookup.
"""

from __future__ import annotations

from typing import Any

import pytest

from apps.approvals.models import Approval
from apps.cart.models import CartItem
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.common.testing.client import make_key
from apps.orders.models import Order
from apps.orders.tests.factories import fill_cart, make_rule
from apps.org.models import Account
from apps.org.tests.factories import AddressFactory, DepartmentFactory


def get_deliveries(
    account: Account, *items: CartItem, pieces: tuple[int, ...] = (2, 3), **more: Any
) -> dict[str, Any]:
    """Return a request body that splits each line over new addresses, one address per number in
    `pieces`.
    """
    return {
        "Deliveries": [
            {
                "AddressId": str(
                    AddressFactory(enterprise=account.enterprise, receiver=f"收货人{number}").pk
                ),
                "Lines": [
                    {"CartItemId": str(item.pk), "Quantity": quantity, "CustomerPrice": "10.00"}
                    for item in items
                ],
            }
            for number, quantity in enumerate(pieces, start=1)
        ],
        **more,
    }


def test_the_preview_shows_each_order_and_the_whole(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    body = ApiClient(shopper).post("/api/Order/Preview", get_deliveries(shopper, item)).body
    assert [
        (row["Address"]["Receiver"], row["Amounts"]["Total"], row["Lines"])
        for row in body["Deliveries"]
    ] == [
        ("收货人1", "20.00", [{"CartItemId": str(item.pk), "Quantity": 2, "Amount": "20.00"}]),
        ("收货人2", "30.00", [{"CartItemId": str(item.pk), "Quantity": 3, "Amount": "30.00"}]),
    ]
    assert (body["Amounts"]["Total"], body["Problems"]) == ("50.00", [])


def test_preview_without_deliveries_lists_none(shopper: Account) -> None:
    fill_cart(shopper, (ProductFactory(), 5))
    assert ApiClient(shopper).post("/api/Order/Preview").body["Deliveries"] == []


def test_the_submit_answers_the_first_order_and_all(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    answer = ApiClient(shopper).post("/api/Order", get_deliveries(shopper, item), key=make_key())
    orders = list(Order.objects.order_by("pk"))
    assert answer.message == "已提交 2 张订单"
    assert answer.body["OrderNo"] == orders[0].order_no
    assert [(row["OrderNo"], row["Total"]) for row in answer.body["Orders"]] == [
        (orders[0].order_no, "20.00"),
        (orders[1].order_no, "30.00"),
    ]


def test_repeated_idempotency_key_submits_once(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    body, key, api = get_deliveries(shopper, item), make_key(), ApiClient(shopper)
    first = api.post("/api/Order", body, key=key).body
    assert api.post("/api/Order", body, key=key).body == first
    assert Order.objects.count() == 2


def test_order_lists_the_orders_of_its_submit(shopper: Account) -> None:
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    api = ApiClient(shopper)
    orders = api.post("/api/Order", get_deliveries(shopper, item), key=make_key()).body["Orders"]
    batch = api.get(f"/api/Order/{orders[1]['OrderNo']}").body["Batch"]
    assert [(row["OrderNo"], row["Receiver"], row["Total"]) for row in batch] == [
        (orders[0]["OrderNo"], "收货人1", "20.00"),
        (orders[1]["OrderNo"], "收货人2", "30.00"),
    ]


def test_the_approver_sees_the_orders_of_the_submit_together(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver)
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    ApiClient(shopper).post("/api/Order", get_deliveries(shopper, item), key=make_key())
    one, two = Approval.objects.order_by("pk")
    rows = ApiClient(approver).get(f"/api/Approval/{one.pk}/Decision").body["Order"]["Batch"]
    assert [(row["ApprovalId"], row["Receiver"], row["CanDecide"]) for row in rows] == [
        (str(one.pk), "收货人1", True),
        (str(two.pk), "收货人2", True),
    ]


def test_rejected_order_of_a_submit_leaves_its_sibling_pending(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver)
    item = fill_cart(shopper, (ProductFactory(), 5))[0]
    ApiClient(shopper).post("/api/Order", get_deliveries(shopper, item), key=make_key())
    one, two = Approval.objects.order_by("pk")
    api = ApiClient(approver)
    assert (
        api.post("/api/Approval/BulkReject", {"Ids": [str(one.pk)], "Reason": "不需要"}).body[
            "Rejected"
        ]
        == 1
    )
    rows = api.get(f"/api/Approval/{two.pk}/Decision").body["Order"]["Batch"]
    assert [(row["ApprovalStatusText"], row["CanDecide"]) for row in rows] == [
        ("已驳回", False),
        ("审批中", True),
    ]


@pytest.mark.parametrize("scope", ["own", "enterprise"])
def test_department_choices_follow_the_data_scope(shopper: Account, scope: str) -> None:
    shopper.roles.update(data_scope=scope)
    DepartmentFactory(enterprise=shopper.enterprise, name="研发部")
    DepartmentFactory(enterprise=shopper.enterprise, name="停用部", is_active=False)
    names = {
        row["Name"]
        for row in ApiClient(Account.objects.get(pk=shopper.pk)).get("/api/Order/Departments").body
    }
    assert shopper.department is not None
    assert names == (
        {shopper.department.name} if scope == "own" else {shopper.department.name, "研发部"}
    )


def build_row(item: int, quantity: object = 1, **more: object) -> dict[str, object]:
    """Return one line of a delivery for the request body."""
    return {"CartItemId": str(item), "Quantity": quantity, **more}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"Deliveries": []}, ""),
        ({"Deliveries": None}, ""),
        ({"Deliveries": [None]}, ""),
        ({"Deliveries": [{"AddressId": "1", "Lines": []}]}, "每个地址至少分配一种商品"),
        ({"Deliveries": [{"Lines": [build_row(1)]}]}, "请选择收货地址"),
        (
            {"Deliveries": [{"AddressId": "1", "Lines": [build_row(1), build_row(1)]}]},
            "同一商品在同一地址只能填写一次",
        ),
        ({"Deliveries": [{"AddressId": "1", "Lines": [build_row(1, 0)]}]}, "数量至少为 1"),
        (
            {
                "Deliveries": [{"AddressId": "1", "Lines": [build_row(1)]}],
                "Lines": [{"CartItemId": "1"}],
            },
            "只填写在 Deliveries 中",
        ),
        (
            {
                "Deliveries": [
                    {"AddressId": "1", "Lines": [build_row(1, CustomerPrice="1.00")]},
                    {"AddressId": "1", "Lines": [build_row(1)]},
                ]
            },
            "单价须一致",
        ),
        (
            {"Deliveries": [{"AddressId": "1", "Lines": [build_row(1)]}] * 51},
            "一次最多送往 50 个地址",
        ),
        (
            {"Deliveries": [{"AddressId": "1", "Lines": [build_row(pk) for pk in range(201)]}]},
            "每个地址最多 200 种商品",
        ),
        (
            {"Deliveries": [{"AddressId": "1", "Lines": [build_row(pk) for pk in range(200)]}] * 6},
            "一次最多拆分 1000 行",
        ),
    ],
)
def test_malformed_delivery_body_is_refused_with_a_message(
    shopper: Account, body: dict[str, Any], message: str
) -> None:
    fill_cart(shopper, (ProductFactory(), 5))
    answer = ApiClient(shopper).post("/api/Order", body, key=make_key())
    assert not answer.ok
    assert message in str(answer.body) + answer.message
    assert not Order.objects.exists()
