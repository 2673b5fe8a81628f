"""An approver decides: approve, reject with a reason, or hand over to a colleague."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepMode, StepStatus, TaskStatus
from apps.approvals.errors import AmendedUnseen
from apps.approvals.locks import lock_several
from apps.approvals.models import Approval, ApprovalAmendment, ApprovalTask
from apps.approvals.services.advance import advance
from apps.approvals.services.approval_close import close
from apps.approvals.services.approval_news import decided_publish, opened_publish
from apps.approvals.services.escalated import escalation_of, spare_those_beside, waited_minutes
from apps.approvals.services.questions import questions_drop
from apps.approvals.services.turn import Turn, turn_note, turn_of
from apps.approvals.subjects import subject_handler
from apps.common.errors import DomainError, ValidationFailed
from apps.org.locks import lock_group
from apps.org.menus import MenuCode
from apps.org.models import Account


def _decide(turn: Turn, *, actor: Account, status: str, comment: str) -> None:
    """Write the decision into the actor's task, or into the one of whom he acts for; staff, whom no task named, get theirs by deciding."""
    if turn.task is None:
        turn.task = ApprovalTask(group_id=turn.step.group_id, step=turn.step, approver=actor)
        turn.tasks.append(turn.task)
    task = turn.task
    task.approver, task.acting_for = actor, turn.acting_for
    task.status, task.comment, task.decided_at = status, comment, timezone.now()
    task.waited_minutes = waited_minutes(task)
    task.save()


def _close_others(turn: Turn) -> None:
    """Close what is still open in the step once it is decided."""
    open_tasks = [row for row in turn.tasks if row.step_id == turn.step.pk and row.status in (TaskStatus.PENDING, TaskStatus.WAITING)]
    for row in open_tasks:
        row.status = TaskStatus.CLOSED
    ApprovalTask.objects.bulk_update(open_tasks, ["status"])


def refuse_unseen(turn: Turn, *, actor: Account) -> None:
    """Refuse where somebody else amended it last, after it came to whom the turn is of; no query where nothing was amended.

    To staff it comes at no known moment: whoever of them says not what he saw is refused by any amendment but his own.

    Raises:
        AmendedUnseen: so it is.
    """
    if turn.approval.version == 1:
        return
    last = ApprovalAmendment.objects.filter(approval=turn.approval).order_by("version").last()
    if last is None or last.actor_id == actor.pk:
        return
    if turn.task is None or last.at > (turn.task.first_arrived_at or turn.task.arrived_at):
        raise AmendedUnseen


@transaction.atomic
def approval_approve(*, actor: Account, approval_id: int, comment: str = "", version: int | None = None) -> Approval:
    """Approve in the actor's name; the last approval of the last step passes the subject. `version` is what he saw, None not known.

    Raises:
        ApprovalNotFound, ApprovalClosed: there is nothing (any more) to decide.
        ApprovalStale: somebody has changed the quantities since, or since it was sent to him where it is not known what he saw.
        NotYourTurn: the active step does not ask the actor.
    """
    turn = turn_of(actor=actor, approval_id=approval_id, version=version)
    if version is None:
        refuse_unseen(turn, actor=actor)
    questions_drop(turn, actor=actor)
    _decide(turn, actor=actor, status=TaskStatus.APPROVED, comment=comment)
    turn_note(turn, actor=actor, kind="approval.approved", note=f"第 {turn.step.no} 步同意" + (f"：{comment}" if comment else ""))
    spare_those_beside(turn.task, turn.tasks)
    waiting = [row for row in turn.tasks if row.step_id == turn.step.pk and row.status == TaskStatus.PENDING]
    if turn.step.mode == StepMode.ALL and waiting:
        # Him and those beside him it waits for no more.
        opened_publish(turn.approval)
        return turn.approval
    _close_others(turn)
    turn.step.status = StepStatus.APPROVED
    turn.step.save(update_fields=["status"])
    advance(approval=turn.approval, steps=turn.steps, tasks=turn.tasks, actor=actor)
    return turn.approval


