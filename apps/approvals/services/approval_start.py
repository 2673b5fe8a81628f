"""Start the approval of a subject along a plan."""

from __future__ import annotations

from django.db import transaction

from apps.approvals.enums import StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.plan import Plan, PlannedStep
from apps.approvals.services.advance import advance
from apps.approvals.subjects import ApprovalSubject


def _step_of(approval: Approval, planned: PlannedStep) -> ApprovalStep:
    return ApprovalStep(
        group_id=approval.group_id,
        approval=approval,
        no=planned.no,
        rule_name=planned.rule_name,
        rule=planned.rule if planned.rule.pk else None,
        rule_version=planned.rule.version if planned.rule.pk else None,
        conditions=planned.rule.conditions,
        condition_mode=planned.rule.condition_mode,
        mode=planned.mode,
        status=StepStatus.WAITING,
        is_for_staff=planned.is_for_staff,
        note=planned.note,
    )


def _tasks_of(step: ApprovalStep, planned: PlannedStep) -> list[ApprovalTask]:
    waiting = [ApprovalTask(group_id=step.group_id, step=step, approver=account) for account in planned.approvers]
    skipped = [
        ApprovalTask(group_id=step.group_id, step=step, approver=row.account, status=TaskStatus.SKIPPED, comment=row.why)
        for row in planned.skipped
    ]
    return waiting + skipped


@transaction.atomic
def approval_start(*, subject_type: str, subject_id: int, subject_no: str, subject: ApprovalSubject, plan: Plan) -> Approval | None:
    """Return the started approval with its first open step active, or None when the plan needs none."""
    if not plan.needed:
        return None
    approval: Approval = Approval.objects.create(
        group_id=subject.requester.group_id,
        subject_type=subject_type,
        subject_id=subject_id,
        subject_no=subject_no,
        requester=subject.requester,
        amount=subject.amount,
        is_over_budget=subject.is_over_budget,
        reasons=plan.reasons,
    )
    steps = [_step_of(approval, planned) for planned in plan.steps]
    ApprovalStep.objects.bulk_create(steps)
    tasks = [task for step, planned in zip(steps, plan.steps, strict=True) for task in _tasks_of(step, planned)]
    ApprovalTask.objects.bulk_create(tasks)
    advance(approval=approval, steps=steps, tasks=tasks, actor=None, is_new=True)
    return approval
