"""Tests of GET /api/Approval/{ApprovalId}/Decision: the data that an approver needs for a
decision.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from apps.approvals.models import Approval, ApprovalDelegation
from apps.approvals.tests.subject import register_recorder, start
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.orders.models import Order, OrderLine
from apps.orders.services.cancellations import order_cancel
from apps.orders.tests.factories import make_budget, make_rule, place_order
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, EnterpriseFactory, RoleFactory

SHANGHAI = ZoneInfo("Asia/Shanghai")


def approval_of(order: Order) -> Approval:
    return Approval.objects.get(subject_id=order.pk)


def get_decision(account: Account, order: Order, **query: str) -> Any:
    return ApiClient(account).get(f"/api/Approval/{approval_of(order).pk}/Decision", query)


def move_submission(order: Order, at: datetime) -> Order:
    Order.objects.filter(pk=order.pk).update(submitted_at=at)
    return order


@pytest.fixture
def product(shopper: Account) -> Product:
    return ProductFactory()


@pytest.fixture
def before(shopper: Account, product: Product) -> Order:
    """An earlier order: three pieces of the product at 8.00 元 on 3 February, without approval."""
    order = move_submission(
        place_order(shopper, (product, 3)), datetime(2026, 2, 3, 10, tzinfo=SHANGHAI)
    )
    OrderLine.objects.filter(order=order).update(unit_price_incl_tax="8.00")
    return order


@pytest.fixture
def pending_order(before: Order, shopper: Account, approver: Account, product: Product) -> Order:
    """An order of two pieces of the product at 10.00 元, waiting for the approver."""
    make_rule(shopper, approver)
    return place_order(shopper, (product, 2))


def test_decision_line_shows_the_last_purchase_and_the_mall_price(
    pending_order: Order, approver: Account
) -> None:
    OrderLine.objects.filter(order=pending_order).update(customer_name="写字用笔", name="签字笔")
    [line] = get_decision(approver, pending_order).body["Order"]["Lines"]
    assert (line["Name"], line["MallName"]) == ("写字用笔", "签字笔")
    assert (line["UnitPrice"], line["MallPrice"], line["Quantity"]) == ("10.00", "10.00", 2)
    assert line["Last"] == {"At": "2026-02-03T10:00:00+08:00", "Quantity": 3, "UnitPrice": "8.00"}


def test_decision_ignores_a_cancelled_last_purchase(
    pending_order: Order, before: Order, shopper: Account, approver: Account
) -> None:
    order_cancel(actor=shopper, order_no=before.order_no, reason="买错了")
    assert get_decision(approver, pending_order).body["Order"]["Lines"][0]["Last"] is None


def test_decision_ignores_a_last_purchase_that_waits_for_approval(
    pending_order: Order, shopper: Account, approver: Account, product: Product
) -> None:
    later = place_order(shopper, (product, 1))
    assert get_decision(approver, later).body["Order"]["Lines"][0]["Last"]["UnitPrice"] == "8.00"


def test_decision_ignores_purchases_of_another_enterprise(
    pending_order: Order, before: Order, approver: Account
) -> None:
    Order.objects.filter(pk=before.pk).update(enterprise=EnterpriseFactory(group=approver.group))
    assert get_decision(approver, pending_order).body["Order"]["Lines"][0]["Last"] is None


def test_the_budget_is_shown_without_and_with_the_order(
    shopper: Account, approver: Account
) -> None:
    budget = make_budget(shopper, "100.00")
    make_rule(shopper, approver)
    place_order(shopper, budget_id=budget.pk)
    order = place_order(shopper, budget_id=budget.pk)
    row = get_decision(approver, order).body["Order"]["Budget"]
    assert {key: row[key] for key in ("Name", "Amount", "Before", "Taken", "After")} == {
        "Name": "年度办公预算",
        "Amount": "100.00",
        "Before": "80.00",
        "Taken": "20.00",
        "After": "60.00",
    }


def test_decision_of_an_order_without_a_budget_has_no_budget(
    pending_order: Order, approver: Account
) -> None:
    assert get_decision(approver, pending_order).body["Order"]["Budget"] is None


def test_decision_month_covers_the_requesters_orders_of_the_calendar_month(
    shopper: Account, approver: Account
) -> None:
    last_moment = datetime(2026, 1, 31, 23, 59, 59, tzinfo=SHANGHAI)
    move_submission(place_order(shopper), last_moment)
    move_submission(place_order(shopper), last_moment + timedelta(seconds=1))
    make_rule(shopper, approver)
    move_submission(place_order(shopper), datetime(2026, 2, 28, 23, 59, 59, tzinfo=SHANGHAI))
    move_submission(place_order(shopper), datetime(2026, 3, 1, tzinfo=SHANGHAI))
    order = move_submission(place_order(shopper), datetime(2026, 2, 10, tzinfo=SHANGHAI))
    assert get_decision(approver, order).body["Order"]["Month"] == {
        "Orders": 2,
        "Amount": "40.00",
        "InApproval": 1,
    }


def test_the_month_after_december_is_january(shopper: Account, approver: Account) -> None:
    move_submission(place_order(shopper), datetime(2026, 1, 1, tzinfo=SHANGHAI))
    make_rule(shopper, approver)
    order = move_submission(place_order(shopper), datetime(2025, 12, 31, 23, tzinfo=SHANGHAI))
    assert get_decision(approver, order).body["Order"]["Month"] == {
        "Orders": 0,
        "Amount": "0.00",
        "InApproval": 0,
    }


def test_decision_names_todays_delegate_while_the_approval_is_pending(
    pending_order: Order, approver: Account, department: Department
) -> None:
    today = timezone.localdate()
    deputy = AccountFactory(
        department=department,
        nickname="副手",
        roles=[RoleFactory(group=department.group, code="deputy")],
    )
    ApprovalDelegation.objects.create(
        delegator=approver, delegate=deputy, valid_from=today, valid_until=today
    )
    named = [
        {
            "For": {"Id": str(approver.pk), "Name": approver.nickname},
            "By": {"Id": str(deputy.pk), "Name": "副手"},
            "WhyNot": "",
        }
    ]
    assert get_decision(approver, pending_order).body["StandIns"] == named
    ApiClient(deputy).post(f"/api/Approval/{approval_of(pending_order).pk}/Approve", {})
    answer = get_decision(approver, pending_order).body
    assert answer["StandIns"] == []
    assert answer["Approval"]["Steps"][0]["Tasks"][0]["ActingFor"]["Name"] == approver.nickname


def test_decision_neighbours_follow_the_box_for_decided_approvals_too(
    shopper: Account, approver: Account
) -> None:
    make_rule(shopper, approver)
    oldest, middle, newest = (place_order(shopper) for _ in range(3))
    ApiClient(approver).post(f"/api/Approval/{approval_of(middle).pk}/Approve", {})
    result = get_decision(approver, middle).body
    assert (result["Above"], result["Below"]) == (
        str(approval_of(newest).pk),
        str(approval_of(oldest).pk),
    )
    result = get_decision(approver, middle, Box="done").body
    assert (result["Above"], result["Below"]) == (None, None)


def test_decision_is_not_found_for_a_colleague_outside_the_chain(
    pending_order: Order, department: Department
) -> None:
    colleague = AccountFactory(
        department=department, roles=[RoleFactory(group=department.group, code="x")]
    )
    answer = get_decision(colleague, pending_order)
    assert (answer.status, answer.code) == (404, "not_found")


def test_the_requester_sees_his_own(pending_order: Order, shopper: Account) -> None:
    assert get_decision(shopper, pending_order).body["Approval"]["AllowedActions"] == ["withdraw"]


def test_decision_of_a_subject_other_than_an_order_has_no_order(
    pending_order: Order, shopper: Account, approver: Account
) -> None:
    register_recorder()
    approval = start(shopper)
    body = ApiClient(approver).get(f"/api/Approval/{approval.pk}/Decision").body
    assert (body["Approval"]["SubjectNo"], body["Order"]) == ("SO7", None)


@pytest.mark.parametrize("lines", [1, 8])
def test_decision_takes_fourteen_queries_for_any_number_of_lines(
    shopper: Account, approver: Account, lines: int
) -> None:
    products = [ProductFactory() for _ in range(lines)]
    place_order(shopper, *((product, 1) for product in products))
    budget = make_budget(shopper, "1000.00")
    make_rule(shopper, approver)
    order = place_order(shopper, *((product, 1) for product in products), budget_id=budget.pk)
    client = ApiClient(approver)
    pk = approval_of(order).pk
    with assert_queries(14):
        client.get(f"/api/Approval/{pk}/Decision")
