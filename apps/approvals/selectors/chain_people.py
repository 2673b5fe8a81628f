"""The people of a chain: who decides in which step, and whom a step cannot be given to.

One person never decides two steps of a chain by transfer, delegation, escalation or 加签, and never
signs twice in one step, unless the rule of the step allows it. A person whom the rules name twice
decides once and is skipped later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from apps.approvals.enums import StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalStep, ApprovalTask
from apps.approvals.selectors.approvers import filter_able_approvers
from apps.org.models import Account

MAX_CANDIDATES = 20
# The person decides, or has decided, in the step.
PRESENT = (TaskStatus.WAITING, TaskStatus.PENDING, TaskStatus.APPROVED)


def people_of_other_steps(
    step: ApprovalStep, steps: Iterable[ApprovalStep], tasks: Iterable[ApprovalTask]
) -> dict[int, str]:
    """Return {account id: why the account cannot decide in `step`} of everybody who decides or has
    decided in another step. Empty if the step's rule allows the same person.
    """
    if step.allows_same_person:
        return {}
    numbers = {row.pk: row.no for row in steps if row.status != StepStatus.SKIPPED}
    found: dict[int, str] = {}
    for task in tasks:
        if task.step_id == step.pk or task.status not in PRESENT or task.step_id not in numbers:
            continue
        number = numbers[task.step_id]
        has_decided = task.status == TaskStatus.APPROVED
        text = f"已在第 {number} 步审批" if has_decided else f"是第 {number} 步的审批人"
        for account_id in (task.approver_id, task.acting_for_id):
            if account_id is not None:
                found.setdefault(account_id, text)
    return found


def stand_ins_barred(
    step: ApprovalStep, steps: Iterable[ApprovalStep], tasks: Iterable[ApprovalTask]
) -> dict[int, str]:
    """Return {account id: why} of everybody who cannot stand in for an approver of `step`: the
    people of other steps, and those who sign in this step themselves or have signed for somebody.
    Empty if the step's rule allows the same person.
    """
    if step.allows_same_person:
        return {}
    rows = list(tasks)
    found = people_of_other_steps(step, steps, rows)
    for task in rows:
        if task.step_id == step.pk and task.status in PRESENT:
            has_decided = task.status == TaskStatus.APPROVED
            text = "已在这一步审批" if has_decided else "是这一步的审批人"
            for account_id in (task.approver_id, task.acting_for_id):
                if account_id is not None:
                    found.setdefault(account_id, text)
    return found


def stand_ins_barred_now(approval: Approval) -> dict[int, str]:
    """Return {account id: why} of the people who cannot stand in for anybody in the active step.
    Empty without an active step. The chain must be prefetched.
    """
    steps = list(approval.steps.all())
    active = next((step for step in steps if step.status == StepStatus.ACTIVE), None)
    if active is None:
        return {}
    return stand_ins_barred(active, steps, [task for row in steps for task in row.tasks.all()])


def people_barred(
    *,
    approval: Approval,
    step: ApprovalStep,
    steps: Iterable[ApprovalStep],
    tasks: Iterable[ApprovalTask],
) -> dict[int, str]:
    """Return {account id: why} of everybody whom `step` cannot be given to, by transfer or 加签."""
    rows = list(tasks)
    own = {row.approver_id for row in rows if row.step_id == step.pk}
    return {
        **people_of_other_steps(step, steps, rows),
        **dict.fromkeys(own, "已是这一步的审批人"),
        approval.requester_id: "是申请人，不能审批自己的单据",
    }


@dataclass(frozen=True, slots=True)
class Candidate:
    """A colleague of the transfer list. `why_not` is "" if the step can be given to him."""

    account: Account
    why_not: str


def list_candidates(*, actor: Account, approval: Approval, keyword: str) -> list[Candidate]:
    """Return at most twenty colleagues of the group that match the keyword, for a transfer or 加签
    of the active step. Those who cannot decide follow the others, with the reason. The chain must
    be prefetched.
    """
    steps = list(approval.steps.all())
    step = next((row for row in steps if row.status == StepStatus.ACTIVE), None)
    if step is None:
        return []
    tasks = [task for row in steps for task in row.tasks.all()]
    barred = people_barred(approval=approval, step=step, steps=steps, tasks=tasks)
    fitting = (
        Q(nickname__icontains=keyword)
        | Q(full_name__icontains=keyword)
        | Q(username__icontains=keyword)
    )
    rows = Account.objects.filter(fitting, is_active=True, is_staff=False).exclude(pk=actor.pk)
    found = list(rows.select_related("department").order_by("nickname", "pk")[: MAX_CANDIDATES * 5])
    able = filter_able_approvers(account.pk for account in found)
    candidates = [
        Candidate(account, barred.get(account.pk) or ("" if account.pk in able else NO_RIGHT))
        for account in found
    ]
    return sorted(candidates, key=_rank)[:MAX_CANDIDATES]


NO_RIGHT = "没有订单审批权限"


def _rank(candidate: Candidate) -> int:
    """Sort who can decide first, then people of the chain, then people without the right."""
    if not candidate.why_not:
        return 0
    return 2 if candidate.why_not == NO_RIGHT else 1
