"""Tests of the approval page's data: the approvers' amendments and the discussion."""

from __future__ import annotations

from typing import Any

import pytest

from apps.approvals.models import Approval, ApprovalRemark
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.common.testing.client import make_key
from apps.orders.models import Order, OrderLine
from apps.orders.tests.factories import make_budget, make_rule, place_order
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(shopper: Account, approver: Account) -> Order:
    """Ten pieces at 10.00 元 on a budget of 1,000.00 元, waiting for `approver`."""
    make_budget(shopper, "1000.00")
    make_rule(shopper, approver)
    return place_order(shopper, (ProductFactory(stock=100, name="复印纸"), 10))


def at(order: Order, end: str) -> str:
    return f"/api/Approval/{Approval.objects.get(subject_id=order.pk).pk}/{end}"


def less(order: Order, quantity: int, **fields: Any) -> dict[str, Any]:
    line = OrderLine.objects.filter(order=order).order_by("no")[0]
    return {"Lines": [{"Id": str(line.pk), "Quantity": quantity}], **fields}


def test_amend_preview_shows_the_difference_and_saves_no_change(
    order: Order, approver: Account
) -> None:
    body = ApiClient(approver).post(at(order, "AmendPreview"), less(order, 4)).body

    assert [(row["Name"], row["Before"], row["After"]) for row in body["Lines"]] == [
        ("复印纸", 10, 4)
    ]
    assert body["Figures"] == [
        {"Name": "商品金额", "Before": "100.00", "After": "40.00"},
        {"Name": "运费", "Before": "0.00", "After": "0.00"},
        {"Name": "应付总额", "Before": "100.00", "After": "40.00"},
        {"Name": "含本单预算可用", "Before": "900.00", "After": "960.00"},
    ]
    assert (body["Dropped"], Order.objects.get(pk=order.pk).total_amount) == (
        [],
        order.total_amount,
    )


def test_amend_preview_is_refused_for_the_requester(order: Order, shopper: Account) -> None:
    assert ApiClient(shopper).post(at(order, "AmendPreview"), less(order, 4)).code == "wrong_state"


def test_amend_preview_reports_an_invalid_quantity(order: Order, approver: Account) -> None:
    answer = ApiClient(approver).post(at(order, "AmendPreview"), less(order, 11))
    assert (answer.code, answer.message) == ("validation", answer.body["Errors"]["Lines"][0])


def test_approver_and_requester_see_the_difference(
    order: Order, approver: Account, shopper: Account
) -> None:
    Account.objects.filter(pk=approver.pk).update(full_name="周建国")
    named = f"{approver.nickname}（周建国）"
    answer = ApiClient(approver).post(
        at(order, "Amend"), less(order, 4, Version=1, Reason="库房还有")
    )

    assert (answer.message, answer.body["Version"], answer.body["Amount"]) == (
        "数量已调整，请继续审批",
        2,
        "40.00",
    )
    assert "approve" in answer.body["AllowedActions"]
    for body in (
        ApiClient(approver).get(at(order, "Decision")).body["Amendments"],
        ApiClient(shopper).get(f"/api/Order/{order.order_no}").body["Approval"]["Amendments"],
    ):
        [row] = body
        assert (row["By"]["Name"], row["Reason"], row["Before"], row["After"]) == (
            named,
            "库房还有",
            "100.00",
            "40.00",
        )
        assert [(line["Name"], line["Before"], line["After"]) for line in row["Lines"]] == [
            ("复印纸", 10, 4)
        ]
    detail = ApiClient(shopper).get(f"/api/Order/{order.order_no}").body
    texts = [row for row in detail["Timeline"] if row["Kind"] == "approval.amended"]
    assert [(row["Event"], row["By"]) for row in texts] == [("调整数量", named)]
    assert detail["Amounts"]["Total"] == "40.00"


