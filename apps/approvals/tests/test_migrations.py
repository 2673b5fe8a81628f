"""What a migration does to decisions that were made before it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.services.approval_decide import approval_approve, approval_transfer
from apps.approvals.services.rule_save import StepSpec
from apps.approvals.tests.clock import at, clock
from apps.approvals.tests.factories import new_rule
from apps.approvals.tests.subject import recorder, start
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def approval(buyer: Account, approver: Account, ga: Account) -> Approval:
    """Asked on Monday at 9:00, first of `approver`, then of `ga`."""
    recorder()
    steps = [StepSpec(ApproverKind.ACCOUNTS, accounts=(person,)) for person in (approver, ga)]
    new_rule(group_id=buyer.group_id, name="全部", conditions=[], steps=steps)
    with clock("2026-11-16 09:00"):
        return start(buyer)


def measured() -> list[tuple[Any, ...]]:
    """Forget what the column knew, and measure anew."""
    ApprovalTask.objects.update(waited_minutes=None, arrived_at=at("2026-11-22 10:00"))
    import_module("apps.approvals.migrations.0011_waited_before").measured(apps, None)
    return list(ApprovalTask.objects.order_by("pk").values_list("approver__nickname", "waited_minutes", "arrived_at"))


def test_a_later_step_has_waited_since_the_one_before_it(approval: Approval, approver: Account, ga: Account) -> None:
    for person, moment in ((approver, "2026-11-16 11:00"), (ga, "2026-11-17 10:30")):
        with clock(moment):
            approval_approve(actor=person, approval_id=approval.pk)

    assert measured() == [("老审", 120, at("2026-11-16 09:00")), ("集管", 510, at("2026-11-16 11:00"))]


def test_what_was_handed_on_has_waited_since_then(approval: Approval, approver: Account) -> None:
    colleague = AccountFactory(department=approver.department, roles=list(approver.roles.all()))
    with clock("2026-11-16 10:00"):
        approval_transfer(actor=approver, approval_id=approval.pk, to=colleague, reason="出差")
    with clock("2026-11-16 12:00"):
        approval_approve(actor=colleague, approval_id=approval.pk)

    assert {name: minutes for name, minutes, _ in measured()} == {"老审": 60, colleague.nickname: 120, "集管": None}


def test_a_step_of_staff_measures_nobody(approval: Approval, approver: Account) -> None:
    with clock("2026-11-16 10:00"):
        approval_approve(actor=approver, approval_id=approval.pk)
    ApprovalStep.objects.update(is_for_staff=True)

    assert [minutes for _, minutes, _ in measured()] == [None, None]
