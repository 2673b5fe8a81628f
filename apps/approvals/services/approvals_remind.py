"""By the clock: remind who lets an approval lie, and ask somebody above beside him. Never decides anything itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.approvals.enums import StepStatus, TaskStatus
from apps.approvals.errors import ApprovalClosed
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.deadlines import approvals_due, deadlines_of
from apps.approvals.selectors.delegations import stand_ins_for
from apps.approvals.selectors.superiors import superiors_of
from apps.approvals.subjects import subject_handler
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import done_for_each
from apps.common.tenancy import tenant_scope
from apps.content.selectors.working_time import WorkingCalendar, hours_text, working_calendar
from apps.org.models import Group

if TYPE_CHECKING:
    from apps.org.models import Account

REMINDED, ESCALATED = "approval.reminded", "approval.escalated"
PRESENT = (TaskStatus.WAITING, TaskStatus.PENDING, TaskStatus.APPROVED)


@dataclass(frozen=True, slots=True)
class _Late:
    """A locked approval at a moment, with the open tasks of its active step."""

    approval: Approval
    tasks: list[ApprovalTask]
    calendar: WorkingCalendar
    now: datetime

    def hours(self, tasks: list[ApprovalTask]) -> float:
        """The longest wait of them."""
        return max(self.calendar.hours_between(task.arrived_at, self.now) for task in tasks)


def approvals_remind() -> int:
    """Remind and escalate what is due, each approval in its own transaction; return how many. Runs in the platform's scope."""
    return done_for_each(list(approvals_due()), _act)


def _act(approval_id: int, group_id: int) -> bool:
    with tenant_scope(group_id=group_id), transaction.atomic():
        try:
            approval = lock_pending(approval_id=approval_id)
        except ApprovalClosed:
            return False
        # Read under the lock: whoever came first has written what is done into the tasks.
        now, calendar = timezone.now(), working_calendar()
        deadlines = deadlines_of(Group.objects.get(pk=group_id), calendar=calendar, now=now)
        # While a question waits for the requester, nobody lets anything lie.
        active = ApprovalTask.objects.filter(step__approval=approval, step__status=StepStatus.ACTIVE, status=TaskStatus.PENDING)
        rows = active.filter(step__asked_at=None)
        late = _Late(approval, list(rows.select_related("approver", "step").order_by("pk")), calendar, now)
        to_remind = [task for task in late.tasks if deadlines.is_reminder_due(task)]
        to_escalate = [task for task in late.tasks if deadlines.is_escalation_due(task)]
        if to_remind:
            _remind(late, to_remind)
        for task in to_escalate:
            _escalate(late, task)
    return bool(to_remind or to_escalate)


def _remind(late: _Late, tasks: list[ApprovalTask]) -> None:
    ApprovalTask.objects.filter(pk__in=[task.pk for task in tasks]).update(reminded_at=late.now)
    waited = hours_text(late.hours(tasks))
    names = "、".join(task.approver.nickname for task in tasks)
    note = f"第 {tasks[0].step.no} 步等待 {names} 审批已 {waited}，已提醒"
    subject_handler(late.approval.subject_type).noted(late.approval.subject_id, actor=None, kind=REMINDED, note=note)
    asked = [task.approver_id for task in tasks]
    stand_ins = stand_ins_for(asked=asked, requester_id=late.approval.requester_id)
    publish(late.approval, topic=REMINDED, to=[*asked, *stand_ins], text=f"{_named(late.approval)}，已等待 {waited}，请尽快处理")


def _escalate(late: _Late, task: ApprovalTask) -> None:
    """Ask who stands above beside the approver, who may still decide; where nobody stands above, the record says so."""
    approval, step = late.approval, task.step
    ApprovalTask.objects.filter(pk=task.pk).update(escalated_at=late.now)
    present = ApprovalTask.objects.filter(step=step, status__in=PRESENT).values_list("approver_id", flat=True)
    superiors = superiors_of(approver=task.approver, without={approval.requester_id, *present})
    ApprovalTask.objects.bulk_create(_asked_beside(task, superiors))
    waited = hours_text(late.hours([task]))
    names = "、".join(account.nickname for account in superiors)
    outcome = f"升级给 {names}，{task.approver.nickname} 仍可审批" if superiors else "没有可以升级的上级，请尽快联系审批人"
    note = f"第 {step.no} 步 {task.approver.nickname} {waited}未处理，{outcome}"
    subject_handler(approval.subject_type).noted(approval.subject_id, actor=None, kind=ESCALATED, note=note)
    if superiors:
        text = f"{_named(approval)}，{task.approver.nickname} {waited}未处理，请您审批"
        asked = [account.pk for account in superiors]
        stand_ins = stand_ins_for(asked=asked, requester_id=approval.requester_id)
        # Whoever it waits for already, not least the one who let it lie, was told of it as his own.
        waiting = {row.approver_id for row in late.tasks}
        publish(approval, topic=ESCALATED, to=[*asked, *(pk for pk in stand_ins if pk not in waiting)], text=text)


def _asked_beside(task: ApprovalTask, superiors: list[Account]) -> list[ApprovalTask]:
    first = task.escalated_from_id or task.pk
    return [
        ApprovalTask(group_id=task.group_id, step=task.step, approver=account, status=TaskStatus.PENDING, escalated_from_id=first)
        for account in superiors
    ]


def _named(approval: Approval) -> str:
    """What its title does not say."""
    return f"{approval.requester.nickname}提交，金额 ¥{approval.amount:,.2f}"


def publish(approval: Approval, *, topic: str, to: list[int], text: str, actor: Account | None = None) -> None:
    """Publish what people are to be told of an approval, each once; `actor` None is the clock."""
    payload = {
        "ApprovalId": approval.pk,
        "SubjectNo": approval.subject_no,
        "ActorId": actor.pk if actor else None,
        "To": list(dict.fromkeys(to)),
        "Text": text,
    }
    outbox_publish(topic=topic, key=str(approval.pk), payload=payload)
