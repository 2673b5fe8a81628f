"""The work to hand over before an account is disabled: open approvals, rules that name it,
departments it heads.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.approvals.enums import ApprovalStatus, TaskStatus
from apps.approvals.models import ApprovalRule, ApprovalTask
from apps.org.models import Account, Department

OPEN = (TaskStatus.PENDING, TaskStatus.WAITING)
MAX_NAMES = 20


@dataclass(frozen=True, slots=True)
class LeavingSummary:
    """`approvals` is the number of open approvals with a task of the account, also in later
    steps; rules and departments are names.
    """

    approvals: int
    rules: list[str]
    departments: list[str]


def list_open_approval_ids(*, account: Account) -> list[int]:
    """Return the ids of running approvals that ask the account, also in later steps. They are
    sorted, because they are locked in this order.
    """
    tasks = ApprovalTask.objects.filter(
        approver=account, status__in=OPEN, step__approval__status=ApprovalStatus.PENDING
    )
    return sorted(set(tasks.values_list("step__approval_id", flat=True)))


def get_leaving_summary(*, account: Account) -> LeavingSummary:
    """Return what has to be handed over."""
    rules = (
        ApprovalRule.objects.filter(is_active=True, steps__accounts=account)
        .order_by("pk")
        .distinct()
    )
    departments = Department.objects.filter(is_active=True, head=account).order_by("pk")
    return LeavingSummary(
        approvals=len(list_open_approval_ids(account=account)),
        rules=list(rules.values_list("name", flat=True)[:MAX_NAMES]),
        departments=list(departments.values_list("name", flat=True)[:MAX_NAMES]),
    )
