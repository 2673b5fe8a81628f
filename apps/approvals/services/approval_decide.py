"""Decisions of an approver: approve, approve with lower quantities, reject, transfer, and
batches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepStatus, TaskStatus
from apps.approvals.errors import (
    AmendCommentMissing,
    AmendedUnseen,
    RejectionReasonMissing,
    TransferBarred,
    TransferUnavailable,
    TransferWithoutRight,
)
from apps.approvals.locks import lock_several
from apps.approvals.models import Approval, ApprovalAmendment, ApprovalTask
from apps.approvals.selectors.approvers import get_barred_people
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_discussion import questions_drop
from apps.approvals.services.approval_events import decided_publish, opened_publish
from apps.approvals.services.approval_flow import (
    Turn,
    advance,
    approval_close,
    is_step_done,
    tasks_close_answered,
    turn_lock,
    turn_note,
)
from apps.approvals.services.approval_reminders import (
    close_escalated_siblings,
    compute_waited_minutes,
    get_escalation_root,
)
from apps.approvals.subjects import get_subject_handler
from apps.common.errors import DomainError
from apps.org.locks import lock_group
from apps.org.menus import MenuCode
from apps.org.models import Account


def _decide(turn: Turn, *, actor: Account, status: str, comment: str) -> None:
    """Write the decision into the actor's task or into the task of the approver the actor
    stands in for. Staff have no task, so one is created.
    """
    if turn.task is None:
        turn.task = ApprovalTask(group_id=turn.step.group_id, step=turn.step, approver=actor)
        turn.tasks.append(turn.task)
    task = turn.task
    task.approver, task.acting_for = actor, turn.acting_for
    task.status, task.comment, task.decided_at = status, comment, timezone.now()
    task.waited_minutes = compute_waited_minutes(task)
    task.save()


def _close_others(turn: Turn) -> None:
    """Close the open tasks of a decided step."""
    open_tasks = [
        row
        for row in turn.tasks
        if row.step_id == turn.step.pk and row.status in (TaskStatus.PENDING, TaskStatus.WAITING)
    ]
    for row in open_tasks:
        row.status = TaskStatus.CLOSED
    ApprovalTask.objects.bulk_update(open_tasks, ["status"])


def refuse_unseen(turn: Turn, *, actor: Account) -> None:
    """Refuse a decision without a version if somebody else amended the approval after it
    reached the approver. Needs no query if nothing was amended.

    Staff have no arrival time. Without a version, any amendment by somebody else refuses their
    decision.

    Raises:
        AmendedUnseen: somebody else amended the approval since.
    """
    if turn.approval.version == 1:
        return
    last = ApprovalAmendment.objects.filter(approval=turn.approval).order_by("version").last()
    if last is None or last.actor_id == actor.pk:
        return
    if turn.task is None or last.at > (turn.task.first_arrived_at or turn.task.arrived_at):
        raise AmendedUnseen


@transaction.atomic
def approval_approve(
    *, actor: Account, approval_id: int, comment: str = "", version: int | None = None
) -> Approval:
    """Approve for the actor. The last approval of the last step approves the subject. `version`
    is the version the actor saw; None: unknown.

    Raises:
        ApprovalNotFound, ApprovalClosed: there is no approval to decide.
        ApprovalStale: the quantities changed since `version`, or, if it is None, since the approval
            reached the actor.
        NotYourTurn: the active step does not ask the actor.
    """
    turn = turn_lock(actor=actor, approval_id=approval_id, version=version)
    if version is None:
        refuse_unseen(turn, actor=actor)
    questions_drop(turn, actor=actor)
    _decide(turn, actor=actor, status=TaskStatus.APPROVED, comment=comment)
    turn_note(
        turn,
        actor=actor,
        kind="approval.approved",
        note=f"第 {turn.step.no} 步同意" + (f"：{comment}" if comment else ""),
    )
    close_escalated_siblings(turn.task, turn.tasks)
    step_tasks = [row for row in turn.tasks if row.step_id == turn.step.pk]
    if not is_step_done(turn.step, step_tasks):
        tasks_close_answered(turn.step, step_tasks)
        # Settle the notices of the actor and of the closed sibling tasks.
        opened_publish(turn.approval)
        return turn.approval
    _close_others(turn)
    turn.step.status = StepStatus.APPROVED
    turn.step.save(update_fields=["status"])
    advance(approval=turn.approval, steps=turn.steps, tasks=turn.tasks, actor=actor)
    return turn.approval


@transaction.atomic
def approval_reject(
    *, actor: Account, approval_id: int, reason: str, version: int | None = None
) -> Approval:
    """Reject for the actor. One rejection ends the approval. `version` is the version the actor
    saw; None: unknown.

    Raises:
        ValidationFailed: there is no reason.
        ApprovalNotFound, ApprovalClosed, ApprovalStale, NotYourTurn: see approval_approve.
    """
    if not reason.strip():
        raise RejectionReasonMissing
    turn = turn_lock(actor=actor, approval_id=approval_id, version=version)
    if version is None:
        refuse_unseen(turn, actor=actor)
    _decide(turn, actor=actor, status=TaskStatus.REJECTED, comment=reason)
    turn.step.status = StepStatus.REJECTED
    turn.step.save(update_fields=["status"])
    approval_close(approval=turn.approval, status=ApprovalStatus.REJECTED)
    get_subject_handler(turn.approval.subject_type).on_rejected(
        turn.approval.subject_id, actor=actor, reason=reason, acting_for=turn.acting_for
    )
    decided_publish(turn.approval, actor=actor, reason=reason)
    return turn.approval


@transaction.atomic
def approval_transfer(
    *, actor: Account, approval_id: int, to: Account, reason: str, version: int | None = None
) -> Approval:
    """Transfer the actor's task to a colleague of the same group. `version` is the version the
    actor saw; None: no check.

    Raises:
        ValidationFailed: the colleague is the requester, an asker or the actor, is disabled, is
            already in the chain, or has no approval rights.
        ApprovalNotFound, ApprovalClosed, ApprovalStale, NotYourTurn: see approval_approve.
    """
    # The colleague must not be disabled or lose the rights meanwhile. Lock order: group, order.
    lock_group(actor.group_id)
    to = Account.objects.get(pk=to.pk)
    turn = turn_lock(actor=actor, approval_id=approval_id, version=version)
    reason_by_barred_id = get_barred_people(
        approval=turn.approval, step=turn.step, steps=turn.steps, tasks=turn.tasks
    )
    if turn.task is None or not to.is_active:
        raise TransferUnavailable
    if to.pk in reason_by_barred_id:
        raise TransferBarred(name=to.nickname, reason=reason_by_barred_id[to.pk])
    if not to.has_menu_code(MenuCode.ORDER_APPROVAL):
        # Without approval rights the colleague could never open it, and the order would
        # wait forever.
        raise TransferWithoutRight(to.nickname)
    _decide(turn, actor=actor, status=TaskStatus.TRANSFERRED, comment=reason)
    escalated = get_escalation_root(turn.task, turn.tasks)
    ApprovalTask.objects.create(
        group_id=turn.step.group_id,
        step=turn.step,
        approver=to,
        status=TaskStatus.PENDING,
        escalated_from_id=escalated,
        added_by_id=turn.task.added_by_id,
    )
    note = f"第 {turn.step.no} 步转交给 {to.nickname}" + (f"：{reason}" if reason else "")
    turn_note(turn, actor=actor, kind="approval.transferred", note=note)
    opened_publish(turn.approval)
    return turn.approval


@dataclass(frozen=True, slots=True)
class BulkOutcome:
    """The result of one approval of a batch."""

    approval_id: int
    success: bool
    code: str
    message: str


@transaction.atomic
def approvals_bulk_approve(
    *, actor: Account, approval_ids: list[int], comment: str = ""
) -> list[BulkOutcome]:
    """Approve each of the approvals and return the outcomes in the order of the request. All
    run in one transaction; one refusal does not affect the others.
    """

    def approve(approval_id: int) -> None:
        approval_approve(actor=actor, approval_id=approval_id, comment=comment)

    lock_several(approval_ids=approval_ids)
    return _decide_each(approval_ids, approve, "已同意")


@transaction.atomic
def approvals_bulk_reject(
    *, actor: Account, approval_ids: list[int], reason: str
) -> list[BulkOutcome]:
    """Reject each of the approvals with the same reason and return the outcomes in the order of
    the request. All run in one transaction; one refusal does not affect the others.
    """

    def reject(approval_id: int) -> None:
        approval_reject(actor=actor, approval_id=approval_id, reason=reason)

    lock_several(approval_ids=approval_ids, with_releases=True)
    return _decide_each(approval_ids, reject, "已驳回")


def _decide_each(
    approval_ids: list[int], decide: Callable[[int], None], success_message: str
) -> list[BulkOutcome]:
    """Call `decide` for each approval and return the outcomes in the given order. A refusal does
    not stop the others.
    """
    outcomes: list[BulkOutcome] = []
    for approval_id in sorted(set(approval_ids)):
        try:
            decide(approval_id)
            outcomes.append(BulkOutcome(approval_id, True, "ok", success_message))
        except DomainError as error:
            outcomes.append(BulkOutcome(approval_id, False, error.code, error.text))
    input_order = list(dict.fromkeys(approval_ids))
    return sorted(outcomes, key=lambda outcome: input_order.index(outcome.approval_id))


MAX_REASON_CHARACTERS = 300


@transaction.atomic
def approval_approve_lines(
    *,
    actor: Account,
    approval_id: int,
    quantities: Mapping[int, int],
    comment: str,
    version: int | None = None,
) -> Approval:
    """Lower quantities ({line id: quantity}, 0 drops the line) and approve the rest in one
    transaction. `comment` is also the reason of the change.

    Raises:
        ValidationFailed: the comment is empty, or see approval_amend.
        QuantityIllegal, ApprovalNotFound, ApprovalClosed, ApprovalStale, NotYourTurn: see
            approval_amend and approval_approve.
    """
    if not comment.strip():
        raise AmendCommentMissing
    turn = turn_lock(actor=actor, approval_id=approval_id, version=version)
    if version is None:
        # Check before amending: the actor's own amendment would hide an earlier one by
        # somebody else.
        refuse_unseen(turn, actor=actor)
    amended = approval_amend(
        actor=actor,
        approval_id=approval_id,
        quantities=quantities,
        reason=comment[:MAX_REASON_CHARACTERS],
    )
    return approval_approve(
        actor=actor, approval_id=approval_id, comment=comment, version=amended.version
    )
