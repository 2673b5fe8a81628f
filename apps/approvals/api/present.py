"""An approval as it stands now, for an answer and for who is told that it is no longer what he saw."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from apps.approvals.selectors.approvals import approval_detail
from apps.approvals.wire import ApprovalSerializer
from apps.common.api.stale import stale_shown
from apps.org.models import Account


def approval_shown(*, actor: Account, approval_id: int) -> dict[str, Any]:
    """Return the approval on the wire, with what the actor may do now."""
    return dict(ApprovalSerializer(approval_detail(actor=actor, approval_id=approval_id), context={"actor": actor}).data)


def present_shown(*, actor: Account, approval_id: int) -> AbstractContextManager[None]:
    """Answer a Stale of the block with the present approval."""
    return stale_shown(lambda _: approval_shown(actor=actor, approval_id=approval_id))
