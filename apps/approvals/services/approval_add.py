"""加签: an approver adds approvers before, in or after the present step, and removes them again."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.approvals.enums import AddPlacement, StepMode, StepStatus, TaskStatus
from apps.approvals.errors import (
    AddedBarred,
    AddedMissing,
    AddedNotFound,
    AddedWithoutRight,
    ApprovalNotFound,
    PlatformStepFixed,
    StepsFull,
    TooManyAdded,
)
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.approvals import list_visible_approvals
from apps.approvals.selectors.approvers import filter_able_approvers, get_barred_people
from apps.approvals.services.approval_events import opened_publish
from apps.approvals.services.approval_flow import Turn, advance, is_step_done, turn_lock, turn_note
from apps.approvals.subjects import get_subject_handler
from apps.org.locks import lock_group
from apps.org.models import Account

MAX_ADDED = 5
MAX_STEPS = 40
REMOVED = "加签已撤回"


@transaction.atomic
def approval_add(
    *,
    actor: Account,
    approval_id: int,
    placement: str,
    account_ids: Iterable[int],
    mode: str = StepMode.ALL,
    reason: str = "",
    version: int | None = None,
) -> Approval:
    """Add approvers and return the approval. `version` is the version the actor saw; None: no
    check.

    BEFORE inserts a step that opens at once; the actor's step opens again after it. AFTER inserts
    a step behind the actor's. TOGETHER adds the people to the actor's step: all of them have to
    approve too. `mode` is the mode of an inserted step.

    Raises:
        ValidationFailed: nobody or more than five people are named, one of them cannot decide or
            is in the chain already, or staff have to decide the step.
        ApprovalNotFound, ApprovalClosed, ApprovalStale, NotYourTurn, SamePerson: see turn_lock.
    """
    # The people must not be disabled meanwhile. Lock order: group, order.
    lock_group(actor.group_id)
    turn = turn_lock(actor=actor, approval_id=approval_id, version=version)
    people = _get_added_people(turn, actor=actor, account_ids=account_ids)
    if placement == AddPlacement.TOGETHER:
        ApprovalTask.objects.bulk_create(
            _create_task(turn.step, account, TaskStatus.PENDING, added_by=actor)
            for account in people
        )
    else:
        _insert_step(turn, actor=actor, people=people, mode=mode, placement=placement)
    names = "、".join(account.nickname for account in people)
    note = f"第 {turn.step.no} 步{AddPlacement(placement).label}：{names}"
    turn_note(
        turn,
        actor=actor,
        kind="approval.added",
        note=note + (f"，原因：{reason.strip()}" if reason.strip() else ""),
    )
    opened_publish(turn.approval)
    return turn.approval


def _get_added_people(turn: Turn, *, actor: Account, account_ids: Iterable[int]) -> list[Account]:
    """Return the accounts to add, in the given order."""
    keys = list(dict.fromkeys(account_ids))
    if turn.task is None:
        raise PlatformStepFixed
    if not keys:
        raise AddedMissing
    if len(keys) > MAX_ADDED:
        raise TooManyAdded(MAX_ADDED)
    if len(turn.steps) >= MAX_STEPS:
        raise StepsFull(MAX_STEPS)
    reason_by_barred_id = get_barred_people(
        approval=turn.approval, step=turn.step, steps=turn.steps, tasks=turn.tasks
    )
    reason_by_barred_id.setdefault(actor.pk, "是您本人")
    account_by_id = Account.objects.in_bulk(keys)
    able_ids = filter_able_approvers(keys)
    for key in keys:
        name = account_by_id[key].nickname if key in account_by_id else "该同事"
        if key in reason_by_barred_id:
            raise AddedBarred(name=name, reason=reason_by_barred_id[key])
        if key not in able_ids:
            raise AddedWithoutRight(name)
    return [account_by_id[key] for key in keys]


def _create_task(
    step: ApprovalStep, account: Account, status: str, *, added_by: Account | None = None
) -> ApprovalTask:
    return ApprovalTask(
        group_id=step.group_id, step=step, approver=account, status=status, added_by=added_by
    )


def _insert_step(
    turn: Turn, *, actor: Account, people: list[Account], mode: str, placement: str
) -> None:
    """Insert a step for `people` before or after the active step, and number the later steps
    again. Before it, the active step waits.
    """
    is_before = placement == AddPlacement.BEFORE
    number = turn.step.no if is_before else turn.step.no + 1
    # Numbers are unique at every moment, so the last step moves first.
    for step in sorted(turn.steps, key=lambda row: -row.no):
        if step.no >= number:
            step.no += 1
            step.save(update_fields=["no"])
    new_step: ApprovalStep = ApprovalStep.objects.create(
        group_id=turn.step.group_id,
        approval=turn.approval,
        no=number,
        rule_name=f"{actor.nickname}{AddPlacement(placement).label}",
        mode=mode,
        status=StepStatus.ACTIVE if is_before else StepStatus.WAITING,
        allows_same_person=turn.step.allows_same_person,
        added_by=actor,
    )
    status = TaskStatus.PENDING if is_before else TaskStatus.WAITING
    ApprovalTask.objects.bulk_create(_create_task(new_step, account, status) for account in people)
    if is_before:
        turn.step.status = StepStatus.WAITING
        turn.step.save(update_fields=["status"])
        ApprovalTask.objects.filter(step=turn.step, status=TaskStatus.PENDING).update(
            status=TaskStatus.WAITING,
            reminded_at=None,
            # Amendments from now on are new to the approvers when the step opens again.
            first_arrived_at=Coalesce("first_arrived_at", "arrived_at"),
        )


@transaction.atomic
def approval_remove_added(*, actor: Account, approval_id: int, account_id: int) -> Approval:
    """Remove an approver whom the actor added and who has not decided, and return the approval. A
    step without an approver is skipped, and the chain goes on.

    Raises:
        AddedNotFound: the actor added no such approver, or the approver has decided.
        ApprovalNotFound, ApprovalClosed: there is no open approval.
    """
    if not list_visible_approvals(actor=actor).filter(pk=approval_id).exists():
        raise ApprovalNotFound
    approval = lock_pending(approval_id=approval_id)
    steps = list(approval.steps.order_by("no"))
    tasks = list(
        ApprovalTask.objects.filter(step__approval=approval)
        .select_related("approver", "step")
        .order_by("id")
    )
    task = next((row for row in tasks if _is_removable(row, actor, account_id)), None)
    if task is None:
        raise AddedNotFound
    task.status, task.comment, task.decided_at = TaskStatus.CLOSED, REMOVED, timezone.now()
    task.save(update_fields=["status", "comment", "decided_at", "updated_at"])
    step = next(row for row in steps if row.pk == task.step_id)
    get_subject_handler(approval.subject_type).add_note(
        approval.subject_id,
        actor=actor,
        kind="approval.added",
        note=f"撤回第 {step.no} 步的加签：{task.approver.nickname}",
    )
    _skip_removed(approval, step, steps, tasks)
    return approval


def _is_removable(task: ApprovalTask, actor: Account, account_id: int) -> bool:
    """Return whether the task of `account_id` was added by the actor and is not decided."""
    return (
        task.approver_id == account_id
        and actor.pk in (task.added_by_id, task.step.added_by_id)
        and task.status in (TaskStatus.WAITING, TaskStatus.PENDING)
    )


def _skip_removed(
    approval: Approval, step: ApprovalStep, steps: list[ApprovalStep], tasks: list[ApprovalTask]
) -> None:
    """Skip or finish the step if it waits for nobody any more, and open the next one."""
    step_tasks = [row for row in tasks if row.step_id == step.pk]
    is_open = any(row.status in (TaskStatus.WAITING, TaskStatus.PENDING) for row in step_tasks)
    has_approval = any(row.status == TaskStatus.APPROVED for row in step_tasks)
    was_active = step.status == StepStatus.ACTIVE
    if not is_open and not has_approval:
        step.status, step.note = StepStatus.SKIPPED, REMOVED
        step.save(update_fields=["status", "note"])
    elif was_active and is_step_done(step, step_tasks):
        step.status = StepStatus.APPROVED
        step.save(update_fields=["status"])
    if was_active and step.status != StepStatus.ACTIVE:
        advance(approval=approval, steps=steps, tasks=tasks, actor=None)
    else:
        opened_publish(approval)
