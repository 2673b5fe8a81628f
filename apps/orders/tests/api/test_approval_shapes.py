"""Tests of each shape of approval over the API: the administrator sends the rule, the approvers
approve, and the order reaches 待确认.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from apps.approvals.models import Approval
from apps.budgets.enums import BudgetPolicy
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account, Department, Enterprise
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

pytestmark = pytest.mark.django_db
HEAD = {"ApproverKind": "head"}


@dataclass(frozen=True)
class Office:
    """The company and its approvers. The product costs 10.00 元.

    - 小采 belongs to 行政部 (head 老审), a child of 总部 (head 总监).
    - 总部 is a child of 集团总部 (head 总裁).
    - 财一 and 财二 have the role 财务.
    """

    ga: Account
    shopper: Account
    product: Product
    people: dict[str, Account]
    role_id: str

    def keys(self, *names: str) -> list[str]:
        return [str(self.people[name].pk) for name in names]

    def rules(self, *bodies: dict[str, Any]) -> None:
        for number, body in enumerate(bodies, start=1):
            assert (
                ApiClient(self.ga).post("/api/ApprovalRule", {"Name": f"规则{number}", **body}).ok
            )

    def approvers(self, order: Order) -> list[list[str]]:
        """Return the names of the approvers with a pending task, one list per step."""
        steps = (
            ApiClient(self.ga)
            .get(f"/api/Approval/{Approval.objects.get(subject_id=order.pk).pk}")
            .body["Steps"]
        )
        return [
            [task["Approver"]["Name"] for task in step["Tasks"] if task["Status"] == "pending"]
            for step in steps
            if step["Status"] == "active"
        ]

    def approved_by(self, order: Order, name: str) -> bool:
        client = ApiClient(self.people[name])
        return client.post(
            f"/api/Approval/{Approval.objects.get(subject_id=order.pk).pk}/Approve",
            {"Comment": "同意"},
        ).ok


@pytest.fixture
def office(
    ga: Account, shopper: Account, approver: Account, department: Department, enterprise: Enterprise
) -> Office:
    role = RoleFactory(group=department.group, code="finance", name="财务")
    boss, chief, one, two = (
        AccountFactory(department=department, nickname=name, roles=[role])
        for name in ("总监", "总裁", "财一", "财二")
    )
    for each in (boss, chief):
        each.roles.set(approver.roles.all())
    top = DepartmentFactory(enterprise=enterprise, name="集团总部", head=chief)
    department.parent = DepartmentFactory(enterprise=enterprise, name="总部", parent=top, head=boss)
    department.save()
    people = {"老审": approver, "总监": boss, "总裁": chief, "财一": one, "财二": two}
    return Office(ga, shopper, ProductFactory(stock=1000), people, str(role.pk))


def get_status(order: Order) -> str:
    return str(Order.objects.get(pk=order.pk).status)


def list_steps(office: Office, shape: str) -> list[dict[str, Any]]:
    accounts = {"ApproverKind": "accounts", "AccountIds": office.keys("老审", "总监")}
    shapes: dict[str, list[dict[str, Any]]] = {
        "或签": [{**accounts, "Mode": "any"}],
        "会签": [{**accounts, "Mode": "all"}],
        "角色": [{"ApproverKind": "role", "RoleId": office.role_id}],
        "部门负责人": [HEAD],
        "上一级": [{"ApproverKind": "head_up", "LevelsUp": 1}],
        "上两级": [{"ApproverKind": "head_up", "LevelsUp": 2}],
        "逐级": [
            HEAD,
            {"ApproverKind": "head_up", "LevelsUp": 1},
            {"ApproverKind": "head_up", "LevelsUp": 2},
        ],
    }
    return shapes[shape]


@pytest.mark.parametrize(
    ("shape", "approvers", "deciders"),
    [
        ("或签", ["老审", "总监"], ["总监"]),
        ("会签", ["老审", "总监"], ["总监", "老审"]),
        ("角色", ["财一", "财二"], ["财二"]),
        ("部门负责人", ["老审"], ["老审"]),
        ("上一级", ["总监"], ["总监"]),
        ("上两级", ["总裁"], ["总裁"]),
        ("逐级", ["老审"], ["老审", "总监", "总裁"]),
    ],
)
def test_approval_shape_creates_its_approvers_and_ends_after_the_expected_decisions(
    office: Office, shape: str, approvers: list[str], deciders: list[str]
) -> None:
    office.rules({"Steps": list_steps(office, shape)})
    order = place_order(office.shopper, (office.product, 1))

    assert office.approvers(order) == [approvers]
    for name in deciders:
        assert get_status(order) == OrderStatus.PENDING_APPROVAL
        assert office.approved_by(order, name)
    assert (get_status(order), office.approvers(order)) == (OrderStatus.PENDING_CONFIRM, [])


def test_every_matching_rule_adds_its_step(office: Office) -> None:
    amount = [{"Kind": "amount", "Amount": "50.00"}]
    office.rules(
        {"Steps": [HEAD]},
        {"Conditions": amount, "Steps": list_steps(office, "上一级")},
        {"Conditions": amount, "Steps": list_steps(office, "会签")},
    )

    order = place_order(office.shopper, (office.product, 5))
    assert office.approved_by(order, "老审")
    assert office.approvers(order) == [["总监"]]
    assert office.approved_by(order, "总监")
    # Both have approved already, so the 会签 step skips them.
    assert get_status(order) == OrderStatus.PENDING_CONFIRM


@pytest.mark.parametrize(
    ("quantity", "status"), [(4, OrderStatus.PENDING_CONFIRM), (5, OrderStatus.PENDING_APPROVAL)]
)
@pytest.mark.parametrize("kind", ["amount", "line_quantity", "over_budget"])
def test_rule_condition_starts_approval_at_its_exact_threshold(
    office: Office, kind: str, quantity: int, status: str
) -> None:
    make_budget(office.shopper, "49.99", policy=BudgetPolicy.WARN)
    more: dict[str, dict[str, Any]] = {
        "amount": {"Amount": "50.00"},
        "line_quantity": {"Quantity": 5},
        "over_budget": {},
    }
    office.rules({"Conditions": [{"Kind": kind, **more[kind]}], "Steps": [HEAD]})

    assert place_order(office.shopper, (office.product, quantity)).status == status


@pytest.mark.parametrize(
    ("kind", "met"),
    [("category", True), ("category", False), ("product", True), ("product", False)],
)
def test_product_and_category_conditions_apply_only_to_their_goods(
    office: Office, kind: str, met: bool
) -> None:
    other = ProductFactory(stock=1000)
    named = office.product if met else other
    office.rules(
        {
            "Conditions": [
                {"Kind": kind, "Ids": [str(named.l3_id) if kind == "category" else named.code]}
            ],
            "Steps": [HEAD],
        }
    )

    order = place_order(office.shopper, (office.product, 1))
    assert order.status == (OrderStatus.PENDING_APPROVAL if met else OrderStatus.PENDING_CONFIRM)
