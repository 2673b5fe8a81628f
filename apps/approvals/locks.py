"""Lock approvals for a decision, each after its subject. The lock order is in
docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Iterable

from apps.approvals.enums import ApprovalStatus
from apps.approvals.errors import ApprovalClosed, ApprovalNotFound
from apps.approvals.models import Approval
from apps.approvals.subjects import get_subject_handler


def lock_pending(*, approval_id: int) -> Approval:
    """Lock the subject and the approval, and return the approval if it is pending.

    Raises:
        ApprovalNotFound: there is no such approval in this group.
        ApprovalClosed: it has ended.
    """
    subject_key = (
        Approval.objects.filter(pk=approval_id).values_list("subject_type", "subject_id").first()
    )
    if subject_key is None:
        raise ApprovalNotFound
    subject_type, subject_id = subject_key
    get_subject_handler(subject_type).lock(subject_id)
    approval: Approval = Approval.objects.select_for_update().get(pk=approval_id)
    if approval.status != ApprovalStatus.PENDING:
        raise ApprovalClosed(f"该审批{approval.get_status_display()}，请刷新查看结果")
    return approval


def lock_several(*, approval_ids: Iterable[int], with_releases: bool = False) -> None:
    """Lock several approvals that one transaction decides one by one: first all subjects, then
    all approvals, each sorted by key.

    Locking one after the other would hold the budget and stock of the first while waiting for the
    second subject. `with_releases` also locks what the subjects release if they are rejected.
    """
    keys = set(approval_ids)
    subjects: dict[str, list[int]] = {}
    for subject_type, subject_id in (
        Approval.objects.filter(pk__in=keys)
        .order_by("subject_type")
        .values_list("subject_type", "subject_id")
    ):
        subjects.setdefault(subject_type, []).append(subject_id)
    for subject_type, subject_ids in subjects.items():
        get_subject_handler(subject_type).lock(*subject_ids)
    list(Approval.objects.select_for_update().filter(pk__in=keys).order_by("pk").values_list("pk"))
    if with_releases:
        for subject_type, subject_ids in subjects.items():
            get_subject_handler(subject_type).lock_held(*subject_ids)
