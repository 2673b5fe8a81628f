"""Move an approval on: open its next step, skip who has decided already, end it after the last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepMode, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.services.approval_news import decided_publish, opened_publish
from apps.approvals.subjects import subject_handler

if TYPE_CHECKING:
    from datetime import datetime

    from apps.org.models import Account


def _decided_in(tasks: list[ApprovalTask], steps: list[ApprovalStep]) -> dict[int, int]:
    """Return {account id: number of the step} of those who have approved already, themselves or by whom they sent in their place."""
    numbers = {step.pk: step.no for step in steps}
    approved = [task for task in tasks if task.status == TaskStatus.APPROVED]
    sent = {task.acting_for_id: numbers[task.step_id] for task in approved if task.acting_for_id}
    return sent | {task.approver_id: numbers[task.step_id] for task in approved}


def _open(step: ApprovalStep, tasks: list[ApprovalTask], decided: dict[int, int]) -> bool:
    """Activate a step; False when those who have decided before suffice for it: one of a 或签, everybody of a 会签."""
    now = timezone.now()
    own = [task for task in tasks if task.step_id == step.pk]
    earlier = [decided[task.approver_id] for task in own if task.approver_id in decided]
    for task in own:
        if task.status == TaskStatus.WAITING and task.approver_id in decided:
            task.status, task.comment = TaskStatus.SKIPPED, f"已在第 {decided[task.approver_id]} 步审批，自动跳过"
        elif task.status == TaskStatus.WAITING and earlier and step.mode == StepMode.ANY:
            task.status, task.comment = TaskStatus.SKIPPED, f"或签的审批人已在第 {earlier[0]} 步审批，自动跳过"
        elif task.status == TaskStatus.WAITING:
            task.status, task.arrived_at = TaskStatus.PENDING, now
    is_open = step.is_for_staff or any(task.status == TaskStatus.PENDING for task in own)
    step.status = StepStatus.ACTIVE if is_open else StepStatus.SKIPPED
    return is_open


def _write(changed: list[ApprovalStep], tasks: list[ApprovalTask]) -> None:
    """Most often one step opens and its tasks become alike: a plain UPDATE each costs a fraction of a bulk_update."""
    touched = {step.pk for step in changed}
    of_steps: dict[str, list[int]] = {}
    of_tasks: dict[tuple[str, str, datetime | None], list[int]] = {}
    for step in changed:
        of_steps.setdefault(step.status, []).append(step.pk)
    for task in tasks:
        if task.step_id in touched:
            of_tasks.setdefault((task.status, task.comment, task.arrived_at), []).append(task.pk)
    for status, steps in of_steps.items():
        ApprovalStep.objects.filter(pk__in=steps).update(status=status)
    for (status, comment, arrived_at), keys in of_tasks.items():
        ApprovalTask.objects.filter(pk__in=keys).update(status=status, comment=comment, arrived_at=arrived_at)


def advance(
    *, approval: Approval, steps: list[ApprovalStep], tasks: list[ApprovalTask], actor: Account | None, is_new: bool = False
) -> None:
    """Open the next waiting step, or approve the subject when none is left; writes the steps and tasks it changed."""
    handler = subject_handler(approval.subject_type)
    decided = _decided_in(tasks, steps)
    changed: list[ApprovalStep] = []
    for step in steps:
        if step.status != StepStatus.WAITING:
            continue
        changed.append(step)
        if _open(step, tasks, decided):
            break
        handler.noted(approval.subject_id, actor=None, kind="approval.skipped", note=f"第 {step.no} 步审批人已审批过，自动跳过")
    if changed:
        _write(changed, tasks)
    if any(step.status == StepStatus.ACTIVE for step in changed):
        opened_publish(approval, is_new=is_new)
        return
    approval.status = ApprovalStatus.APPROVED
    approval.decided_at = timezone.now()
    approval.save(update_fields=["status", "decided_at", "updated_at"])
    handler.approved(approval.subject_id, actor=actor)
    decided_publish(approval, actor=actor)
