"""调整数量: an approver lowers quantities before deciding. The rules are then evaluated again for
the remaining quantities.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.approvals.enums import StepStatus, TaskStatus
from apps.approvals.errors import AmendReasonMissing
from apps.approvals.models import Approval, ApprovalAmendment, ApprovalStep, ApprovalTask
from apps.approvals.selectors.amendment_effect import AmendmentEffect, get_amendment_effect
from apps.approvals.services.approval_events import participants_notify
from apps.approvals.services.approval_flow import Turn, turn_lock
from apps.approvals.subjects import get_subject_handler

if TYPE_CHECKING:
    from apps.org.models import Account

NOT_NEEDED = "数量调整后不再需要该环节"


@transaction.atomic
def approval_amend(
    *,
    actor: Account,
    approval_id: int,
    quantities: Mapping[int, int],
    reason: str,
    version: int | None = None,
) -> Approval:
    """Lower quantities of the subject ({line id: quantity}, 0 drops the line) and return the
    approval. The actor still has to decide.

    `version` is the version the actor saw. Waiting steps that nothing requires any more are
    skipped; decided steps stay decided.

    Raises:
        ValidationFailed: there is no reason; a quantity rises, nothing changes, nothing is left,
            or the total rises.
        QuantityIllegal: a quantity breaks the minimum or the step of the product.
        ApprovalNotFound, ApprovalClosed, ApprovalStale, NotYourTurn: see approval_approve.
    """
    if not reason.strip():
        raise AmendReasonMissing
    turn = turn_lock(actor=actor, approval_id=approval_id, version=version)
    approval, handler = turn.approval, get_subject_handler(turn.approval.subject_type)
    amendment = handler.amend(
        approval.subject_id,
        quantities=quantities,
        actor=actor,
        reason=reason,
        acting_for=turn.acting_for,
    )
    effect = get_amendment_effect(
        approval=approval, steps=turn.steps, tasks=turn.tasks, amendment=amendment
    )
    _save_amendment(turn, effect, actor=actor, reason=reason)
    _save_steps(turn, effect)
    _skip_tasks(turn, effect.dropped)
    participants_notify(
        topic="approval.amended",
        approval=approval,
        actor=actor,
        to=_list_participants(turn),
        text=reason,
    )
    return approval


def _save_amendment(turn: Turn, effect: AmendmentEffect, *, actor: Account, reason: str) -> None:
    """Store the amendment with its figures before and after, and give the approval its new
    amounts and reasons.
    """
    approval, amendment = turn.approval, effect.amendment
    ApprovalAmendment.objects.create(
        group_id=approval.group_id,
        approval=approval,
        version=approval.version + 1,
        actor=actor,
        acting_for=turn.acting_for,
        reason=reason,
        lines=[
            {
                "LineId": str(row.line_id),
                "Code": row.code,
                "Name": row.name,
                "Unit": row.unit,
                "Before": row.before,
                "After": row.after,
            }
            for row in amendment.lines
        ],
        figures=[
            {"Name": row.name, "Before": str(row.before), "After": str(row.after)}
            for row in amendment.figures
        ],
        reasons_before=approval.reasons,
        reasons_after=effect.reasons,
        amount_before=approval.amount,
        amount_after=amendment.after.amount,
        at=timezone.now(),
    )
    approval.version += 1
    approval.amount, approval.whole_amount = amendment.after.amount, amendment.after.whole_amount
    approval.reasons, approval.is_over_budget = effect.reasons, effect.is_over_budget
    approval.save(
        update_fields=[
            "version",
            "amount",
            "whole_amount",
            "reasons",
            "is_over_budget",
            "updated_at",
        ]
    )


def _save_steps(turn: Turn, effect: AmendmentEffect) -> None:
    """Skip the dropped steps, and save the reasons that the steps have now. One query, and one for
    the note of each dropped step.
    """
    handler = get_subject_handler(turn.approval.subject_type)
    for step in effect.dropped:
        step.status, step.note = StepStatus.SKIPPED, NOT_NEEDED
        note = f"第 {step.no} 步（{step.rule_name}）{NOT_NEEDED}，已取消"
        handler.add_note(turn.approval.subject_id, actor=None, kind="approval.skipped", note=note)
    changed_steps = [step for step in turn.steps if step.pk in effect.step_reasons]
    for step in changed_steps:
        step.reasons = effect.step_reasons[step.pk]
    # The reasons of a dropped step always change: they are not met any more.
    ApprovalStep.objects.bulk_update(changed_steps, ["status", "note", "reasons"])


def _skip_tasks(turn: Turn, dropped_steps: list[ApprovalStep]) -> None:
    """Skip the tasks of the dropped steps. Approvers who were left out of later steps because a
    dropped step included them are asked again.
    """
    if not dropped_steps:
        return
    dropped_ids = {step.pk for step in dropped_steps}
    waiting_ids = {step.pk for step in turn.steps if step.status == StepStatus.WAITING}
    changed_tasks: list[ApprovalTask] = []
    for task in turn.tasks:
        if task.step_id in dropped_ids and task.status == TaskStatus.WAITING:
            task.status, task.comment = TaskStatus.SKIPPED, NOT_NEEDED
            changed_tasks.append(task)
        elif task.step_id in waiting_ids and task.status == TaskStatus.SKIPPED:
            # If they have decided when the step opens, `advance` skips them.
            task.status, task.comment = TaskStatus.WAITING, ""
            changed_tasks.append(task)
    ApprovalTask.objects.bulk_update(changed_tasks, ["status", "comment"])


def _list_participants(turn: Turn) -> set[int]:
    """Return the ids of the requester and of all approvers in the chain whose task is not
    skipped or closed.
    """
    approver_ids = {
        task.approver_id
        for task in turn.tasks
        if task.status not in (TaskStatus.SKIPPED, TaskStatus.CLOSED)
    }
    return approver_ids | {turn.approval.requester_id}