def test_the_same_key_amends_once(order: Order, approver: Account) -> None:
    client, key = ApiClient(approver), make_key()
    body = less(order, 4, Version=1, Reason="库房还有")
    first, again = (
        client.post(at(order, "Amend"), body, key=key),
        client.post(at(order, "Amend"), body, key=key),
    )

    assert (first.ok, again.ok, first.body) == (True, True, again.body)
    assert Approval.objects.get(subject_id=order.pk).version == 2


def test_amendment_with_an_older_version_is_refused_as_stale(
    order: Order, approver: Account
) -> None:
    client = ApiClient(approver)
    client.post(at(order, "Amend"), less(order, 4, Version=1, Reason="库房还有"))

    assert (
        client.post(at(order, "Amend"), less(order, 2, Version=1, Reason="再少点")).code == "stale"
    )
    assert client.post(at(order, "Approve"), {"Version": 1}).code == "stale"
    assert client.post(at(order, "Approve"), {"Version": 2}).ok


def test_question_sets_the_order_waiting_until_the_requester_answers(
    order: Order, approver: Account, shopper: Account
) -> None:
    body = ApiClient(approver).post(at(order, "Ask"), {"Text": "为什么要这么多？"}).body
    assert (body["Steps"][0]["StatusText"], body["Steps"][0]["AskedAt"] is not None) == (
        "待申请人答复",
        True,
    )

    answer = ApiClient(shopper).get(at(order, "Decision")).body
    [question] = answer["Discussion"]
    assert (question["Kind"], question["By"]["Name"], question["Waits"]) == (
        "question",
        approver.nickname,
        True,
    )
    assert "answer" in answer["Approval"]["AllowedActions"]

    ApiClient(shopper).post(
        at(order, "Answer"), {"Text": "下周培训用", "QuestionId": question["Id"]}
    )
    rows = ApiClient(approver).get(at(order, "Comment")).body
    assert [(row["KindText"], row["Text"], row["Waits"]) for row in rows] == [
        ("退回询问", "为什么要这么多？", False),
        ("答复", "下周培训用", False),
    ]
    kinds = [
        row["Event"]
        for row in ApiClient(shopper).get(f"/api/Order/{order.order_no}").body["Timeline"]
    ]
    assert kinds == ["提交订单", "退回询问", "答复询问"]


def test_comment_gives_mentioned_colleagues_read_access(order: Order, approver: Account) -> None:
    colleague = AccountFactory(
        department=approver.department, nickname="财务小钱", roles=list(approver.roles.all())
    )
    client, reader = ApiClient(approver), ApiClient(colleague)
    assert reader.get(at(order, "Decision")).status == 404
    assert [row["Name"] for row in client.get(at(order, "Mention"), {"Keyword": "小钱"}).body] == [
        "财务小钱"
    ]

    remark = client.post(
        at(order, "Comment"), {"Text": "@财务小钱 预算够吗？😀", "Mentions": [str(colleague.pk)]}
    ).body

    assert remark["Mentions"] == [{"Id": str(colleague.pk), "Name": "财务小钱"}]
    assert (
        reader.get(at(order, "Decision")).body["Discussion"][0]["Text"] == "@财务小钱 预算够吗？😀"
    )
    assert reader.get(f"/api/Order/{order.order_no}").ok
    assert reader.post(f"/api/Order/{order.order_no}/Cancel", {"Reason": "试试"}).status == 403


def test_a_comment_of_1001_characters_is_refused(order: Order, approver: Account) -> None:
    answer = ApiClient(approver).post(at(order, "Comment"), {"Text": "长" * 1001})
    assert (answer.code, list(answer.body["Errors"])) == ("validation", ["Text"])
    assert ApprovalRemark.objects.count() == 0


@pytest.mark.parametrize("many", [1, 6])
def test_discussion_takes_eight_queries_for_any_number_of_comments(
    order: Order, approver: Account, many: int
) -> None:
    colleague = AccountFactory(department=approver.department, roles=list(approver.roles.all()))
    client = ApiClient(approver)
    for _ in range(many):
        client.post(at(order, "Comment"), {"Text": "看一下", "Mentions": [str(colleague.pk)]})
    address = at(order, "Comment")
    with assert_queries(8):
        client.get(address)
