"""What a decision means for who was asked beside somebody that let it lie, and how long it took."""

from __future__ import annotations

from datetime import timedelta

from apps.approvals.enums import TaskStatus
from apps.approvals.models import ApprovalTask
from apps.content.selectors.working_time import working_calendar

MINUTE = timedelta(minutes=1)


def escalation_of(task: ApprovalTask, tasks: list[ApprovalTask]) -> int | None:
    """Return the key of the task that the escalation began with to which `task` belongs, or None where there was none."""
    if task.escalated_from_id is None and all(row.escalated_from_id != task.pk for row in tasks):
        return None
    return task.escalated_from_id or task.pk


def spare_those_beside(task: ApprovalTask | None, tasks: list[ApprovalTask]) -> None:
    """Close the open tasks of the same escalation: of a 会签 too it takes one of them."""
    first = escalation_of(task, tasks) if task is not None else None
    if task is None or first is None:
        return
    beside = [row for row in tasks if row.status == TaskStatus.PENDING and first in (row.pk, row.escalated_from_id)]
    for row in beside:
        row.status, row.comment = TaskStatus.CLOSED, f"{task.approver.nickname}已审批"
    ApprovalTask.objects.bulk_update(beside, ["status", "comment"])


def waited_minutes(task: ApprovalTask) -> int | None:
    """Return the working minutes from asking to the decision, which is made; None where nobody was asked (staff)."""
    if task.pk is None or task.decided_at is None:
        return None
    return working_calendar().time_between(task.arrived_at, task.decided_at) // MINUTE
