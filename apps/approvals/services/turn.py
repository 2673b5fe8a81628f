"""Whose turn it is: a locked approval and the task that is the actor's to act on."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.approvals.enums import StepStatus, TaskStatus
from apps.approvals.errors import ApprovalClosed, ApprovalNotFound, ApprovalStale, NotYours, NotYourTurn
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.approvals import approvals_visible
from apps.approvals.selectors.delegations import delegators_of
from apps.approvals.subjects import subject_handler

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(slots=True)
class Turn:
    """A locked approval, its chain, and the task that is the actor's to decide (None where staff are asked)."""

    approval: Approval
    steps: list[ApprovalStep]
    tasks: list[ApprovalTask]
    step: ApprovalStep
    task: ApprovalTask | None
    acting_for: Account | None = None


@contextmanager
def told_to_who_sees(*, actor: Account, approval_id: int) -> Generator[None]:
    """Refuse by how the approval stands only who may look at it, or staff; to anybody else there is none. Asked of the refused alone.

    Raises:
        ApprovalNotFound: in place of the refusal, the same as of one that does not exist.
    """
    try:
        yield
    except (ApprovalClosed, ApprovalStale, NotYourTurn, NotYours) as refusal:
        if not actor.is_staff and not approvals_visible(actor=actor).filter(pk=approval_id).exists():
            raise ApprovalNotFound from refusal
        raise


def turn_of(*, actor: Account, approval_id: int, version: int | None = None) -> Turn:
    """Lock the approval, still pending, and return it with its chain and the actor's task; `version` is what he saw.

    Raises:
        ApprovalNotFound: there is none, or he may not look at it.
        ApprovalClosed: there is nothing any more to decide.
        ApprovalStale: somebody has changed the quantities since; None asks for no check.
        NotYourTurn: the active step does not ask the actor.
    """
    with told_to_who_sees(actor=actor, approval_id=approval_id):
        return _turn(actor, approval_id, version)


def _turn(actor: Account, approval_id: int, version: int | None) -> Turn:
    approval = lock_pending(approval_id=approval_id)
    if version is not None and version != approval.version:
        raise ApprovalStale
    steps = list(approval.steps.order_by("no"))
    tasks = list(ApprovalTask.objects.filter(step__approval=approval).select_related("approver").order_by("id"))
    step = next((row for row in steps if row.status == StepStatus.ACTIVE), None)
    if step is None:
        raise NotYourTurn
    waiting = [row for row in tasks if row.step_id == step.pk and row.status == TaskStatus.PENDING]
    mine = next((row for row in waiting if row.approver_id == actor.pk), None)
    if mine is None:
        # Nobody decides on his own order in another's place.
        away = delegators_of(actor=actor) if waiting and actor.pk != approval.requester_id else frozenset()
        sent = next((row for row in waiting if row.approver_id in away), None)
        if sent is not None:
            return Turn(approval, steps, tasks, step, sent, sent.approver)
        if not (step.is_for_staff and actor.is_staff):
            raise NotYourTurn
    return Turn(approval, steps, tasks, step, mine)


def turn_note(turn: Turn, *, actor: Account, kind: str, note: str) -> None:
    """Write what was done into the subject's timeline."""
    handler = subject_handler(turn.approval.subject_type)
    handler.noted(turn.approval.subject_id, actor=actor, kind=kind, note=note, acting_for=turn.acting_for)
