"""The simulation of an order: matching rules, reasons and the chain; and the days of validity."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from apps.approvals.enums import ApproverKind
from apps.approvals.selectors.plan import approval_plan
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import build_subject
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.org.models import Account, Department
from apps.org.tests.factories import DepartmentFactory

pytestmark = pytest.mark.django_db
HEAD = StepSpec(ApproverKind.HEAD)
SHANGHAI = ZoneInfo("Asia/Shanghai")


def simulate_order(actor: Account, requester: Account, amount: str = "800.00", **more: Any) -> Any:
    return ApiClient(actor).post(
        "/api/ApprovalRule/Simulate", {"AccountId": str(requester.pk), "Amount": amount, **more}
    )


def get_verdict(answer: Any, name: str) -> tuple[bool, list[str], list[str]]:
    row = next(each for each in answer.body["Rules"] if each["RuleName"] == name)
    return row["IsMatched"], row["Why"], row["WhyNot"]


def test_simulation_shows_the_matching_conditions_and_approvers(
    ga: Account, buyer: Account, approver: Account
) -> None:
    create_rule(
        group_id=ga.group_id,
        name="五百元",
        steps=[HEAD],
        conditions=[{"kind": "amount", "value": "500.00"}],
    )

    answer = simulate_order(ga, buyer)

    assert get_verdict(answer, "五百元") == (True, ["订单金额达到 ¥500.00"], [])
    assert [
        (step["RuleName"], [row["Name"] for row in step["Approvers"]])
        for step in answer.body["Chain"]
    ] == [("五百元", ["老审"])]
    assert (answer.body["Needed"], answer.body["Reasons"]) == (
        True,
        ["订单金额 ¥800.00 达到 ¥500.00（五百元）"],
    )


def test_simulation_gives_the_reason_for_each_rule_that_does_not_match(
    ga: Account, buyer: Account, approver: Account
) -> None:
    today = timezone.localdate()
    create_rule(
        group_id=ga.group_id,
        name="大额",
        steps=[HEAD],
        conditions=[{"kind": "amount", "value": "2000.00"}],
    )
    create_rule(group_id=ga.group_id, name="停用的", steps=[HEAD], is_active=False)
    create_rule(
        group_id=ga.group_id, name="将来的", steps=[HEAD], valid_from=today + timedelta(days=1)
    )
    elsewhere = DepartmentFactory(enterprise=buyer.enterprise, name="研发部")
    create_rule(
        group_id=ga.group_id,
        name="研发的",
        steps=[HEAD],
        department=elsewhere,
        enterprise=buyer.enterprise,
    )

    answer = simulate_order(ga, buyer)

    assert {row["RuleName"]: row["WhyNot"] for row in answer.body["Rules"]} == {
        "大额": ["未达到「订单金额达到 ¥2,000.00」：本单 ¥800.00"],
        "停用的": ["规则已停用"],
        "将来的": [f"不在有效期内（{today + timedelta(days=1)} 起）"],
        "研发的": ["申请人不在适用范围内（研发部及其下级部门）"],
    }
    assert (answer.body["Needed"], answer.body["Chain"]) == (False, [])


def test_lines_and_categories_are_tried(ga: Account, buyer: Account, approver: Account) -> None:
    product = ProductFactory()
    create_rule(
        group_id=ga.group_id,
        name="类目",
        steps=[HEAD],
        conditions=[{"kind": "category", "value": [product.l1_id]}],
    )
    create_rule(
        group_id=ga.group_id,
        name="数量",
        steps=[HEAD],
        conditions=[{"kind": "line_quantity", "value": 50}],
    )

    by_category = simulate_order(ga, buyer, CategoryIds=[str(product.l3_id)])
    by_product = simulate_order(ga, buyer, Lines=[{"ProductCode": product.code, "Quantity": 50}])

    assert (get_verdict(by_category, "类目")[0], get_verdict(by_category, "数量")[2]) == (
        True,
        ["未达到「任一商品的数量达到 50」：本单最大数量 1"],
    )
    assert [row["IsMatched"] for row in by_product.body["Rules"]] == [True, True]


def test_simulation_may_use_another_department(
    ga: Account, buyer: Account, approver: Account
) -> None:
    boss = approver
    other: Department = DepartmentFactory(enterprise=buyer.enterprise, name="研发部", head=boss)
    create_rule(
        group_id=ga.group_id,
        name="研发的",
        steps=[HEAD],
        department=other,
        enterprise=buyer.enterprise,
    )

    answer = simulate_order(ga, buyer, DepartmentId=str(other.pk))

    assert (answer.body["Department"], get_verdict(answer, "研发的")[0]) == ("研发部", True)
    buyer.refresh_from_db()
    assert buyer.department_id != other.pk


def test_simulation_refuses_an_account_of_another_group(ga: Account, other_ga: Account) -> None:
    assert simulate_order(ga, other_ga).errors == {
        "AccountId": ["账号不存在，或不在您的管理范围内"]
    }


@pytest.mark.parametrize(
    ("now", "needed"),
    [
        (datetime(2028, 2, 28, 23, 59, tzinfo=SHANGHAI), False),
        (datetime(2028, 2, 29, 0, 0, tzinfo=SHANGHAI), True),
        (datetime(2028, 2, 28, 16, 0, tzinfo=ZoneInfo("UTC")), True),
        (datetime(2028, 3, 31, 23, 59, tzinfo=SHANGHAI), True),
        (datetime(2028, 4, 1, 0, 0, tzinfo=SHANGHAI), False),
    ],
)
def test_rule_applies_from_its_first_to_its_last_day(
    buyer: Account, approver: Account, now: datetime, needed: bool
) -> None:
    create_rule(
        group_id=buyer.group_id,
        name="一季度",
        steps=[HEAD],
        valid_from=date(2028, 2, 29),
        valid_until=date(2028, 3, 31),
    )

    with patch("django.utils.timezone.now", lambda: now):
        assert approval_plan(subject=build_subject(buyer)).is_needed is needed
