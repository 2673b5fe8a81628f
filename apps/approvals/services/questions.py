"""Questions to the requester that still wait: opened, answered, let go where the step is decided without an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.approvals.models import ApprovalRemark, ApprovalStep
from apps.approvals.services.turn import Turn

if TYPE_CHECKING:
    from apps.org.models import Account


def questions_drop(turn: Turn, *, actor: Account) -> None:
    """Let go of the actor's open questions once he decides; no query where the step waits for no answer."""
    if turn.step.asked_at is not None:
        ApprovalRemark.objects.filter(step=turn.step, author=actor, is_open=True).update(is_open=False)
        step_settle(turn.step)


def step_settle(step: ApprovalStep) -> None:
    """Write since when the step waits for the requester: its oldest open question, or nothing."""
    oldest = ApprovalRemark.objects.filter(step=step, is_open=True).order_by("id").values_list("at", flat=True).first()
    if step.asked_at != oldest:
        step.asked_at = oldest
        step.save(update_fields=["asked_at"])
