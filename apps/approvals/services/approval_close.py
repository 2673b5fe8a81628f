"""End an approval: the one place that closes its open steps and tasks."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.services.approval_news import withdrawn_publish


def close(*, approval: Approval, status: str) -> None:
    """Give a locked approval its final state and close every step and task that is still open."""
    approval.status, approval.decided_at = status, timezone.now()
    approval.save(update_fields=["status", "decided_at", "updated_at"])
    approval.steps.filter(status__in=[StepStatus.WAITING, StepStatus.ACTIVE]).update(status=StepStatus.CLOSED)
    ApprovalTask.objects.filter(step__approval=approval, status__in=[TaskStatus.WAITING, TaskStatus.PENDING]).update(
        status=TaskStatus.CLOSED, updated_at=approval.decided_at
    )


@transaction.atomic
def approval_withdraw(*, subject_type: str, subject_id: int) -> None:
    """Withdraw the pending approval of a subject whose row the caller has locked; without one, nothing."""
    pending = Approval.objects.select_for_update().filter(subject_type=subject_type, subject_id=subject_id, status=ApprovalStatus.PENDING)
    approval = pending.first()
    if approval is not None:
        close(approval=approval, status=ApprovalStatus.WITHDRAWN)
        withdrawn_publish(approval)
