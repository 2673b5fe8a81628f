"""An approver may be disabled or lose the right while something waits for him: the admins are asked, never nobody."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepMode, StepStatus, TaskStatus
from apps.approvals.errors import ApprovalClosed
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.people import able_ids
from apps.approvals.services.approval_news import opened_publish
from apps.approvals.subjects import subject_handler
from apps.common.background.periodic import done_for_each
from apps.common.tenancy import tenant_scope
from apps.org.models import Account
from apps.org.selectors.accounts import group_admins

TO_ADMINS = "审批人已停用或不再有审批权限，转由集团管理员审批"
TO_STAFF = "审批人已停用或不再有审批权限，转由平台客服审批"


def approvals_hand_on() -> int:
    """Hand on the steps that wait for nobody who could decide, each in its own transaction; return how many.

    Runs in the platform's scope.
    """
    pending = ApprovalTask.objects.filter(status=TaskStatus.PENDING)
    asked = pending.filter(step__status=StepStatus.ACTIVE, step__approval__status=ApprovalStatus.PENDING)
    ids = set(asked.values_list("approver_id", flat=True).distinct())
    others = pending.filter(step=OuterRef("pk")).exclude(approver__in=ids - able_ids(ids))
    orphaned = ApprovalStep.objects.filter(
        ~Exists(others), status=StepStatus.ACTIVE, is_for_staff=False, approval__status=ApprovalStatus.PENDING
    )
    return done_for_each(orphaned.order_by("pk").values_list("pk", "approval_id", "group_id"), _hand_on)


def _hand_on(step_id: int, approval_id: int, group_id: int) -> bool:
    with tenant_scope(group_id=group_id), transaction.atomic():
        try:
            approval = lock_pending(approval_id=approval_id)
        except ApprovalClosed:
            return False
        step = ApprovalStep.objects.get(pk=step_id)
        waiting = ApprovalTask.objects.filter(step=step, status=TaskStatus.PENDING)
        # Decided, transferred, enabled or entitled again while we came here: it is no longer ours to hand on.
        if step.status != StepStatus.ACTIVE or able_ids(waiting.values_list("approver_id", flat=True)):
            return False
        waiting.update(status=TaskStatus.CLOSED, updated_at=timezone.now())
        _ask_instead(approval, step, list(group_admins(group=group_id).exclude(pk=approval.requester_id)))
    return True


def _ask_instead(approval: Approval, step: ApprovalStep, admins: list[Account]) -> None:
    step.mode, step.is_for_staff, step.note = StepMode.ANY, not admins, TO_ADMINS if admins else TO_STAFF
    step.save(update_fields=["mode", "is_for_staff", "note"])
    ApprovalTask.objects.bulk_create(
        ApprovalTask(group_id=step.group_id, step=step, approver=admin, status=TaskStatus.PENDING) for admin in admins
    )
    note = f"第 {step.no} 步{step.note}"
    subject_handler(approval.subject_type).noted(approval.subject_id, actor=None, kind="approval.transferred", note=note)
    opened_publish(approval)
