"""Lock an approval for a decision: its subject first, then the approval (locks: order → approval → budget → stock)."""

from apps.approvals.enums import ApprovalStatus
from apps.approvals.errors import ApprovalClosed, ApprovalNotFound
from apps.approvals.models import Approval
from apps.approvals.subjects import subject_handler


def lock_pending(*, approval_id: int) -> Approval:
    """Return the approval, locked and still pending.

    Raises:
        ApprovalNotFound: there is none in this group.
        ApprovalClosed: it has ended already.
    """
    found = Approval.objects.filter(pk=approval_id).values_list("subject_type", "subject_id").first()
    if found is None:
        raise ApprovalNotFound
    subject_type, subject_id = found
    subject_handler(subject_type).lock(subject_id)
    approval: Approval = Approval.objects.select_for_update().get(pk=approval_id)
    if approval.status != ApprovalStatus.PENDING:
        raise ApprovalClosed(f"该审批{approval.get_status_display()}，请刷新查看结果")
    return approval
