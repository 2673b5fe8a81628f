"""Tests of POST /api/Approval/{ApprovalId}/Approve with Lines: one request lowers quantities
and approves the order.
"""

from __future__ import annotations

from typing import Any

import pytest

from apps.approvals.models import ApprovalAmendment
from apps.budgets.models import Budget
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import Answer, ApiClient
from apps.orders.models import Order, OrderLine
from apps.orders.tests.amending import amend, build_accounts_step, create_amount_rule, get_approval
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account

pytestmark = pytest.mark.django_db


@pytest.fixture
def order(shopper: Account, approver: Account, ga: Account) -> Order:
    """Two lines of ten pieces at 10.00 元, waiting for `approver` or `ga`."""
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver, ga))
    make_budget(shopper, "1000.00")
    return place_order(shopper, (ProductFactory(stock=100), 10), (ProductFactory(stock=100), 10))


def approve(actor: Account, order: Order, *quantities: int, **more: Any) -> Answer:
    lines = OrderLine.objects.filter(order=order).order_by("no")
    rows = [
        {"Id": str(line.pk), "Quantity": quantity}
        for line, quantity in zip(lines, quantities, strict=False)
    ]
    return ApiClient(actor).post(
        f"/api/Approval/{get_approval(order).pk}/Approve", {"Lines": rows, **more}
    )


def test_approval_with_lower_quantities_amends_and_approves(
    order: Order, approver: Account
) -> None:
    answer = approve(approver, order, 4, 0, Comment="用不了这么多", Version=1)

    assert (answer.message, answer.body["Status"], answer.body["Amount"]) == (
        "已按调整后的数量同意",
        "approved",
        "40.00",
    )
    order = Order.objects.get(pk=order.pk)
    assert (order.status, [line.quantity for line in order.lines.all()]) == ("pending_confirm", [4])
    assert str(Budget.objects.get().reserved) == "40.00"
    assert ApprovalAmendment.objects.get().reason == "用不了这么多"


def test_approval_with_lower_quantities_requires_a_comment(order: Order, approver: Account) -> None:
    assert approve(approver, order, 4).errors == {
        "Comment": ["调整数量时请在审批意见中写明原因，申请人会看到"]
    }
    assert not ApprovalAmendment.objects.exists()


def test_approval_with_a_higher_quantity_is_refused(order: Order, approver: Account) -> None:
    assert not approve(approver, order, 11, Comment="多买一些").ok
    assert get_approval(order).status == "pending"


@pytest.mark.parametrize("seen", [{}, {"Version": 1}])
def test_approval_with_lines_refuses_an_amendment_by_another_approver_as_stale(
    order: Order, approver: Account, ga: Account, seen: dict[str, Any]
) -> None:
    amend(ga, order, 6)

    assert approve(approver, order, 4, Comment="再减一些", **seen).code == "stale"
    assert ApprovalAmendment.objects.count() == 1


def test_approval_with_a_repeated_line_is_refused(order: Order, approver: Account) -> None:
    line = str(OrderLine.objects.filter(order=order).first().pk)
    rows = [{"Id": line, "Quantity": 1}, {"Id": line, "Quantity": 2}]
    answer = ApiClient(approver).post(
        f"/api/Approval/{get_approval(order).pk}/Approve", {"Lines": rows, "Comment": "减"}
    )
    assert answer.errors == {"Lines": ["同一商品行重复出现，请刷新后重试"]}
