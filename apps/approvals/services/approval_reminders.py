"""Reminders and escalation of approvals that wait too long, and 催办 by the requester. Nothing
here decides an approval.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from apps.approvals.enums import StepStatus, TaskStatus
from apps.approvals.errors import ApprovalClosed, ApprovalNotFound, UrgedRecently
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.approvers import PRESENT, find_superiors, get_people_of_other_steps
from apps.approvals.selectors.delegations import list_stand_ins_for
from apps.approvals.selectors.waiting import REST_HOURS, get_deadlines, iterate_due_approvals
from apps.approvals.subjects import get_subject_handler
from apps.calendar.selectors import WorkingCalendar, format_hours, get_working_calendar
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.tenancy import tenant_scope
from apps.org.models import Group

if TYPE_CHECKING:
    from apps.org.models import Account


REMINDED, ESCALATED = "approval.reminded", "approval.escalated"


@dataclass(frozen=True, slots=True)
class _Late:
    """A locked approval and the open tasks of its active step at one moment."""

    # With its chain prefetched.
    approval: Approval
    tasks: list[ApprovalTask]
    calendar: WorkingCalendar
    now: datetime

    def compute_hours(self, tasks: list[ApprovalTask]) -> float:
        """Return the longest wait of the tasks in working hours."""
        return max(self.calendar.count_hours_between(task.arrived_at, self.now) for task in tasks)


def approvals_remind() -> int:
    """Send the due reminders and escalations, each approval in its own transaction. Return how many
    approvals were handled. The caller must open the platform scope.
    """
    return run_for_each(list(iterate_due_approvals()), _remind_or_escalate)


def _remind_or_escalate(approval_id: int, group_id: int) -> bool:
    """Remind the late approvers of the active step, and escalate what waits longer. Return False
    if nothing was due.
    """
    with tenant_scope(group_id=group_id), transaction.atomic():
        try:
            approval = lock_pending(approval_id=approval_id)
        except ApprovalClosed:
            return False
        # Read the tasks under the lock, because another worker may have reminded already.
        now, calendar = timezone.now(), get_working_calendar()
        deadlines = get_deadlines(Group.objects.get(pk=group_id), calendar=calendar, now=now)
        # A step with an open question waits for the requester, so its approvers are not
        # reminded.
        active = ApprovalTask.objects.filter(
            step__approval=approval, step__status=StepStatus.ACTIVE, status=TaskStatus.PENDING
        )
        rows = active.filter(step__asked_at=None)
        late = _Late(
            approval, list(rows.select_related("approver", "step").order_by("pk")), calendar, now
        )
        prefetch_related_objects([approval], "steps__tasks")
        to_remind = [task for task in late.tasks if deadlines.is_reminder_due(task)]
        to_escalate = [task for task in late.tasks if deadlines.is_escalation_due(task)]
        if to_remind:
            _remind_approvers(late, to_remind)
        for task in to_escalate:
            _escalate(late, task)
    return bool(to_remind or to_escalate)


def _remind_approvers(late: _Late, tasks: list[ApprovalTask]) -> None:
    """Mark the tasks as reminded, write it into the timeline, and notify the approvers and those
    who stand in for them.
    """
    ApprovalTask.objects.filter(pk__in=[task.pk for task in tasks]).update(reminded_at=late.now)
    waited = format_hours(late.compute_hours(tasks))
    names = "、".join(task.approver.nickname for task in tasks)
    note = f"第 {tasks[0].step.no} 步等待 {names} 审批已 {waited}，已提醒"
    get_subject_handler(late.approval.subject_type).add_note(
        late.approval.subject_id, actor=None, kind=REMINDED, note=note
    )
    approver_ids = [task.approver_id for task in tasks]
    stand_ins = list_stand_ins_for(approval=late.approval, approver_ids=approver_ids)
    reminder_publish(
        late.approval,
        topic=REMINDED,
        to=[*approver_ids, *stand_ins],
        text=f"{_format_requester_and_amount(late.approval)}，已等待 {waited}，请尽快处理",
    )


def _escalate(late: _Late, task: ApprovalTask) -> None:
    """Ask the approver's superiors in addition to the approver, who may still decide. If there
    is no superior, write that into the timeline. A superior of another step of the chain is left
    out with the reason, unless the rule of the step allows the same person.
    """
    approval, step = late.approval, task.step
    ApprovalTask.objects.filter(pk=task.pk).update(escalated_at=late.now)
    steps = list(approval.steps.all())
    people_elsewhere = get_people_of_other_steps(
        step, steps, [row for each in steps for row in each.tasks.all()]
    )
    present = ApprovalTask.objects.filter(step=step, status__in=PRESENT).values_list(
        "approver_id", flat=True
    )
    without = {*approval.own_ids, *present}
    superiors = find_superiors(approver=task.approver, excluded_ids=without)
    left_out = [account for account in superiors if account.pk in people_elsewhere]
    if left_out:
        superiors = find_superiors(
            approver=task.approver, excluded_ids=without | set(people_elsewhere)
        )
    ApprovalTask.objects.bulk_create(_build_escalated_tasks(task, superiors))
    waited = format_hours(late.compute_hours([task]))
    names = "、".join(account.nickname for account in superiors)
    outcome = "".join(
        f"{row.nickname}{people_elsewhere[row.pk]}，不能升级给此人；" for row in left_out
    ) + (
        f"升级给 {names}，{task.approver.nickname} 仍可审批"
        if superiors
        else "没有可以升级的上级，请尽快联系审批人"
    )
    note = f"第 {step.no} 步 {task.approver.nickname} {waited}未处理，{outcome}"
    get_subject_handler(approval.subject_type).add_note(
        approval.subject_id, actor=None, kind=ESCALATED, note=note
    )
    if superiors:
        request = _format_requester_and_amount(approval)
        text = f"{request}，{task.approver.nickname} {waited}未处理，请您审批"
        superior_ids = [account.pk for account in superiors]
        stand_ins = list_stand_ins_for(approval=approval, approver_ids=superior_ids)
        # Approvers of the open tasks were already notified of their own task.
        late_approvers = {row.approver_id for row in late.tasks}
        reminder_publish(
            approval,
            topic=ESCALATED,
            to=[*superior_ids, *(pk for pk in stand_ins if pk not in late_approvers)],
            text=text,
        )


def _build_escalated_tasks(task: ApprovalTask, superiors: list[Account]) -> list[ApprovalTask]:
    """Return one unsaved task for each superior, linked to the task that was escalated first."""
    first_task_id = task.escalated_from_id or task.pk
    return [
        ApprovalTask(
            group_id=task.group_id,
            step=task.step,
            approver=account,
            status=TaskStatus.PENDING,
            escalated_from_id=first_task_id,
            added_by_id=task.added_by_id,
        )
        for account in superiors
    ]


def _format_requester_and_amount(approval: Approval) -> str:
    return f"{approval.requester.nickname}提交，金额 ¥{approval.amount:,.2f}"


def reminder_publish(
    approval: Approval, *, topic: str, to: list[int], text: str, actor: Account | None = None
) -> None:
    """Publish a reminder to each account once. `actor` None: the periodic job sends it."""
    payload = {
        "ApprovalId": approval.pk,
        "SubjectNo": approval.subject_no,
        "ActorId": actor.pk if actor else None,
        "To": list(dict.fromkeys(to)),
        "Text": text,
    }
    outbox_publish(topic=topic, key=str(approval.pk), payload=payload)


URGED = "approval.urged"


@transaction.atomic
def approval_urge(*, actor: Account, approval_id: int) -> Approval:
    """催办: remind everybody the approval waits for, write it into the timeline and return the
    approval. Allowed once in four working hours.

    Raises:
        ApprovalNotFound: the actor is not the requester.
        ApprovalClosed: the approval has ended.
        WrongState: the last urge is less than four working hours ago.
    """
    if not Approval.objects.filter(pk=approval_id, requester=actor).exists():
        raise ApprovalNotFound
    approval = lock_pending(approval_id=approval_id)
    now, calendar = timezone.now(), get_working_calendar()
    if approval.urged_at is not None:
        free_at = calendar.add_hours(approval.urged_at, REST_HOURS)
        if now < free_at:
            raise UrgedRecently(hours=REST_HOURS, free_at=free_at)
    approval.urged_at = now
    approval.save(update_fields=["urged_at", "updated_at"])
    rows = ApprovalTask.objects.filter(
        step__approval=approval, step__status=StepStatus.ACTIVE, status=TaskStatus.PENDING
    )
    pending_tasks = list(rows.select_related("approver").order_by("pk"))
    names = "、".join(task.approver.nickname for task in pending_tasks) or "平台客服"
    get_subject_handler(approval.subject_type).add_note(
        approval.subject_id, actor=actor, kind=URGED, note=f"催办 {names}"
    )
    if pending_tasks:
        approver_ids = [task.approver_id for task in pending_tasks]
        waited = format_hours(
            max(calendar.count_hours_between(task.arrived_at, now) for task in pending_tasks)
        )
        text = f"金额 ¥{approval.amount:,.2f}，已等待 {waited}，请尽快处理"
        prefetch_related_objects([approval], "steps__tasks")
        stand_ins = list_stand_ins_for(approval=approval, approver_ids=approver_ids)
        reminder_publish(
            approval, topic=REMINDED, to=[*approver_ids, *stand_ins], text=text, actor=actor
        )
    return approval


MINUTE = timedelta(minutes=1)


def get_escalation_root(task: ApprovalTask, tasks: list[ApprovalTask]) -> int | None:
    """Return the id of the task that the escalation of `task` started from, or None if `task`
    is not part of an escalation.
    """
    if task.escalated_from_id is None and all(row.escalated_from_id != task.pk for row in tasks):
        return None
    return task.escalated_from_id or task.pk


def close_escalated_siblings(task: ApprovalTask | None, tasks: list[ApprovalTask]) -> None:
    """Close the open tasks of the same escalation. One decision is enough for them, even in a
    会签 step.
    """
    first = get_escalation_root(task, tasks) if task is not None else None
    if task is None or first is None:
        return
    beside = [
        row
        for row in tasks
        if row.status == TaskStatus.PENDING and first in (row.pk, row.escalated_from_id)
    ]
    for row in beside:
        row.status, row.comment = TaskStatus.CLOSED, f"{task.approver.nickname}已审批"
    ApprovalTask.objects.bulk_update(beside, ["status", "comment"])


def compute_waited_minutes(task: ApprovalTask) -> int | None:
    """Return the working minutes from the arrival of the task to its decision. Return None if
    nobody was asked (staff).
    """
    if task.pk is None or task.decided_at is None:
        return None
    return get_working_calendar().compute_time_between(task.arrived_at, task.decided_at) // MINUTE
