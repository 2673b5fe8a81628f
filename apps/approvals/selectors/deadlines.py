"""When an approval has waited too long for somebody, in working hours by the group's settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from apps.approvals.enums import TaskStatus
from apps.approvals.models import Approval, ApprovalTask
from apps.content.selectors.working_time import DAY_HOURS, WorkingCalendar, working_calendar
from apps.org.models import Account, Group


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Moments of the past: who was asked (`remind`, `escalate`) or reminded (`again`) then or earlier is due; None is off."""

    remind: datetime | None
    again: datetime | None
    escalate: datetime | None

    def is_reminder_due(self, task: ApprovalTask) -> bool:
        """Whether its approver is to be reminded, the first time or a working day after the last."""
        if self.remind is None or self.again is None:
            return False
        return task.arrived_at <= self.remind if task.reminded_at is None else task.reminded_at <= self.again

    def is_escalation_due(self, task: ApprovalTask) -> bool:
        """Whether somebody above is to be asked beside its approver, once."""
        return self.escalate is not None and task.escalated_at is None and task.arrived_at <= self.escalate

    def due(self) -> Q:
        """Return the same as a condition on tasks."""
        found = Q(pk__in=())
        if self.remind is not None:
            found |= Q(reminded_at=None, arrived_at__lte=self.remind) | Q(reminded_at__lte=self.again)
        return found | Q(escalated_at=None, arrived_at__lte=self.escalate) if self.escalate is not None else found


def deadlines_of(group: Group, *, calendar: WorkingCalendar, now: datetime) -> Deadlines:
    """Return the group's deadlines at a moment."""
    remind, escalate = group.approval_remind_hours, group.approval_escalate_hours
    return Deadlines(
        remind=calendar.before(now, remind) if remind else None,
        again=calendar.before(now, DAY_HOURS) if remind else None,
        escalate=calendar.before(now, escalate) if escalate else None,
    )


def overdue_after(group: Group | None) -> int:
    """Return the working hours after which a wait is called overdue: those of the reminder, else of the escalation; 0 is never."""
    return (group.approval_remind_hours or group.approval_escalate_hours) if group else 0


def waits_too_long(approval: Approval, *, since: datetime, calendar: WorkingCalendar) -> bool:
    """Return whether what waits for staff is late: its customer urges, or his own people would have been reminded by now."""
    return approval.urged_at is not None or 0 < overdue_after(approval.group) <= calendar.hours_between(since, timezone.now())


def late_tasks(*, actor: Account, calendar: WorkingCalendar) -> Q:
    """Return the condition on tasks that they have waited too long by the settings of the actor's group."""
    hours = overdue_after(actor.group)
    if not hours:
        return Q(pk__in=())
    return Q(status=TaskStatus.PENDING, arrived_at__lte=calendar.before(timezone.now(), hours))


def approvals_due() -> Iterator[tuple[int, int]]:
    """Yield the approvals somebody is to be reminded of, or that go to somebody above, with their groups; runs in the platform's scope.

    Two queries, and one more for each pair of settings that groups have.
    """
    now, calendar = timezone.now(), working_calendar()
    by_setting: dict[tuple[int, int], list[Group]] = {}
    for group in Group.objects.filter(is_active=True).only("pk", "approval_remind_hours", "approval_escalate_hours"):
        by_setting.setdefault((group.approval_remind_hours, group.approval_escalate_hours), []).append(group)
    for groups in by_setting.values():
        due = deadlines_of(groups[0], calendar=calendar, now=now).due()
        tasks = ApprovalTask.objects.filter(due, status=TaskStatus.PENDING, step__asked_at=None, group__in=[group.pk for group in groups])
        yield from tasks.order_by("step__approval").values_list("step__approval", "group").distinct()