@transaction.atomic
def approval_reject(*, actor: Account, approval_id: int, reason: str, version: int | None = None) -> Approval:
    """Reject in the actor's name: one rejection ends the approval. `version` is what he saw, None not known.

    Raises:
        ValidationFailed: no reason is given.
        ApprovalNotFound, ApprovalClosed, NotYourTurn: as for approving.
        ApprovalStale: as for approving.
    """
    if not reason.strip():
        raise ValidationFailed({"Reason": ["请填写驳回原因，以便申请人修改后重新提交"]})
    turn = turn_of(actor=actor, approval_id=approval_id, version=version)
    if version is None:
        refuse_unseen(turn, actor=actor)
    _decide(turn, actor=actor, status=TaskStatus.REJECTED, comment=reason)
    turn.step.status = StepStatus.REJECTED
    turn.step.save(update_fields=["status"])
    close(approval=turn.approval, status=ApprovalStatus.REJECTED)
    subject_handler(turn.approval.subject_type).rejected(turn.approval.subject_id, actor=actor, reason=reason, acting_for=turn.acting_for)
    decided_publish(turn.approval, actor=actor, reason=reason)
    return turn.approval


@transaction.atomic
def approval_transfer(*, actor: Account, approval_id: int, to: Account, reason: str, version: int | None = None) -> Approval:
    """Hand the actor's task to a colleague of the group, who then decides in his place. `version` is what he saw, None not known.

    Raises:
        ValidationFailed: the colleague is the requester, the actor himself, disabled, already in the step, or may not approve.
        ApprovalNotFound, ApprovalClosed, NotYourTurn: as for approving.
        ApprovalStale: as for rejecting.
    """
    lock_group(actor.group_id)  # the colleague is not disabled, nor stripped of the right, meanwhile (locks: group → order)
    to = Account.objects.get(pk=to.pk)
    turn = turn_of(actor=actor, approval_id=approval_id, version=version)
    taken = {row.approver_id for row in turn.tasks if row.step_id == turn.step.pk}
    if turn.task is None or not to.is_active or to.pk in taken | {turn.approval.requester_id}:
        raise ValidationFailed({"To": ["不能转交给该账号，请选择申请人和现有审批人以外的同事"]})
    if not to.has_menu_code(MenuCode.ORDER_APPROVAL):
        # He could never open it, and nobody else is asked: the order would wait for ever.
        raise ValidationFailed({"To": [f"{to.nickname}没有审批权限，请选择其他同事，或联系管理员为其开通"]})
    _decide(turn, actor=actor, status=TaskStatus.TRANSFERRED, comment=reason)
    escalated = escalation_of(turn.task, turn.tasks)
    ApprovalTask.objects.create(
        group_id=turn.step.group_id, step=turn.step, approver=to, status=TaskStatus.PENDING, escalated_from_id=escalated
    )
    note = f"第 {turn.step.no} 步转交给 {to.nickname}" + (f"：{reason}" if reason else "")
    turn_note(turn, actor=actor, kind="approval.transferred", note=note)
    opened_publish(turn.approval)
    return turn.approval


@dataclass(frozen=True, slots=True)
class BulkOutcome:
    """What became of one approval of a bulk."""

    approval_id: int
    success: bool
    code: str
    message: str


@transaction.atomic
def approvals_bulk_approve(*, actor: Account, approval_ids: list[int], comment: str = "") -> list[BulkOutcome]:
    """Approve each and return every outcome in the order asked; one transaction, in which a refusal stops none of the others."""

    def approve(approval_id: int) -> None:
        approval_approve(actor=actor, approval_id=approval_id, comment=comment)

    lock_several(approval_ids=approval_ids)
    return _each(approval_ids, approve, "已同意")


@transaction.atomic
def approvals_bulk_reject(*, actor: Account, approval_ids: list[int], reason: str) -> list[BulkOutcome]:
    """Reject each with the same reason and return every outcome in the order asked; one transaction, as a bulk that approves."""

    def reject(approval_id: int) -> None:
        approval_reject(actor=actor, approval_id=approval_id, reason=reason)

    lock_several(approval_ids=approval_ids, with_held=True)
    return _each(approval_ids, reject, "已驳回")


def _each(approval_ids: list[int], decide: Callable[[int], None], done: str) -> list[BulkOutcome]:
    outcomes: list[BulkOutcome] = []
    for approval_id in sorted(set(approval_ids)):
        try:
            decide(approval_id)
            outcomes.append(BulkOutcome(approval_id, True, "ok", done))
        except DomainError as error:
            outcomes.append(BulkOutcome(approval_id, False, error.code, error.text))
    asked = list(dict.fromkeys(approval_ids))
    return sorted(outcomes, key=lambda outcome: asked.index(outcome.approval_id))
