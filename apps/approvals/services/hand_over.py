"""A person leaves: what one approval asks of him, now or in a later step, a colleague is asked instead."""

from __future__ import annotations

from django.utils import timezone

from apps.approvals.enums import StepMode, StepStatus, TaskStatus
from apps.approvals.errors import ApprovalClosed
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.leaving import OPEN
from apps.approvals.services.advance import advance
from apps.approvals.services.approval_news import opened_publish
from apps.approvals.services.approvals_hand_on import TO_STAFF
from apps.approvals.services.escalated import escalation_of
from apps.approvals.subjects import subject_handler
from apps.org.models import Account
from apps.org.selectors.accounts import group_admins


def hand_over(*, approval_id: int, leaver: Account, successor: Account) -> str:
    """Hand the leaver's open tasks of an approval to the successor; return the names of who got them, none where there were no tasks.

    Call it in a transaction.

    Nobody approves what he asked for: where the successor is the requester, the group's admins are asked, and staff where there are none.
    """
    try:
        approval = lock_pending(approval_id=approval_id)
    except ApprovalClosed:
        return ""
    steps = list(approval.steps.order_by("no"))
    tasks = list(ApprovalTask.objects.filter(step__approval=approval).select_related("approver").order_by("id"))
    heirs = [successor] if successor.pk != approval.requester_id else _admins(approval, leaver)
    touched = [step for step in steps if _replaced(step, tasks, leaver, heirs)]
    for step in touched:
        _note(approval, step, leaver, heirs)
    if active := next((step for step in touched if step.status == StepStatus.ACTIVE), None):
        _settled(approval, active, steps, tasks)
    return _names(heirs) if touched else ""


def _admins(approval: Approval, leaver: Account) -> list[Account]:
    return list(group_admins(group=leaver.group_id or 0).exclude(pk__in=[approval.requester_id, leaver.pk]))


def _replaced(step: ApprovalStep, tasks: list[ApprovalTask], leaver: Account, heirs: list[Account]) -> bool:
    """Close the leaver's tasks of a step and give them to heirs who are not in it; what is written goes into `tasks` too."""
    own = [task for task in tasks if task.step_id == step.pk]
    left = [task for task in own if task.approver_id == leaver.pk and task.status in OPEN]
    if not left:
        return False
    present = {task.approver_id for task in own if task.status in (*OPEN, TaskStatus.APPROVED)}
    escalated = escalation_of(left[0], own)
    new = [
        ApprovalTask(group_id=step.group_id, step=step, approver=heir, status=left[0].status, escalated_from_id=escalated)
        for heir in heirs
        if heir.pk not in present
    ]
    for task in left:
        task.status, task.decided_at = TaskStatus.TRANSFERRED, timezone.now()
        task.comment = f"账号停用，转由{_names(heirs)}处理"
    ApprovalTask.objects.bulk_update(left, ["status", "comment", "decided_at"])
    tasks += ApprovalTask.objects.bulk_create(new)
    if not heirs and not any(task.status in OPEN for task in own):
        step.is_for_staff, step.note = True, TO_STAFF
    if len(heirs) > 1 and step.mode == StepMode.ALL and len(own) == len(left):
        # It asked the leaver alone: of the admins in his place any one will do.
        step.mode = StepMode.ANY
    step.save(update_fields=["is_for_staff", "note", "mode"])
    return True


def _settled(approval: Approval, step: ApprovalStep, steps: list[ApprovalStep], tasks: list[ApprovalTask]) -> None:
    """Go on where the active step waits for nobody any more: whoever is left in it has approved already."""
    own = [task for task in tasks if task.step_id == step.pk]
    if step.is_for_staff or any(task.status == TaskStatus.PENDING for task in own):
        opened_publish(approval)
        return
    step.status = StepStatus.APPROVED
    step.save(update_fields=["status"])
    advance(approval=approval, steps=steps, tasks=tasks, actor=None)


def _names(heirs: list[Account]) -> str:
    return "、".join(heir.nickname for heir in heirs) or "平台客服"


def _note(approval: Approval, step: ApprovalStep, leaver: Account, heirs: list[Account]) -> None:
    note = f"第 {step.no} 步审批人 {leaver.nickname} 的账号停用，转由{_names(heirs)}审批"
    subject_handler(approval.subject_type).noted(approval.subject_id, actor=None, kind="approval.transferred", note=note)
