"""Approve with lower quantities in one act: either both are done or neither."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction

from apps.approvals.models import Approval
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import approval_approve, refuse_unseen
from apps.approvals.services.turn import turn_of
from apps.common.errors import ValidationFailed

if TYPE_CHECKING:
    from apps.org.models import Account

LONGEST_REASON = 300


@transaction.atomic
def approval_approve_lines(
    *, actor: Account, approval_id: int, quantities: Mapping[int, int], comment: str, version: int | None = None
) -> Approval:
    """Lower quantities ({line: quantity}, 0 drops it) for the reason `comment` gives, then approve what is left.

    Raises:
        ValidationFailed: no comment says why, or as for amending.
        QuantityIllegal, ApprovalNotFound, ApprovalClosed, ApprovalStale, NotYourTurn: as for amending and approving.
    """
    if not comment.strip():
        raise ValidationFailed({"Comment": ["调整数量时请在审批意见中写明原因，申请人会看到"]})
    turn = turn_of(actor=actor, approval_id=approval_id, version=version)
    if version is None:
        # What he takes out himself must not hide what another took out before him.
        refuse_unseen(turn, actor=actor)
    amended = approval_amend(actor=actor, approval_id=approval_id, quantities=quantities, reason=comment[:LONGEST_REASON])
    return approval_approve(actor=actor, approval_id=approval_id, comment=comment, version=amended.version)
