"""停用账号: disable an account, end its sessions and hand its open approvals to a colleague. The
cart is kept for the day the account is enabled again.

Tasks of people who leave or lose their approval rights are reassigned, so that every open approval
has an approver.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepMode, StepStatus, TaskStatus
from apps.approvals.errors import (
    ApprovalClosed,
    SuccessorMissing,
    SuccessorUnavailable,
    SuccessorWithoutRight,
)
from apps.approvals.locks import lock_pending
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.approvers import filter_able_approvers
from apps.approvals.selectors.leaving import OPEN, list_open_approval_ids
from apps.approvals.services.approval_events import opened_publish
from apps.approvals.services.approval_flow import advance
from apps.approvals.services.approval_reminders import get_escalation_root
from apps.approvals.services.delegation_manage import delegations_end
from apps.approvals.subjects import get_subject_handler
from apps.common.background.periodic import run_for_each
from apps.common.tenancy import tenant_scope
from apps.identity.services.invitation import ways_in_end
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.accounts import list_group_admins
from apps.org.services.account import account_change_record, account_switch_off


def approval_reassign(*, approval_id: int, leaver: Account, successor: Account) -> str:
    """Give the leaver's open tasks of one approval to the successor. Return the names of the
    new approvers, or "" if there were no tasks. Call it in a transaction.

    Nobody approves their own request, or goods that they asked for in a requisition. If it is the
    successor's own, the group's admins take over, and without other admins, staff.
    """
    try:
        approval = lock_pending(approval_id=approval_id)
    except ApprovalClosed:
        return ""
    steps = list(approval.steps.order_by("no"))
    tasks = list(
        ApprovalTask.objects.filter(step__approval=approval)
        .select_related("approver")
        .order_by("id")
    )
    heirs = [successor] if successor.pk not in approval.own_ids else _list_admins(approval, leaver)
    changed_steps = [step for step in steps if _reassign_step(step, tasks, leaver, heirs)]
    for step in changed_steps:
        _note(approval, step, leaver, heirs)
    if active := next((step for step in changed_steps if step.status == StepStatus.ACTIVE), None):
        _continue_step(approval, active, steps, tasks)
    return _format_names(heirs) if changed_steps else ""


def _list_admins(approval: Approval, leaver: Account) -> list[Account]:
    return list(
        list_group_admins(group=leaver.group_id or 0).exclude(pk__in=[*approval.own_ids, leaver.pk])
    )


def _reassign_step(
    step: ApprovalStep, tasks: list[ApprovalTask], leaver: Account, heirs: list[Account]
) -> bool:
    """Close the leaver's tasks of a step and create tasks for heirs who are not in the step
    yet. Also updates the list `tasks`. Return False if the leaver has no open task in the
    step.
    """
    step_tasks = [task for task in tasks if task.step_id == step.pk]
    open_tasks = [
        task for task in step_tasks if task.approver_id == leaver.pk and task.status in OPEN
    ]
    if not open_tasks:
        return False
    present = {
        task.approver_id for task in step_tasks if task.status in (*OPEN, TaskStatus.APPROVED)
    }
    escalated = get_escalation_root(open_tasks[0], step_tasks)
    new_tasks = [
        ApprovalTask(
            group_id=step.group_id,
            step=step,
            approver=heir,
            status=open_tasks[0].status,
            escalated_from_id=escalated,
            added_by_id=open_tasks[0].added_by_id,
        )
        for heir in heirs
        if heir.pk not in present
    ]
    for task in open_tasks:
        task.status, task.decided_at = TaskStatus.TRANSFERRED, timezone.now()
        task.comment = f"账号停用，转由{_format_names(heirs)}处理"
    ApprovalTask.objects.bulk_update(open_tasks, ["status", "comment", "decided_at"])
    tasks += ApprovalTask.objects.bulk_create(new_tasks)
    if not heirs and not any(task.status in OPEN for task in step_tasks):
        step.is_for_staff, step.note = True, TO_STAFF
    if len(heirs) > 1 and step.mode == StepMode.ALL and len(step_tasks) == len(open_tasks):
        # The step asked only the leaver. One of the admins is enough.
        step.mode = StepMode.ANY
    step.save(update_fields=["is_for_staff", "note", "mode"])
    return True


def _continue_step(
    approval: Approval, step: ApprovalStep, steps: list[ApprovalStep], tasks: list[ApprovalTask]
) -> None:
    """Advance if the active step waits for nobody any more: everybody left in it has already
    approved.
    """
    step_tasks = [task for task in tasks if task.step_id == step.pk]
    if step.is_for_staff or any(task.status == TaskStatus.PENDING for task in step_tasks):
        opened_publish(approval)
        return
    step.status = StepStatus.APPROVED
    step.save(update_fields=["status"])
    advance(approval=approval, steps=steps, tasks=tasks, actor=None)


def _format_names(heirs: list[Account]) -> str:
    return "、".join(heir.nickname for heir in heirs) or "平台客服"


def _note(approval: Approval, step: ApprovalStep, leaver: Account, heirs: list[Account]) -> None:
    note = f"第 {step.no} 步审批人 {leaver.nickname} 的账号停用，转由{_format_names(heirs)}审批"
    get_subject_handler(approval.subject_type).add_note(
        approval.subject_id, actor=None, kind="approval.transferred", note=note
    )


TO_ADMINS = "审批人已停用或不再有审批权限，转由集团管理员审批"
TO_STAFF = "审批人已停用或不再有审批权限，转由平台客服审批"


def orphaned_steps_reassign() -> int:
    """Reassign steps whose approvers are all disabled or without approval rights to the group's
    admins, or to staff. Each step has its own transaction; return how many.

    The caller must open the platform scope.
    """
    pending_tasks = ApprovalTask.objects.filter(status=TaskStatus.PENDING)
    orphaned_steps = pending_tasks.filter(
        step__status=StepStatus.ACTIVE, step__approval__status=ApprovalStatus.PENDING
    )
    ids = set(orphaned_steps.values_list("approver_id", flat=True).distinct())
    others = pending_tasks.filter(step=OuterRef("pk")).exclude(
        approver__in=ids - filter_able_approvers(ids)
    )
    orphaned = ApprovalStep.objects.filter(
        ~Exists(others),
        status=StepStatus.ACTIVE,
        is_for_staff=False,
        approval__status=ApprovalStatus.PENDING,
    )
    return run_for_each(
        orphaned.order_by("pk").values_list("pk", "approval_id", "group_id"),
        _reassign_orphaned_step,
    )


def _reassign_orphaned_step(step_id: int, approval_id: int, group_id: int) -> bool:
    """Give the step to the group administrators. Return False if it is no longer open, or
    somebody can decide it again.
    """
    with tenant_scope(group_id=group_id), transaction.atomic():
        try:
            approval = lock_pending(approval_id=approval_id)
        except ApprovalClosed:
            return False
        step = ApprovalStep.objects.get(pk=step_id)
        pending_tasks = ApprovalTask.objects.filter(step=step, status=TaskStatus.PENDING)
        # The step may have been decided, transferred or become decidable before it was
        # locked.
        if step.status != StepStatus.ACTIVE or filter_able_approvers(
            pending_tasks.values_list("approver_id", flat=True)
        ):
            return False
        pending_tasks.update(status=TaskStatus.CLOSED, updated_at=timezone.now())
        _assign_to_admins(
            approval,
            step,
            list(list_group_admins(group=group_id).exclude(pk__in=approval.own_ids)),
        )
    return True


def _assign_to_admins(approval: Approval, step: ApprovalStep, admins: list[Account]) -> None:
    """Give the step to the group administrators, or to platform staff if there are none. Any one
    of them can decide.
    """
    step.mode, step.is_for_staff, step.note = (
        StepMode.ANY,
        not admins,
        TO_ADMINS if admins else TO_STAFF,
    )
    step.save(update_fields=["mode", "is_for_staff", "note"])
    ApprovalTask.objects.bulk_create(
        ApprovalTask(group_id=step.group_id, step=step, approver=admin, status=TaskStatus.PENDING)
        for admin in admins
    )
    note = f"第 {step.no} 步{step.note}"
    get_subject_handler(approval.subject_type).add_note(
        approval.subject_id, actor=None, kind="approval.transferred", note=note
    )
    opened_publish(approval)


DISABLED_WHY = "账号已停用"


@dataclass(frozen=True, slots=True)
class DisableResult:
    """The disabled account, the number of ended sessions, and {name: number of approvals handed
    over}.
    """

    account: Account
    sessions: int
    handed: dict[str, int]

    @property
    def approvals(self) -> int:
        """Return how many approvals were handed over."""
        return sum(self.handed.values())

    @property
    def handed_over_text(self) -> str:
        """Return who received the approvals, e.g. 接班 3 个、集管 1 个."""
        return "、".join(f"{name} {number} 个" for name, number in self.handed.items())


@transaction.atomic
def account_disable(*, actor: Account, pk: int, successor_id: int | None) -> DisableResult:
    """Disable the account. `successor_id` may be None if no approval waits for the account.

    Raises:
        AccountNotFound, BeyondRights, LastAdmin, WrongState: see account_switch_off.
        ValidationFailed: approvals are open and no successor is given; or the successor is
            disabled, is the account itself, or has no approval rights.
    """
    # The successor must not be disabled or lose the rights meanwhile.
    lock_group(actor.group_id)
    successor = _get_successor(pk, successor_id)
    before, account = account_switch_off(actor=actor, pk=pk)
    handed = _hand_over_approvals(account, successor)
    delegations_end(actor=actor, leaver=account)
    result = DisableResult(account, ways_in_end(account=account, why=DISABLED_WHY), handed)
    # Record it after the handover. The successor did not take over the approvals of the own orders
    # and goods: the group admins or the staff did.
    account_change_record(
        actor,
        account,
        ChangeAction.DISABLE,
        before,
        note=f"待审批移交：{result.handed_over_text}" if handed else "",
    )
    return result


def _hand_over_approvals(account: Account, successor: Account | None) -> dict[str, int]:
    """Reassign all open approvals of the account. Return {name of the new approver: number of
    approvals}.

    Raises:
        SuccessorMissing: there are open approvals and no successor.
    """
    approval_ids = list_open_approval_ids(account=account)
    if approval_ids and successor is None:
        raise SuccessorMissing(len(approval_ids))
    heirs = [
        approval_reassign(approval_id=approval_id, leaver=account, successor=successor)
        for approval_id in approval_ids
        if successor
    ]
    return dict(Counter(name for name in heirs if name).most_common())


def _get_successor(pk: int, successor_id: int | None) -> Account | None:
    """Return the chosen successor, None if none is chosen.

    Raises:
        SuccessorUnavailable: the account is missing or disabled.
        SuccessorWithoutRight: the account may not approve orders.
    """
    if successor_id is None:
        return None
    successor: Account | None = (
        Account.objects.filter(pk=successor_id, is_active=True).exclude(pk=pk).first()
    )
    if successor is None:
        raise SuccessorUnavailable
    if not successor.has_menu_code(MenuCode.ORDER_APPROVAL):
        raise SuccessorWithoutRight(successor.nickname)
    return successor
