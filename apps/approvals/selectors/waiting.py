"""Waiting time of approvals in working hours: reminder and escalation deadlines, the wait of
one approval, and figures for each approver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, F, Min, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalTask
from apps.calendar.selectors import (
    DAY_HOURS,
    WorkingCalendar,
    format_hours,
    get_working_calendar,
)
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account, Group
from apps.org.selectors.accounts import build_person_condition, list_visible_accounts


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Moments in the past. A task that arrived (`remind`, `escalate`) or was reminded (`again`)
    at or before the moment is due; None: switched off.
    """

    remind: datetime | None
    again: datetime | None
    escalate: datetime | None

    def is_reminder_due(self, task: ApprovalTask) -> bool:
        """Return whether the approver must be reminded: for the first time, or one working day
        after the last reminder.
        """
        if self.remind is None or self.again is None:
            return False
        return (
            task.arrived_at <= self.remind
            if task.reminded_at is None
            else task.reminded_at <= self.again
        )

    def is_escalation_due(self, task: ApprovalTask) -> bool:
        """Return whether the task must be escalated. A task is escalated once."""
        return (
            self.escalate is not None
            and task.escalated_at is None
            and task.arrived_at <= self.escalate
        )

    def build_due_condition(self) -> Q:
        """Return the same rules as a condition on tasks."""
        condition = Q(pk__in=())
        if self.remind is not None:
            condition |= Q(reminded_at=None, arrived_at__lte=self.remind) | Q(
                reminded_at__lte=self.again
            )
        return (
            condition | Q(escalated_at=None, arrived_at__lte=self.escalate)
            if self.escalate is not None
            else condition
        )


def get_deadlines(group: Group, *, calendar: WorkingCalendar, now: datetime) -> Deadlines:
    """Return the group's deadlines at the moment `now`."""
    remind, escalate = group.approval_remind_hours, group.approval_escalate_hours
    return Deadlines(
        remind=calendar.subtract_hours(now, remind) if remind else None,
        again=calendar.subtract_hours(now, DAY_HOURS) if remind else None,
        escalate=calendar.subtract_hours(now, escalate) if escalate else None,
    )


def get_overdue_hours(group: Group | None) -> int:
    """Return the working hours after which a wait is overdue: the reminder hours, otherwise the
    escalation hours; 0: never.
    """
    return (group.approval_remind_hours or group.approval_escalate_hours) if group else 0


def is_overdue_for_staff(approval: Approval, *, since: datetime, calendar: WorkingCalendar) -> bool:
    """Return whether an approval that waits for staff is late: the requester has urged, or the
    group's limit has passed.
    """
    return approval.urged_at is not None or 0 < get_overdue_hours(
        approval.group
    ) <= calendar.count_hours_between(since, timezone.now())


def build_late_tasks_condition(*, actor: Account, calendar: WorkingCalendar) -> Q:
    """Return the condition on tasks that are overdue by the settings of the actor's group."""
    hours = get_overdue_hours(actor.group)
    if not hours:
        return Q(pk__in=())
    return Q(
        status=TaskStatus.PENDING, arrived_at__lte=calendar.subtract_hours(timezone.now(), hours)
    )


def iterate_due_approvals() -> Iterator[tuple[int, int]]:
    """Yield (approval id, group id) of the approvals with a due reminder or escalation. The caller
    must open the platform scope.
    """
    now, calendar = timezone.now(), get_working_calendar()
    by_setting: dict[tuple[int, int], list[Group]] = {}
    for group in Group.objects.filter(is_active=True).only(
        "pk", "approval_remind_hours", "approval_escalate_hours"
    ):
        by_setting.setdefault(
            (group.approval_remind_hours, group.approval_escalate_hours), []
        ).append(group)
    for groups in by_setting.values():
        due = get_deadlines(groups[0], calendar=calendar, now=now).build_due_condition()
        tasks = ApprovalTask.objects.filter(
            due,
            status=TaskStatus.PENDING,
            step__asked_at=None,
            group__in=[group.pk for group in groups],
        )
        yield from (
            tasks.order_by("step__approval").values_list("step__approval", "group").distinct()
        )


# The requester may urge once in this many working hours.
REST_HOURS = 4


@dataclass(frozen=True, slots=True)
class Wait:
    """The wait in working hours; `is_overdue` by the group's settings."""

    hours: float
    is_overdue: bool

    @property
    def text(self) -> str:
        """Return the wait in words."""
        return format_hours(self.hours)


def get_wait(*, actor: Account, approval: Approval, calendar: WorkingCalendar) -> Wait | None:
    """Return how long a pending approval has waited for the actor, or for any approver if the
    actor is not asked. None if nobody is asked. The chain must be prefetched.
    """
    if approval.status != ApprovalStatus.PENDING:
        return None
    active = [step for step in approval.steps.all() if step.status == StepStatus.ACTIVE]
    pending_tasks = [
        task for step in active for task in step.tasks.all() if task.status == TaskStatus.PENDING
    ]
    since = min(
        (
            task.arrived_at
            for task in [task for task in pending_tasks if task.approver_id == actor.pk]
            or pending_tasks
        ),
        default=None,
    )
    if since is None:
        return None
    hours = calendar.count_hours_between(since, timezone.now())
    limit = get_overdue_hours(actor.group)
    return Wait(round(hours, 2), bool(limit) and hours >= limit)


