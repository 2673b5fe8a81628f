"""A turn: a locked approval with the task that the actor may decide."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.approvals.enums import StepStatus, TaskStatus
from apps.approvals.errors import (
    ApprovalClosed,
    ApprovalNotFound,
    ApprovalStale,
    NotYours,
    NotYourTurn,
)
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.approvals import approvals_visible
from apps.approvals.selectors.delegations import delegators_of
from apps.approvals.subjects import subject_handler

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(slots=True)
class Turn:
    """A locked approval, its steps and tasks, and the actor's task (None if staff decide)."""

    approval: Approval
    steps: list[ApprovalStep]
    tasks: list[ApprovalTask]
    step: ApprovalStep
    task: ApprovalTask | None
    acting_for: Account | None = None


@contextmanager
def hide_refusal_from_outsiders(*, actor: Account, approval_id: int) -> Generator[None]:
    """Replace a refusal that reveals the state of the approval by ApprovalNotFound, unless the
    actor is staff or can see the approval. The visibility query runs only for a refusal.

    Raises:
        ApprovalNotFound: the actor cannot see the approval.
    """
    try:
        yield
    except (ApprovalClosed, ApprovalStale, NotYourTurn, NotYours) as refusal:
        if (
            not actor.is_staff
            and not approvals_visible(actor=actor).filter(pk=approval_id).exists()
        ):
            raise ApprovalNotFound from refusal
        raise


def turn_lock(*, actor: Account, approval_id: int, version: int | None = None) -> Turn:
    """Lock a pending approval and return it with its chain and the actor's task. `version` is
    the version the actor saw; None: no check.

    Raises:
        ApprovalNotFound: there is no such approval, or the actor cannot see it.
        ApprovalClosed: the approval has ended.
        ApprovalStale: the quantities changed since `version`.
        NotYourTurn: the active step does not ask the actor.
    """
    with hide_refusal_from_outsiders(actor=actor, approval_id=approval_id):
        return _turn(actor, approval_id, version)


def _turn(actor: Account, approval_id: int, version: int | None) -> Turn:
    approval = lock_pending(approval_id=approval_id)
    if version is not None and version != approval.version:
        raise ApprovalStale
    steps = list(approval.steps.order_by("no"))
    tasks = list(
        ApprovalTask.objects.filter(step__approval=approval)
        .select_related("approver")
        .order_by("id")
    )
    step = next((row for row in steps if row.status == StepStatus.ACTIVE), None)
    if step is None:
        raise NotYourTurn
    waiting = [row for row in tasks if row.step_id == step.pk and row.status == TaskStatus.PENDING]
    mine = next((row for row in waiting if row.approver_id == actor.pk), None)
    if mine is None:
        # A stand-in cannot decide the own request.
        away = (
            delegators_of(actor=actor)
            if waiting and actor.pk != approval.requester_id
            else frozenset()
        )
        sent = next((row for row in waiting if row.approver_id in away), None)
        if sent is not None:
            return Turn(approval, steps, tasks, step, sent, sent.approver)
        if not (step.is_for_staff and actor.is_staff):
            raise NotYourTurn
    return Turn(approval, steps, tasks, step, mine)


def turn_note(turn: Turn, *, actor: Account, kind: str, note: str) -> None:
    """Add a note to the subject's timeline."""
    handler = subject_handler(turn.approval.subject_type)
    handler.add_note(
        turn.approval.subject_id, actor=actor, kind=kind, note=note, acting_for=turn.acting_for
    )
