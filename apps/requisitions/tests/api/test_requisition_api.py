"""Tests of /api/Requisition: which requisitions an account sees, the allowed actions, and the
JSON representation.
"""

from __future__ import annotations

from typing import Any

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.common.testing.client import make_key
from apps.orders.tests.factories import fill_cart, make_rule
from apps.org.enums import PurchasingRight
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, DepartmentFactory
from apps.requisitions.models import Requisition
from apps.requisitions.services.requisitions import requisition_submit


@pytest.fixture
def requester(shopper: Account) -> Account:
    """A colleague without any menu code."""
    return AccountFactory(department=shopper.department, nickname="小张", roles=[])


@pytest.fixture
def row(requester: Account) -> Requisition:
    """Three pieces at 10.00 元 for cost center CC-1."""
    fill_cart(requester, (ProductFactory(name="签字笔"), 3))
    return requisition_submit(actor=requester, cost_center="CC-1", reason="新人入职")


@pytest.fixture
def buys(shopper: Account) -> ApiClient:
    """The buyer, who sees the orders of the enterprise."""
    shopper.roles.update(data_scope="enterprise")
    return ApiClient(Account.objects.get(pk=shopper.pk))


def list_requisition_numbers(client: ApiClient, **query: Any) -> list[str]:
    return [item["RequisitionNo"] for item in client.get("/api/Requisition", query).body["Items"]]


def test_an_account_without_any_code_asks_and_sees_its_own(requester: Account) -> None:
    fill_cart(requester, (ProductFactory(name="签字笔"), 3))
    client = ApiClient(requester)
    answer = client.post(
        "/api/Requisition", {"CostCenter": "CC-9", "Reason": "新人入职"}, key=make_key()
    )
    assert (answer.message, answer.body["StatusText"]) == (
        "采购申请已提交，采购人员会收到通知",
        "待采购",
    )
    item = client.get("/api/Requisition").body["Items"][0]
    assert (item["CostCenter"], item["Reason"], item["AllowedActions"]) == (
        "CC-9",
        "新人入职",
        ["withdraw"],
    )
    assert [
        (line["Name"], line["Quantity"], line["Left"], line["Price"]) for line in item["Lines"]
    ] == [("签字笔", 3, 3, "10.00")]


def test_the_buyer_of_its_scope_sees_it_wait(row: Requisition, buys: ApiClient) -> None:
    answer = buys.get("/api/Requisition", {"Box": "todo"}).body
    assert [(item["Requester"]["Name"], item["AllowedActions"]) for item in answer["Items"]] == [
        ("小张", ["gather", "return"])
    ]
    assert answer["Boxes"] == [
        {"Code": "mine", "Count": 0},
        {"Code": "todo", "Count": 1},
        {"Code": "all", "Count": 1},
    ]


@pytest.mark.parametrize("purchasing", [PurchasingRight.REQUEST, PurchasingRight.BROWSE])
def test_boxes_of_a_person_who_orders_nothing_have_none_to_order(
    row: Requisition, buys: ApiClient, shopper: Account, purchasing: PurchasingRight
) -> None:
    shopper.roles.update(purchasing=purchasing)
    client = ApiClient(Account.objects.get(pk=shopper.pk))

    answer = client.get("/api/Requisition", {"Box": "todo"}).body

    assert answer["Boxes"] == [{"Code": "mine", "Count": 0}, {"Code": "all", "Count": 1}]
    assert answer["Items"] == []
    assert client.get("/api/Workbench").body["Counts"]["RequisitionsToOrder"] is None


def test_ones_own_waits_for_another_and_is_not_among_those_to_order(
    row: Requisition, buys: ApiClient, shopper: Account
) -> None:
    fill_cart(shopper, (ProductFactory(name="订书机"), 1))
    requisition_submit(actor=shopper, cost_center="CC-1", reason="备用")
    answer = buys.get("/api/Requisition", {"Box": "todo"}).body
    assert [item["RequisitionNo"] for item in answer["Items"]] == [row.requisition_no]
    assert {box["Code"]: box["Count"] for box in answer["Boxes"]} == {
        "mine": 1,
        "todo": 1,
        "all": 2,
    }


def test_own_scope_account_sees_no_requisitions_of_colleagues(
    row: Requisition, shopper: Account, other_ga: Account
) -> None:
    for stranger in (shopper, other_ga):
        assert list_requisition_numbers(ApiClient(stranger), Box="all") == []
        answer = ApiClient(stranger).get(f"/api/Requisition/{row.requisition_no}")
        assert (answer.status, answer.message) == (404, "采购申请不存在，或您无权查看")


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"CostCenter": "CC-1"}, 1),
        ({"CostCenter": "CC-2"}, 0),
        ({"Keyword": "签字"}, 1),
        ({"Keyword": "剪刀"}, 0),
    ],
)
def test_the_list_is_narrowed(
    row: Requisition, buys: ApiClient, query: dict[str, str], count: int
) -> None:
    assert len(list_requisition_numbers(buys, Box="todo", **query)) == count