def may_urge(*, actor: Account, approval: Approval, calendar: WorkingCalendar) -> bool:
    """Return whether the actor may urge now: own pending approval, last urge at least four
    working hours ago.
    """
    if approval.requester_id != actor.pk or approval.status != ApprovalStatus.PENDING:
        return False
    return approval.urged_at is None or timezone.now() >= calendar.add_hours(
        approval.urged_at, REST_HOURS
    )


PERIOD = timedelta(days=30)
MENU = MenuCode.MANAGEMENT_APPROVAL


@dataclass(slots=True)
class ApproverFigures:
    """The figures of one approver. Hours are working hours; None: nothing to measure."""

    account: Account
    open_count: int = 0
    overdue_count: int = 0
    oldest_at: datetime | None = None
    oldest_hours: float | None = None
    decided_count: int = 0
    average_hours: float | None = None
    slow_hours: float | None = None


def list_approver_figures(*, actor: Account, keyword: str = "") -> list[ApproverFigures]:
    """Return the approvers in the actor's data scope with open or recently decided tasks, the
    most overdue first.

    Decisions of the last 30 days count. `slow_hours` is the 90th percentile.
    """
    people = list_visible_accounts(actor=actor, menu=MENU)
    if keyword:
        people = people.filter(build_person_condition(keyword))
    is_whole = actor.get_data_scope(MENU) == DataScope.GROUP and not keyword
    tasks = (
        ApprovalTask.objects.all()
        if is_whole
        else ApprovalTask.objects.filter(approver__in=people.order_by().values("pk"))
    )
    calendar, now = get_working_calendar(), timezone.now()
    limit = get_overdue_hours(actor.group)
    waiting_by_approver = {
        row["approver"]: row
        for row in _summarise_open_tasks(
            tasks, calendar.subtract_hours(now, limit) if limit else None
        )
    }
    decisions_by_approver = {
        row["approver"]: row for row in _summarise_decisions(tasks, now - PERIOD)
    }
    approvers = Account.objects.filter(
        pk__in=set(waiting_by_approver) | set(decisions_by_approver)
    ).select_related("department")
    figures = [
        _build_figures(
            account,
            waiting_by_approver.get(account.pk),
            decisions_by_approver.get(account.pk),
            calendar,
            now,
        )
        for account in approvers
    ]
    return sorted(
        figures,
        key=lambda row: (
            -row.overdue_count,
            -row.open_count,
            -(row.slow_hours or 0),
            row.account.pk,
        ),
    )


def _summarise_open_tasks(
    tasks: QuerySet[ApprovalTask], overdue_since: datetime | None
) -> QuerySet[Any, Any]:
    """Return one row for each approver: `number` of open tasks, how many are `overdue`, and when
    the `oldest` arrived.
    """
    late = Q(arrived_at__lte=overdue_since) if overdue_since else Q(pk__in=())
    rows = tasks.filter(status=TaskStatus.PENDING).order_by().values("approver")
    return rows.annotate(
        number=Count("pk"), overdue=Count("pk", filter=late), oldest=Min("arrived_at")
    )


def _summarise_decisions(tasks: QuerySet[ApprovalTask], since: datetime) -> QuerySet[Any, Any]:
    """Return one row for each approver: `slow`, the waiting time at the 90th percentile, `average`,
    both in working minutes, and the `number` of decisions.
    """
    rows = tasks.filter(
        status__in=(TaskStatus.APPROVED, TaskStatus.REJECTED),
        decided_at__gte=since,
        waited_minutes__isnull=False,
    )
    approver = F("approver")
    ranked_rows = rows.order_by().annotate(
        number=Window(Count("pk"), partition_by=approver),
        average=Window(Avg("waited_minutes"), partition_by=approver),
        place=Window(RowNumber(), order_by=["waited_minutes", "pk"], partition_by=approver),
    )
    # Round nine tenths up.
    at_ninety = ranked_rows.filter(place=(F("number") * 9 + 9) / 10)
    return at_ninety.values("approver", "number", "average", slow=F("waited_minutes"))


def _build_figures(
    account: Account,
    waiting_row: dict[str, Any] | None,
    decision_row: dict[str, Any] | None,
    calendar: WorkingCalendar,
    now: datetime,
) -> ApproverFigures:
    """Return the figures of one approver from the sums of the open and the decided tasks. Times
    are in working hours.
    """
    row = ApproverFigures(account)
    if waiting_row is not None:
        row.open_count, row.overdue_count, row.oldest_at = (
            waiting_row["number"],
            waiting_row["overdue"],
            waiting_row["oldest"],
        )
        row.oldest_hours = round(calendar.count_hours_between(waiting_row["oldest"], now), 1)
    if decision_row is not None:
        row.decided_count = decision_row["number"]
        row.average_hours, row.slow_hours = (
            round(float(decision_row["average"]) / 60, 1),
            round(decision_row["slow"] / 60, 1),
        )
    return row
