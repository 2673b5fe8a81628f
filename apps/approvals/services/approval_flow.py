"""The life of an approval: start it along a plan, open its next step, end it. A `Turn` is a
locked approval with the task that the actor may decide.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.approvals import texts
from apps.approvals.enums import ApprovalStatus, StepMode, StepStatus, TaskStatus
from apps.approvals.errors import (
    ApprovalClosed,
    ApprovalNotFound,
    ApprovalStale,
    NotYours,
    NotYourTurn,
    SamePerson,
)
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.approvals import list_visible_approvals
from apps.approvals.selectors.approvers import get_barred_stand_ins
from apps.approvals.selectors.delegations import list_covered_delegator_ids
from apps.approvals.selectors.plan import Plan, PlannedStep
from apps.approvals.services.approval_copies import rule_copies_create
from apps.approvals.services.approval_events import (
    decided_publish,
    opened_publish,
    withdrawn_publish,
)
from apps.approvals.subjects import ApprovalSubject, get_subject_handler

if TYPE_CHECKING:
    from datetime import datetime

    from apps.org.models import Account

StepWithTasks = tuple[ApprovalStep, list[ApprovalTask]]


def _map_decided_steps(tasks: list[ApprovalTask], steps: list[ApprovalStep]) -> dict[int, int]:
    """Return {account id: step number} of everybody who has approved, in person or through a
    stand-in.
    """
    numbers = {step.pk: step.no for step in steps}
    approved = [task for task in tasks if task.status == TaskStatus.APPROVED]
    step_by_delegator = {
        task.acting_for_id: numbers[task.step_id] for task in approved if task.acting_for_id
    }
    return step_by_delegator | {task.approver_id: numbers[task.step_id] for task in approved}


def _activate_step(
    step: ApprovalStep, step_tasks: list[ApprovalTask], step_by_decider: dict[int, int]
) -> bool:
    """Activate a step and return True. Return False if earlier approvals already satisfy it:
    one approver of a 或签 step, all approvers of a 会签 step. Approvers who were added to the step
    (并加签) stand for none of the others, and none of the others for them.
    """
    now = timezone.now()
    earlier = [
        step_by_decider[task.approver_id]
        for task in step_tasks
        if task.approver_id in step_by_decider and task.added_by_id is None
    ]
    for task in step_tasks:
        if task.status == TaskStatus.WAITING and task.approver_id in step_by_decider:
            task.status, task.comment = (
                TaskStatus.SKIPPED,
                texts.approved_in_step(step_by_decider[task.approver_id]),
            )
        elif (
            task.status == TaskStatus.WAITING
            and task.added_by_id is None
            and earlier
            and step.mode == StepMode.ANY
        ):
            task.status, task.comment = (
                TaskStatus.SKIPPED,
                texts.approved_by_another(earlier[0]),
            )
        elif task.status == TaskStatus.WAITING:
            task.status, task.arrived_at = TaskStatus.PENDING, now
    is_open = step.is_for_staff or any(task.status == TaskStatus.PENDING for task in step_tasks)
    step.status = StepStatus.ACTIVE if is_open else StepStatus.SKIPPED
    return is_open


def _open_next_step(
    chain: Iterable[StepWithTasks], step_by_decider: dict[int, int]
) -> list[StepWithTasks]:
    """Activate the first waiting step of the chain that earlier approvals do not satisfy, and skip
    the waiting steps before it. Return the skipped steps and the active one, unsaved; without an
    active one if all are satisfied.
    """
    reached = []
    for step, step_tasks in chain:
        if step.status != StepStatus.WAITING:
            continue
        reached.append((step, step_tasks))
        if _activate_step(step, step_tasks, step_by_decider):
            break
    return reached


def _save_steps(reached: list[StepWithTasks]) -> None:
    """Save the status of the steps, and status, comment and arrival of their tasks.

    Usually one step opens and all its tasks change in the same way, so one UPDATE per group of
    equal values is much cheaper than bulk_update.
    """
    step_ids: dict[str, list[int]] = {}
    task_ids: dict[tuple[str, str, datetime | None], list[int]] = {}
    for step, tasks in reached:
        step_ids.setdefault(step.status, []).append(step.pk)
        for task in tasks:
            task_ids.setdefault((task.status, task.comment, task.arrived_at), []).append(task.pk)
    for status, ids in step_ids.items():
        ApprovalStep.objects.filter(pk__in=ids).update(status=status)
    for (status, comment, arrived_at), ids in task_ids.items():
        ApprovalTask.objects.filter(pk__in=ids).update(
            status=status, comment=comment, arrived_at=arrived_at
        )


def advance(
    *,
    approval: Approval,
    steps: list[ApprovalStep],
    tasks: list[ApprovalTask],
    actor: Account | None,
) -> None:
    """Open the next waiting step, or approve the subject if no step is left. Save the steps and
    tasks that this reaches.
    """
    chain = [(step, [task for task in tasks if task.step_id == step.pk]) for step in steps]
    reached = _open_next_step(chain, _map_decided_steps(tasks, steps))
    if reached:
        _save_steps(reached)
    _note_skipped_steps(approval, reached)
    if _has_active_step(reached):
        opened_publish(approval, is_new=False)
    else:
        _approve_subject(approval, actor=actor)


def _note_skipped_steps(approval: Approval, reached: list[StepWithTasks]) -> None:
    """Add a note for each skipped step to the subject's timeline."""
    handler = get_subject_handler(approval.subject_type)
    for step, _ in reached:
        if step.status == StepStatus.SKIPPED:
            handler.add_note(
                approval.subject_id,
                actor=None,
                kind="approval.skipped",
                note=texts.step_skipped(step.no),
            )


