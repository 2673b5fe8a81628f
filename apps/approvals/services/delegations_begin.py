"""By the clock: whoever stands in from today hears of each approval that waits already, or of how many."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalDelegation, ApprovalTask
from apps.approvals.services.approval_news import opened_publish
from apps.approvals.services.delegation_keep import TOPIC
from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import done_for_each
from apps.common.tenancy import tenant_scope

# More that wait than these are told of in one notice.
MOST_TOLD = 10


def delegations_begin() -> int:
    """Begin the delegations whose days have come, each in its own transaction; return how many. Runs in the platform's scope."""
    today = timezone.localdate()
    rows = ApprovalDelegation.objects.filter(begun_at=None, cancelled_at=None, valid_from__lte=today, valid_until__gte=today)
    return done_for_each(list(rows.order_by("pk").values_list("pk", "group")), _begin)


def _begin(delegation_id: int, group_id: int) -> bool:
    with tenant_scope(group_id=group_id), transaction.atomic():
        delegation = ApprovalDelegation.objects.select_for_update().filter(pk=delegation_id, begun_at=None, cancelled_at=None).first()
        if delegation is None:
            return False
        # Not `save`: what its owner has seen of it is not out of date by this.
        ApprovalDelegation.objects.filter(pk=delegation_id).update(begun_at=timezone.now())
        waiting = ApprovalTask.objects.filter(approver=delegation.delegator_id, status=TaskStatus.PENDING).values("step__approval")
        approvals = Approval.objects.filter(pk__in=waiting, status=ApprovalStatus.PENDING).exclude(requester=delegation.delegate_id)
        _tell(delegation, list(approvals.order_by("pk")))
    return True


def _tell(delegation: ApprovalDelegation, approvals: list[Approval]) -> None:
    """One notice for each that waits, or one for all where they are many: fifty at once would bury what is new."""
    if len(approvals) <= MOST_TOLD:
        for approval in approvals:
            # Who has been told of a task is not told again.
            opened_publish(approval)
        return
    oldest = timezone.localtime(approvals[0].created_at)
    text = f"今天起由您代为审批，已有 {len(approvals)} 张单据等待处理，最早一张提交于 {oldest:%Y-%m-%d}"
    payload = {"ActorId": delegation.delegator_id, "To": [delegation.delegate_id], "Text": text, "Once": f"begins{delegation.pk}"}
    outbox_publish(topic=TOPIC, key=str(delegation.pk), payload=payload)
