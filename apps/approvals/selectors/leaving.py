"""What stays behind when a person leaves: approvals that wait for him, rules that name him, departments he heads."""

from __future__ import annotations

from dataclasses import dataclass

from apps.approvals.enums import ApprovalStatus, TaskStatus
from apps.approvals.models import ApprovalRule, ApprovalTask
from apps.org.models import Account, Department

OPEN = (TaskStatus.PENDING, TaskStatus.WAITING)
MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Leaving:
    """`approvals`: how many are open with a task of his, now or in a later step; rules and departments by their names."""

    approvals: int
    rules: list[str]
    departments: list[str]


def open_approval_ids(*, account: Account) -> list[int]:
    """Return the approvals under way that ask the account, now or in a later step, the oldest first: the order in which they are locked."""
    tasks = ApprovalTask.objects.filter(approver=account, status__in=OPEN, step__approval__status=ApprovalStatus.PENDING)
    return sorted(set(tasks.values_list("step__approval_id", flat=True)))


def leaving(*, account: Account) -> Leaving:
    """Return what is to be handed over or named anew; three queries."""
    rules = ApprovalRule.objects.filter(is_active=True, steps__accounts=account).order_by("pk").distinct()
    departments = Department.objects.filter(is_active=True, head=account).order_by("pk")
    return Leaving(
        approvals=len(open_approval_ids(account=account)),
        rules=list(rules.values_list("name", flat=True)[:MOST_NAMED]),
        departments=list(departments.values_list("name", flat=True)[:MOST_NAMED]),
    )