def _has_active_step(reached: list[StepWithTasks]) -> bool:
    return any(step.status == StepStatus.ACTIVE for step, _ in reached)


def _approve_subject(approval: Approval, *, actor: Account | None) -> None:
    """End the approval as approved, tell the subject's app and publish the decision."""
    handler = get_subject_handler(approval.subject_type)
    approval.status = ApprovalStatus.APPROVED
    approval.decided_at = timezone.now()
    approval.save(update_fields=["status", "decided_at", "updated_at"])
    handler.on_approved(approval.subject_id, actor=actor)
    decided_publish(approval, actor=actor)


def is_step_done(step: ApprovalStep, tasks: list[ApprovalTask]) -> bool:
    """Return whether the approvals satisfy the step: one of a 或签 step, all of a 会签 step, and
    always all approvers who were added to it (并加签). `tasks` are those of the step.
    """
    pending_tasks = [task for task in tasks if task.status == TaskStatus.PENDING]
    if any(task.added_by_id for task in pending_tasks):
        return False
    if step.mode == StepMode.ALL:
        return not pending_tasks
    # An approver whose account was disabled has no part in it; the successor may be an added one.
    original_tasks = [
        task for task in tasks if task.added_by_id is None and task.status != TaskStatus.TRANSFERRED
    ]
    return not original_tasks or any(task.status == TaskStatus.APPROVED for task in original_tasks)


def tasks_close_answered(step: ApprovalStep, tasks: list[ApprovalTask]) -> None:
    """Close the tasks of a 或签 step that one of its approvers has answered, while added approvers
    still have to decide. No query if there are none.
    """
    original_tasks = [task for task in tasks if task.added_by_id is None]
    if step.mode == StepMode.ALL or all(
        task.status != TaskStatus.APPROVED for task in original_tasks
    ):
        return
    pending_tasks = [task for task in original_tasks if task.status == TaskStatus.PENDING]
    for task in pending_tasks:
        task.status = TaskStatus.CLOSED
    if pending_tasks:
        ApprovalTask.objects.bulk_update(pending_tasks, ["status"])


def _build_step(approval: Approval, planned: PlannedStep) -> ApprovalStep:
    """Return the unsaved step of the plan, with the version of its rule."""
    return ApprovalStep(
        group_id=approval.group_id,
        approval=approval,
        no=planned.no,
        rule_name=planned.rule_name,
        rule=planned.rule if planned.rule.pk else None,
        rule_version=planned.rule.version if planned.rule.pk else None,
        conditions=planned.rule.conditions,
        condition_mode=planned.rule.condition_mode,
        band=planned.band,
        reasons=[reason.to_json() for reason in planned.reasons],
        mode=planned.mode,
        status=StepStatus.WAITING,
        is_for_staff=planned.is_for_staff,
        allows_same_person=planned.rule.allows_same_person,
        note=planned.note,
    )


def _build_tasks(step: ApprovalStep, planned: PlannedStep) -> list[ApprovalTask]:
    """Return the unsaved tasks of the step: one per approver, and one marked as skipped per
    person who may not decide.
    """
    new_tasks = [
        ApprovalTask(group_id=step.group_id, step=step, approver=account)
        for account in planned.approvers
    ]
    skipped = [
        ApprovalTask(
            group_id=step.group_id,
            step=step,
            approver=row.account,
            status=TaskStatus.SKIPPED,
            comment=row.why,
        )
        for row in planned.skipped
    ]
    return new_tasks + skipped


