"""Tests of the approval steps after an amendment: which steps run again and which are removed."""

from __future__ import annotations

import pytest

from apps.approvals.enums import StepStatus, TaskStatus
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.services.rule_manage import rule_switch
from apps.approvals.tests.factories import create_rule
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.events import list_events
from apps.common.models import OutboxMessage
from apps.orders.models import Order
from apps.orders.tests.amending import amend, build_accounts_step, create_amount_rule, get_approval
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account

pytestmark = pytest.mark.django_db


@pytest.fixture
def paper(shopper: Account) -> Product:
    """A product at 10.00 元 per piece."""
    return ProductFactory(stock=100, name="复印纸")


def list_steps(order: Order) -> list[tuple[str, str]]:
    return [(step.rule_name, step.status) for step in get_approval(order).steps.order_by("no")]


def test_amendment_skips_a_waiting_step_that_no_longer_applies_and_records_it(
    shopper: Account, approver: Account, ga: Account, paper: Product
) -> None:
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver))
    create_amount_rule(shopper, "大额审批", "80.00", build_accounts_step(ga))
    order = place_order(shopper, (paper, 10))

    amend(approver, order, 7)

    assert list_steps(order) == [("部门审批", StepStatus.ACTIVE), ("大额审批", StepStatus.SKIPPED)]
    assert "第 2 步（大额审批）数量调整后不再需要该环节，已取消" in list_events(order).values_list(
        "note", flat=True
    )
    assert get_approval(order).reasons == ["订单金额 ¥70.00 达到 ¥0.00（部门审批）"]
    approval_approve(actor=approver, approval_id=get_approval(order).pk)
    assert Order.objects.get(pk=order.pk).status == "pending_confirm"


def test_amendment_keeps_a_waiting_step_that_still_applies(
    shopper: Account, approver: Account, ga: Account, paper: Product
) -> None:
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver))
    create_amount_rule(shopper, "大额审批", "80.00", build_accounts_step(ga))
    order = place_order(shopper, (paper, 10))

    amend(approver, order, 8)
    approval_approve(actor=approver, approval_id=get_approval(order).pk)

    assert list_steps(order) == [("部门审批", StepStatus.APPROVED), ("大额审批", StepStatus.ACTIVE)]


def test_amendment_leaves_approved_steps_unchanged_and_notifies_their_approvers(
    shopper: Account, approver: Account, ga: Account, paper: Product
) -> None:
    create_amount_rule(shopper, "大额审批", "80.00", build_accounts_step(approver))
    create_amount_rule(shopper, "总经理审批", "0.00", build_accounts_step(ga))
    order = place_order(shopper, (paper, 10))
    approval_approve(actor=approver, approval_id=get_approval(order).pk)

    amend(ga, order, 3)

    assert list_steps(order) == [
        ("大额审批", StepStatus.APPROVED),
        ("总经理审批", StepStatus.ACTIVE),
    ]
    assert OutboxMessage.objects.get(topic="approval.amended").payload["To"] == sorted(
        [shopper.pk, approver.pk]
    )


def test_amendment_keeps_the_amenders_own_step_below_its_rule_threshold(
    shopper: Account, approver: Account, paper: Product
) -> None:
    create_amount_rule(shopper, "大额审批", "80.00", build_accounts_step(approver))
    order = place_order(shopper, (paper, 10))

    amend(approver, order, 2)

    assert list_steps(order) == [("大额审批", StepStatus.ACTIVE)]
    assert Order.objects.get(pk=order.pk).status == "pending_approval"


def test_amendment_restores_an_approver_skipped_because_of_a_dropped_step(
    shopper: Account, approver: Account, ga: Account, paper: Product
) -> None:
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver))
    create_amount_rule(shopper, "大额审批", "80.00", build_accounts_step(ga))
    create_amount_rule(shopper, "总经理审批", "0.00", build_accounts_step(ga))
    order = place_order(shopper, (paper, 10))
    last = get_approval(order).steps.get(no=3)
    assert [task.status for task in last.tasks.all()] == [TaskStatus.SKIPPED]

    amend(approver, order, 5)
    approval_approve(actor=approver, approval_id=get_approval(order).pk)

    assert list_steps(order) == [
        ("部门审批", "approved"),
        ("大额审批", "skipped"),
        ("总经理审批", "active"),
    ]
    assert [task.status for task in last.tasks.all()] == [TaskStatus.PENDING]


def test_running_approval_keeps_the_rules_of_its_start(
    shopper: Account, approver: Account, ga: Account, paper: Product
) -> None:
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver))
    large = create_amount_rule(shopper, "大额审批", "80.00", build_accounts_step(ga))
    order = place_order(shopper, (paper, 10))
    rule_switch(actor=ga, pk=str(large.pk), is_active=False)
    create_amount_rule(shopper, "新规则", "0.00", build_accounts_step(ga))

    amend(approver, order, 9)

    assert list_steps(order) == [("部门审批", StepStatus.ACTIVE), ("大额审批", StepStatus.WAITING)]


def test_over_budget_step_is_skipped_once_the_amended_order_fits(
    shopper: Account, approver: Account, ga: Account, paper: Product
) -> None:
    make_budget(shopper, "80.00", policy="warn")
    create_amount_rule(shopper, "部门审批", "0.00", build_accounts_step(approver))
    create_rule(
        group_id=shopper.group_id,
        name="超预算",
        conditions=[{"kind": "over_budget", "value": None}],
        steps=[build_accounts_step(ga)],
    )
    order = place_order(shopper, (paper, 10))
    assert get_approval(order).is_over_budget

    amend(approver, order, 8)

    assert list_steps(order) == [("部门审批", StepStatus.ACTIVE), ("超预算", StepStatus.SKIPPED)]
    assert not get_approval(order).is_over_budget