def test_requisition_list_is_filtered_by_requester_and_department(
    row: Requisition, requester: Account, buys: ApiClient
) -> None:
    other = DepartmentFactory(enterprise=requester.enterprise)
    assert (
        len(
            list_requisition_numbers(
                buys, Box="todo", Requester=requester.pk, Department=requester.department_id
            )
        )
        == 1
    )
    assert list_requisition_numbers(buys, Box="todo", Department=other.pk) == []


def test_gathered_line_enters_the_cart_and_names_its_buyer(
    row: Requisition, requester: Account, buys: ApiClient
) -> None:
    line = buys.get(f"/api/Requisition/{row.requisition_no}").body["Lines"][0]
    answer = buys.post("/api/Requisition/Gather", {"Lines": [{"Id": line["Id"], "Quantity": 2}]})
    assert (answer.message, answer.body) == ("已加入购物车 1 项", {"Added": 1, "LeftOut": []})
    seen = ApiClient(requester).get(f"/api/Requisition/{row.requisition_no}").body["Lines"][0]
    assert (seen["GatheredBy"]["Name"], seen["GatheredQuantity"]) == ("小采", 2)


def test_order_and_approval_name_the_requester_and_his_cost_centre(
    row: Requisition, buys: ApiClient, shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver)
    line = buys.get(f"/api/Requisition/{row.requisition_no}").body["Lines"][0]
    buys.post("/api/Requisition/Gather", {"Lines": [{"Id": line["Id"], "Quantity": 3}]})
    order_no = buys.post("/api/Order", {}, key=make_key()).body["OrderNo"]
    detail = buys.get(f"/api/Order/{order_no}").body
    decision = ApiClient(approver).get(f"/api/Approval/{detail['Approval']['Id']}/Decision").body
    for shown_line in (detail["Lines"][0], decision["Order"]["Lines"][0]):
        assert (shown_line["AskedBy"], shown_line["CostCenter"], shown_line["RequisitionNo"]) == (
            "小张",
            "CC-1",
            row.requisition_no,
        )
    takes = buys.get(f"/api/Requisition/{row.requisition_no}").body["Lines"][0]["Takes"]
    assert [(take["OrderNo"], take["Quantity"], take["Buyer"]["Name"]) for take in takes] == [
        (order_no, 3, "小采")
    ]


def test_workbench_counts_requisitions_to_order_for_the_buyer(
    row: Requisition, buys: ApiClient, requester: Account
) -> None:
    assert buys.get("/api/Workbench").body["Counts"]["RequisitionsToOrder"] == 1
    assert ApiClient(requester).get("/api/Workbench").body["Counts"]["RequisitionsToOrder"] is None


def test_repeated_return_reports_that_the_requisition_is_returned(
    row: Requisition, buys: ApiClient
) -> None:
    path = f"/api/Requisition/{row.requisition_no}/Return"
    assert buys.post(path, {"Reason": "库房还有"}).body["StatusText"] == "已退回"
    assert (
        buys.post(path, {"Reason": "库房还有"}).message
        == "采购申请已退回，无需重复退回，请刷新查看"
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "请先勾选要采购的商品"),
        ({"Lines": []}, "请先勾选要采购的商品"),
        ({"Lines": [{"Id": "1", "Quantity": 0}]}, "数量至少为 1"),
        ({"Lines": [{"Id": "1", "Quantity": 1}, {"Id": "1", "Quantity": 1}]}, "同一申请行重复提交"),
        ({"Lines": [{"Id": "999999", "Quantity": 1}]}, "采购申请不存在"),
    ],
)
def test_bad_gathering_is_refused_in_words(
    row: Requisition, buys: ApiClient, body: dict[str, Any], message: str
) -> None:
    answer = buys.post("/api/Requisition/Gather", body)
    assert not answer.ok
    assert message in str(answer.body) + answer.message


@pytest.mark.parametrize("count", [1, 5])
def test_a_page_takes_as_many_queries_for_five_as_for_one(
    requester: Account, buys: ApiClient, count: int
) -> None:
    for _ in range(count):
        fill_cart(requester, (ProductFactory(), 1), (ProductFactory(), 2))
        requisition_submit(actor=requester)
    with assert_queries(9):
        buys.get("/api/Requisition", {"Box": "todo"})