@transaction.atomic
def approval_start(
    *, subject_type: str, subject_id: int, subject_no: str, subject: ApprovalSubject, plan: Plan
) -> Approval | None:
    """Start an approval and return it with its first open step active. Return None if the plan
    needs no approval.
    """
    if not plan.is_needed:
        return None
    approval: Approval = Approval.objects.create(
        group_id=subject.requester.group_id,
        subject_type=subject_type,
        subject_id=subject_id,
        subject_no=subject_no,
        requester=subject.requester,
        askers=dict.fromkeys(map(str, sorted(subject.asker_ids)), True),
        amount=subject.amount,
        whole_amount=subject.whole_amount,
        is_over_budget=subject.is_over_budget,
        reasons=plan.reasons,
    )
    chain = []
    for planned in plan.steps:
        step = _build_step(approval, planned)
        chain.append((step, _build_tasks(step, planned)))
    reached = _open_next_step(chain, {})  # nobody has decided yet
    ApprovalStep.objects.bulk_create([step for step, _ in chain])
    ApprovalTask.objects.bulk_create([task for _, tasks in chain for task in tasks])
    rule_copies_create(approval, rules=plan.copy_rules)
    _note_skipped_steps(approval, reached)
    if _has_active_step(reached):
        opened_publish(approval, is_new=True)
    else:
        _approve_subject(approval, actor=None)
    return approval


def approval_close(*, approval: Approval, status: str) -> None:
    """Set the final status of a locked approval and close all its open steps and tasks."""
    approval.status, approval.decided_at = status, timezone.now()
    approval.save(update_fields=["status", "decided_at", "updated_at"])
    approval.steps.filter(status__in=[StepStatus.WAITING, StepStatus.ACTIVE]).update(
        status=StepStatus.CLOSED
    )
    ApprovalTask.objects.filter(
        step__approval=approval, status__in=[TaskStatus.WAITING, TaskStatus.PENDING]
    ).update(status=TaskStatus.CLOSED, updated_at=approval.decided_at)


@transaction.atomic
def approval_withdraw(*, subject_type: str, subject_id: int) -> None:
    """Withdraw the pending approval of a subject, if there is one. The caller has locked the
    subject's row.
    """
    pending_approvals = Approval.objects.select_for_update().filter(
        subject_type=subject_type, subject_id=subject_id, status=ApprovalStatus.PENDING
    )
    approval = pending_approvals.first()
    if approval is not None:
        approval_close(approval=approval, status=ApprovalStatus.WITHDRAWN)
        withdrawn_publish(approval)


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
    except (ApprovalClosed, ApprovalStale, NotYourTurn, NotYours, SamePerson) as refusal:
        if (
            not actor.is_staff
            and not list_visible_approvals(actor=actor).filter(pk=approval_id).exists()
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
        SamePerson: the actor stands in for an approver, but is or was an approver of the chain.
    """
    with hide_refusal_from_outsiders(actor=actor, approval_id=approval_id):
        return _find_turn(actor, approval_id, version)


def _find_turn(actor: Account, approval_id: int, version: int | None) -> Turn:
    """Lock the approval and return the task that the actor may decide now: the own task, that of
    a person the actor stands in for, or none for staff on their step.

    Raises:
        ApprovalStale: `version` is not the present version.
        SamePerson: the actor approves this document as oneself, so the actor cannot also stand in.
        NotYourTurn: the active step does not wait for the actor.
    """
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
    pending_tasks = [
        row for row in tasks if row.step_id == step.pk and row.status == TaskStatus.PENDING
    ]
    own_task = next((row for row in pending_tasks if row.approver_id == actor.pk), None)
    if own_task is None:
        # A stand-in cannot decide the own request, or the goods that the stand-in asked for.
        may_stand_in = bool(pending_tasks) and actor.pk not in approval.own_ids
        covered_ids = list_covered_delegator_ids(
            actor=actor, approval=approval, step=step, is_open=may_stand_in
        )
        covered_task = next((row for row in pending_tasks if row.approver_id in covered_ids), None)
        if covered_task is not None and actor.pk in get_barred_stand_ins(step, steps, tasks):
            raise SamePerson
        if covered_task is not None:
            return Turn(approval, steps, tasks, step, covered_task, covered_task.approver)
        if not (step.is_for_staff and actor.is_staff):
            raise NotYourTurn
    return Turn(approval, steps, tasks, step, own_task)


def turn_note(turn: Turn, *, actor: Account, kind: str, note: str) -> None:
    """Add a note to the subject's timeline."""
    handler = get_subject_handler(turn.approval.subject_type)
    handler.add_note(
        turn.approval.subject_id, actor=actor, kind=kind, note=note, acting_for=turn.acting_for
    )
