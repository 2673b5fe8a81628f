"""Helpers to create orders in approval and to lower their quantities."""

from __future__ import annotations

from typing import Any

from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.tests.factories import create_rule
from apps.orders.models import Order, OrderLine
from apps.org.models import Account


def build_accounts_step(*people: Account) -> StepSpec:
    return StepSpec(ApproverKind.ACCOUNTS, accounts=people)


def create_amount_rule(buyer: Account, name: str, floor: str, *steps: StepSpec) -> Any:
    return create_rule(
        group_id=buyer.group_id,
        name=name,
        conditions=[{"kind": "amount", "value": floor}],
        steps=list(steps),
    )


def get_approval(order: Order) -> Approval:
    return Approval.objects.get(subject_id=order.pk)


def amend(
    actor: Account,
    order: Order,
    *quantities: int | None,
    reason: str = "用不了这么多",
    version: int | None = None,
) -> Approval:
    """Lower the quantities of the order's lines, in the lines' order. None leaves a line
    unchanged.
    """
    lines = OrderLine.objects.filter(order=order).order_by("no")
    wanted = {
        line.pk: quantity
        for line, quantity in zip(lines, quantities, strict=False)
        if quantity is not None
    }
    return approval_amend(
        actor=actor,
        approval_id=get_approval(order).pk,
        quantities=wanted,
        reason=reason,
        version=version,
    )
