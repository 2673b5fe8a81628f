"""Tell those whom something beside an approval concerns: one message of the outbox, which notices hear."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from apps.approvals.models import Approval
from apps.common.background.outbox import outbox_publish

if TYPE_CHECKING:
    from apps.org.models import Account

SHORT = 100


def told(*, topic: str, approval: Approval, actor: Account, to: Iterable[int], text: str) -> None:
    """Publish under `topic`; whoever does it is not told himself. Without anybody to tell, nothing."""
    keys = sorted(set(to) - {actor.pk})
    if keys:
        payload = {"ApprovalId": approval.pk, "SubjectNo": approval.subject_no, "ActorId": actor.pk, "To": keys, "Text": text[:SHORT]}
        outbox_publish(topic=topic, key=str(approval.pk), payload=payload)
