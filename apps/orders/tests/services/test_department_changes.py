"""When a department is moved or merged, its pending approvals and budgets stay correct."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from apps.approvals.models import ApprovalRule, ApprovalTask
from apps.approvals.services.approval_decide import approval_approve
from apps.budgets.enums import BudgetOwner, BudgetPeriod, BudgetPolicy
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.selectors.budgets import list_usable_budgets
from apps.budgets.services.budget_manage import budget_create
from apps.orders.models import Order
from apps.orders.tests.factories import make_rule, place_order
from apps.org.models import Account, Department
from apps.org.services.department import department_move
from apps.org.services.department_merge import department_merge
from apps.org.tests.factories import DepartmentFactory


@pytest.fixture
def beside(department: Department) -> Department:
    return DepartmentFactory(enterprise=department.enterprise, name="研发部")


@pytest.fixture
def budget(shopper: Account, department: Department) -> Budget:
    """A budget of 1,000.00 元 for the shopper's department."""
    return budget_create(
        actor=None,
        name="行政部预算",
        owner_type=BudgetOwner.DEPARTMENT,
        enterprise=department.enterprise,
        department=department,
        period=BudgetPeriod.YEAR,
        period_from=date(2000, 1, 1),
        period_to=date(2099, 12, 31),
        amount=Decimal("1000.00"),
        policy=BudgetPolicy.BLOCK,
    )


@pytest.fixture
def pending(shopper: Account, approver: Account, budget: Budget) -> Order:
    """An order of 20.00 元 on the budget, waiting for `approver`."""
    make_rule(shopper, approver)
    return place_order(shopper)


def get_figures(budget: Budget) -> tuple[Decimal, Decimal, Decimal]:
    budget.refresh_from_db()
    return budget.amount, budget.reserved, budget.available


def approve(approver: Account) -> None:
    approval_approve(actor=approver, approval_id=ApprovalTask.objects.get().step.approval_id)


def test_a_move_keeps_reservation_and_approval(
    ga: Account,
    approver: Account,
    pending: Order,
    budget: Budget,
    department: Department,
    beside: Department,
) -> None:
    department_move(actor=ga, pk=str(department.pk), parent_id=str(beside.pk))
    approve(approver)

    assert Order.objects.get(pk=pending.pk).status == "pending_confirm"
    assert get_figures(budget) == (Decimal("1000.00"), Decimal("20.00"), Decimal("980.00"))


def test_a_merge_hands_the_budget_over_and_keeps_its_ledger(
    ga: Account,
    approver: Account,
    shopper: Account,
    pending: Order,
    budget: Budget,
    department: Department,
    beside: Department,
) -> None:
    ledger = list(BudgetEntry.objects.order_by("pk").values_list("kind", "amount"))
    department_merge(actor=ga, pk=str(department.pk), target_id=str(beside.pk))
    approve(approver)

    assert get_figures(budget) == (Decimal("1000.00"), Decimal("20.00"), Decimal("980.00"))
    assert budget.department_id == beside.pk
    assert list(BudgetEntry.objects.order_by("pk").values_list("kind", "amount")) == ledger
    assert [row.pk for row in list_usable_budgets(actor=Account.objects.get(pk=shopper.pk))] == [
        budget.pk
    ]


def test_department_merge_moves_its_rules_to_the_target(
    ga: Account, shopper: Account, approver: Account, department: Department, beside: Department
) -> None:
    rule = make_rule(shopper, approver)
    rule.department, rule.conditions = (
        department,
        [{"kind": "department", "value": [department.pk]}],
    )
    rule.save()

    department_merge(actor=ga, pk=str(department.pk), target_id=str(beside.pk))

    rule = ApprovalRule.objects.get()
    assert (rule.department_id, rule.conditions) == (
        beside.pk,
        [{"kind": "department", "value": [beside.pk]}],
    )
