"""How long one approval has waited, in working hours, and whether its requester may urge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepStatus, TaskStatus
from apps.approvals.models import Approval
from apps.approvals.selectors.deadlines import overdue_after
from apps.content.selectors.working_time import WorkingCalendar, hours_text

if TYPE_CHECKING:
    from apps.org.models import Account

# 催办: once in so many working hours.
REST_HOURS = 4


@dataclass(frozen=True, slots=True)
class Wait:
    """`hours` are working hours; overdue by the group's settings."""

    hours: float
    is_overdue: bool

    @property
    def text(self) -> str:
        """The wait as the screen says it."""
        return hours_text(self.hours)


def wait_of(*, actor: Account, approval: Approval, calendar: WorkingCalendar) -> Wait | None:
    """Return how long a pending approval that carries its chain has waited for the actor, else for anybody; None where nobody is asked."""
    if approval.status != ApprovalStatus.PENDING:
        return None
    active = [step for step in approval.steps.all() if step.status == StepStatus.ACTIVE]
    waiting = [task for step in active for task in step.tasks.all() if task.status == TaskStatus.PENDING]
    since = min((task.arrived_at for task in [task for task in waiting if task.approver_id == actor.pk] or waiting), default=None)
    if since is None:
        return None
    hours, limit = calendar.hours_between(since, timezone.now()), overdue_after(actor.group)
    return Wait(round(hours, 2), bool(limit) and hours >= limit)


def may_urge(*, actor: Account, approval: Approval, calendar: WorkingCalendar) -> bool:
    """Whether the actor may urge now: it is his own, pending, and he did not in the last four working hours."""
    if approval.requester_id != actor.pk or approval.status != ApprovalStatus.PENDING:
        return False
    return approval.urged_at is None or timezone.now() >= calendar.after(approval.urged_at, REST_HOURS)
