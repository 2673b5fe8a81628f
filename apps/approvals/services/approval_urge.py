"""催办: the requester reminds whoever his approval waits for, at most once in four working hours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.approvals.enums import StepStatus, TaskStatus
from apps.approvals.errors import ApprovalNotFound
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.delegations import stand_ins_for
from apps.approvals.selectors.wait import REST_HOURS
from apps.approvals.services.approvals_remind import REMINDED, publish
from apps.approvals.subjects import subject_handler
from apps.common.errors import WrongState
from apps.content.selectors.working_time import hours_text, working_calendar

if TYPE_CHECKING:
    from apps.org.models import Account

URGED = "approval.urged"


@transaction.atomic
def approval_urge(*, actor: Account, approval_id: int) -> Approval:
    """Return the approval; whoever it waits for now is told, and it stands in the record.

    Raises:
        ApprovalNotFound: it is not the actor's own.
        ApprovalClosed: it has ended.
        WrongState: he did so less than four working hours ago.
    """
    if not Approval.objects.filter(pk=approval_id, requester=actor).exists():
        raise ApprovalNotFound
    approval = lock_pending(approval_id=approval_id)
    now, calendar = timezone.now(), working_calendar()
    if approval.urged_at is not None:
        free_at = calendar.after(approval.urged_at, REST_HOURS)
        if now < free_at:
            raise WrongState(f"{REST_HOURS} 个工作小时内只能催办一次，{free_at:%m-%d %H:%M} 后可再次催办")
    approval.urged_at = now
    approval.save(update_fields=["urged_at", "updated_at"])
    rows = ApprovalTask.objects.filter(step__approval=approval, step__status=StepStatus.ACTIVE, status=TaskStatus.PENDING)
    waiting = list(rows.select_related("approver").order_by("pk"))
    names = "、".join(task.approver.nickname for task in waiting) or "平台客服"
    subject_handler(approval.subject_type).noted(approval.subject_id, actor=actor, kind=URGED, note=f"催办 {names}")
    if waiting:
        asked = [task.approver_id for task in waiting]
        waited = hours_text(max(calendar.hours_between(task.arrived_at, now) for task in waiting))
        text = f"金额 ¥{approval.amount:,.2f}，已等待 {waited}，请尽快处理"
        stand_ins = stand_ins_for(asked=asked, requester_id=actor.pk)
        publish(approval, topic=REMINDED, to=[*asked, *stand_ins], text=text, actor=actor)
    return approval
