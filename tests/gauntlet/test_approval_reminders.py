"""Reminders and escalation by several runners in parallel, and beside a decision, with real
processes.
"""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from apps.approvals.enums import ApproverKind, TaskStatus
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.services.approval_reminders import approval_urge, approvals_remind
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.org.models import Account
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
APPROVALS = 12


def run() -> int:
    """Run the job once, without its lease: the rows themselves must prevent double work."""
    with platform_scope(reason="test: a runner"):
        return approvals_remind()


@pytest.fixture
def overdue(buyer: Account, approver: Account, ga: Account) -> list[Approval]:
    """An approval for which a reminder and an escalation are due."""
    register_recorder()
    create_rule(group_id=buyer.group_id, name="全部", steps=[StepSpec(ApproverKind.HEAD)])
    rows = [start(buyer, subject_id=number) for number in range(1, APPROVALS + 1)]
    ApprovalTask.objects.update(arrived_at=timezone.now() - timedelta(days=60))
    return rows


def count(topic: str) -> int:
    return int(OutboxMessage.objects.filter(topic=topic).count())


def test_concurrent_reminder_jobs_remind_and_escalate_once(
    overdue: list[Approval], ga: Account
) -> None:
    outcomes = run_race([run] * 4, processes=2)

    assert all(outcome.ok for outcome in outcomes)
    assert sum(outcome.value for outcome in outcomes) == APPROVALS
    assert (count("approval.reminded"), count("approval.escalated")) == (APPROVALS, APPROVALS)
    assert (
        ApprovalTask.objects.filter(approver=ga, escalated_from__isnull=False).count() == APPROVALS
    )


def test_concurrent_decisions_leave_no_pending_escalation_task(
    overdue: list[Approval], approver: Account, ga: Account
) -> None:
    decisions = [partial(approval_approve, actor=approver, approval_id=row.pk) for row in overdue]

    outcomes = run_race([run, run, *decisions], processes=4)

    assert all(outcome.ok for outcome in outcomes)
    assert set(Approval.objects.values_list("status", flat=True)) == {"approved"}
    assert not ApprovalTask.objects.filter(status=TaskStatus.PENDING).exists()
    assert count("approval.reminded") == count("approval.escalated") <= APPROVALS


def test_one_of_many_concurrent_urges_counts(overdue: list[Approval], buyer: Account) -> None:
    outcomes = run_race(
        [partial(approval_urge, actor=buyer, approval_id=overdue[0].pk)] * 6, processes=6
    )

    assert sorted(outcome.code for outcome in outcomes) == ["", *["wrong_state"] * 5]
    assert count("approval.reminded") == 1
