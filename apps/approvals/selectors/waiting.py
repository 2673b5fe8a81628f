"""Who waits how long: of each approver what lies with him, and how long he took in the last 30 days, in working hours."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, F, Min, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from apps.approvals.enums import TaskStatus
from apps.approvals.models import ApprovalTask
from apps.approvals.selectors.deadlines import overdue_after
from apps.content.selectors.working_time import WorkingCalendar, working_calendar
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.accounts import accounts_visible

PERIOD = timedelta(days=30)
MENU = MenuCode.MANAGEMENT_APPROVAL


@dataclass(slots=True)
class ApproverFigures:
    """One approver; hours are working hours, None where there is nothing to measure."""

    account: Account
    open_count: int = 0
    overdue_count: int = 0
    oldest_at: datetime | None = None
    oldest_hours: float | None = None
    decided_count: int = 0
    average_hours: float | None = None
    slow_hours: float | None = None


def approver_figures(*, actor: Account, keyword: str = "") -> list[ApproverFigures]:
    """Return the approvers of the actor's data scope with something open or decided, the most overdue first.

    `slow_hours` is the 90th percentile: nine of ten decisions took no longer. Four queries, and one for a department's subtree.
    """
    people = accounts_visible(actor=actor, menu=MENU)
    if keyword:
        people = people.filter(Q(nickname__icontains=keyword) | Q(full_name__icontains=keyword) | Q(username__icontains=keyword))
    is_whole = actor.data_scope_of(MENU) == DataScope.GROUP and not keyword
    tasks = ApprovalTask.objects.all() if is_whole else ApprovalTask.objects.filter(approver__in=people.order_by().values("pk"))
    calendar, now = working_calendar(), timezone.now()
    limit = overdue_after(actor.group)
    waiting = {row["approver"]: row for row in _open(tasks, calendar.before(now, limit) if limit else None)}
    decided = {row["approver"]: row for row in _decided(tasks, now - PERIOD)}
    named = Account.objects.filter(pk__in=set(waiting) | set(decided)).select_related("department")
    found = [_figures(account, waiting.get(account.pk), decided.get(account.pk), calendar, now) for account in named]
    return sorted(found, key=lambda row: (-row.overdue_count, -row.open_count, -(row.slow_hours or 0), row.account.pk))


def _open(tasks: QuerySet[ApprovalTask], overdue_since: datetime | None) -> QuerySet[Any, Any]:
    late = Q(arrived_at__lte=overdue_since) if overdue_since else Q(pk__in=())
    rows = tasks.filter(status=TaskStatus.PENDING).order_by().values("approver")
    return rows.annotate(number=Count("pk"), overdue=Count("pk", filter=late), oldest=Min("arrived_at"))


def _decided(tasks: QuerySet[ApprovalTask], since: datetime) -> QuerySet[Any, Any]:
    """One row for each approver: the decision at the 90th percentile, with the number and the average of all his."""
    rows = tasks.filter(status__in=(TaskStatus.APPROVED, TaskStatus.REJECTED), decided_at__gte=since, waited_minutes__isnull=False)
    mine = F("approver")
    ranked = rows.order_by().annotate(
        number=Window(Count("pk"), partition_by=mine),
        average=Window(Avg("waited_minutes"), partition_by=mine),
        place=Window(RowNumber(), order_by=["waited_minutes", "pk"], partition_by=mine),
    )
    # The smallest whole number that is not below nine tenths.
    at_ninety = ranked.filter(place=(F("number") * 9 + 9) / 10)
    return at_ninety.values("approver", "number", "average", slow=F("waited_minutes"))


def _figures(
    account: Account, waiting: dict[str, Any] | None, decided: dict[str, Any] | None, calendar: WorkingCalendar, now: datetime
) -> ApproverFigures:
    row = ApproverFigures(account)
    if waiting is not None:
        row.open_count, row.overdue_count, row.oldest_at = waiting["number"], waiting["overdue"], waiting["oldest"]
        row.oldest_hours = round(calendar.hours_between(waiting["oldest"], now), 1)
    if decided is not None:
        row.decided_count = decided["number"]
        row.average_hours, row.slow_hours = round(float(decided["average"]) / 60, 1), round(decided["slow"] / 60, 1)
    return row
