"""The queries of a checkout with everything that may be set up for it: limits per day and month, a
budget below two others, earmarked budgets of a category and of two projects, lines split over cost
centres and projects, rules on all sums over time, and copies.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db.models import Q

from apps.approvals.models import ApprovalCopy
from apps.approvals.selectors.conditions import PAST_DAYS_KINDS
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.rule_manage import rule_save
from apps.budgets.models import Budget
from apps.budgets.tests.factories import make_budget
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.dimensions.tests.factories import DimensionFactory
from apps.orders.models import Order, OrderAllocation
from apps.orders.tests.factories import fill_cart, make_earmarks, make_rule
from apps.org.enums import LimitAction, LimitPeriod
from apps.org.models import Account, PurchaseLimit

EARMARKED = Q(category__isnull=False) | Q(dimension__isnull=False)
PARTS = ("50.00", "30.00", "20.00")
CONDITIONS: list[dict[str, Any]] = [
    *({"kind": kind, "value": {"days": 30, "amount": "5.00"}} for kind in sorted(PAST_DAYS_KINDS)),
    {"kind": "first_product", "value": None},
    {"kind": "first_address", "value": None},
    {"kind": "price_rise", "value": 10},
]


@pytest.fixture
def checkout(shopper: Account, approver: Account) -> dict[str, Any]:
    """The body of a checkout of ten lines for the shopper."""
    for period in (LimitPeriod.DAY, LimitPeriod.MONTH):
        PurchaseLimit.objects.create(
            group_id=shopper.group_id,
            role=shopper.roles.get(),
            period=period,
            amount=Decimal("50.00"),
            action=LimitAction.APPROVE,
        )
    assert shopper.enterprise is not None
    top = make_budget(enterprise=shopper.enterprise)
    middle = make_budget(enterprise=shopper.enterprise, department=shopper.department, parent=top)
    make_budget(enterprise=shopper.enterprise, account=shopper, parent=middle)
    rule_save(
        group_id=shopper.group_id or 0,
        spec=RuleSpec(
            "防拆单",
            CONDITIONS,
            condition_mode="any",
            copy_accounts=[approver.pk],
            copy_roles=[approver.roles.get().pk],
        ),
        steps=[
            StepSpec("accounts", accounts=(approver,)),
            StepSpec("head"),
            StepSpec("role", role=approver.roles.get()),
        ],
    )
    centers = [DimensionFactory(group=shopper.group) for _ in PARTS]
    products = [ProductFactory() for _ in range(10)]
    fill_cart(shopper, *[(product, 1) for product in products])
    projects = make_earmarks(shopper, products[0])[0].parts
    parts = [
        {"DimensionId": str(center.pk), "Percent": percent}
        for center, percent in zip(centers, PARTS, strict=True)
    ]
    halves = [
        {"DimensionId": str(part.dimension_id), "Percent": str(part.percent)} for part in projects
    ]
    return {
        "Allocations": [
            {"Kind": "cost_center", "CartItemId": None, "Parts": parts},
            {"Kind": "project", "CartItemId": None, "Parts": halves},
        ]
    }


def test_the_preview_costs_twelve_queries(shopper: Account, checkout: dict[str, Any]) -> None:
    api = ApiClient(shopper)
    with assert_queries(12):
        body = api.post("/api/Order/Preview", checkout).body

    assert body["Problems"] == []
    # The rule, and the two limits.
    assert len(body["Approval"]["Reasons"]) == 3


def test_a_submit_of_ten_lines_costs_38_queries(shopper: Account, checkout: dict[str, Any]) -> None:
    api = ApiClient(shopper)
    assert api.post("/api/Order/Preview", checkout).ok
    with assert_queries(38):
        assert api.post("/api/Order", checkout, key="key-00000001").ok

    assert OrderAllocation.objects.count() == 50
    assert ApprovalCopy.objects.count() == 1
    of_project = OrderAllocation.objects.filter(kind="project", line__no=1).order_by("no")
    first, second = of_project.values_list("code", flat=True)
    assert {budget.name: budget.reserved for budget in Budget.objects.filter(EARMARKED)} == {
        "大类专项": Decimal("10.00"),
        "小类专项": Decimal("10.00"),
        "项目专项 " + first: Decimal("33.30"),
        "项目专项 " + second: Decimal("66.70"),
    }
    ordinary = Budget.objects.exclude(EARMARKED)
    assert [budget.reserved for budget in ordinary] == [Decimal("100.00")] * 3


def test_a_submit_with_approval_budget_credit_and_stock_costs_32_queries(
    shopper: Account, approver: Account
) -> None:
    assert shopper.enterprise is not None
    make_budget(enterprise=shopper.enterprise, account=shopper)
    make_rule(shopper, approver)
    fill_cart(shopper, *[(ProductFactory(), 1) for _ in range(10)])
    with assert_queries(32):
        assert ApiClient(shopper).post("/api/Order", key="key-00000001").ok

    order = Order.objects.get()
    assert (order.approval_status, order.payment_kind) == ("pending", "credit")
    assert order.budget_reservation is not None
