"""All changes of state of a recurring order: transition, event, run, and the notices to people."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.document_kit.flow import DocumentFlow
from apps.common.events import get_event_actor_id
from apps.orders.models import Order
from apps.org.enums import AccountType
from apps.org.models import Account
from apps.recurring.enums import RecurringEventKind, RecurringStatus, RunOutcome
from apps.recurring.models import RecurringOrder, RecurringRun
from apps.recurring.selectors.recurring_orders import build_schedule
from apps.recurring.texts import Notice, ended_notice

if TYPE_CHECKING:
    from apps.recurring.schedule import Schedule

S = RecurringStatus
REFRESH = "请刷新查看"
RECURRING = DocumentFlow(
    name="recurring",
    number="recurring_no",
    state_texts={
        S.ACTIVE: ("定期采购进行中", REFRESH),
        S.BLOCKED: ("定期采购待处理", REFRESH),
        S.PAUSED: ("定期采购已暂停", "请先恢复"),
        S.ENDED: ("定期采购已结束", "如需继续请新建"),
    },
    columns=["status", "block_reason", "next_due", "reminded_due"],
)
# The second parts of the outbox topics: `recurring.upcoming` before a due date, `recurring.blocked`
# after a stop, `recurring.moved` after anything else.
UPCOMING, BLOCKED, MOVED = "upcoming", "blocked", "moved"
PAGE = "/userCenter/order/recurring"
MAX_NOTE = 500
SETTLED = (RunOutcome.ORDERED, RunOutcome.SKIPPED)
DAY = timedelta(days=1)


def run_write(
    row: RecurringOrder,
    *,
    outcome: RunOutcome,
    reason: str = "",
    note: str = "",
    order: Order | None = None,
) -> RecurringRun:
    """Write and return what became of the due date of a locked recurring order. A date that was
    blocked before keeps its one row.
    """
    values = {
        "outcome": outcome,
        "reason": reason,
        "note": note[:MAX_NOTE],
        "order": order,
        "at": timezone.now(),
    }
    run: RecurringRun
    run, _ = RecurringRun.objects.update_or_create(
        group_id=row.group_id, recurring_order=row, due_on=row.next_due, defaults=values
    )
    return run


def is_settled(row: RecurringOrder) -> bool:
    """Return whether the due date was already ordered or skipped."""
    settled = RecurringRun.objects.filter(
        recurring_order=row, due_on=row.next_due, outcome__in=SETTLED
    )
    return bool(settled.exists())


def get_first_open_day(row: RecurringOrder, *, today: date) -> date:
    """Return the first day that a new due date may have: today, or the day after the last due date
    that was ordered or skipped.
    """
    last = (
        RecurringRun.objects.filter(recurring_order=row, outcome__in=SETTLED)
        .order_by("-due_on")
        .values_list("due_on", flat=True)
        .first()
    )
    return today if last is None else max(today, last + DAY)


def recurring_proceed(row: RecurringOrder, *, today: date) -> str:
    """Move a locked recurring order to its next due date after `today`, and return the state
    before. Missed dates are not made up for. Past its end date it ends. Nothing is saved.
    """
    before = RECURRING.transition(row, "proceed", "继续")
    schedule: Schedule = build_schedule(row)
    row.next_due = schedule.find_next(row.next_due)
    while row.next_due <= today:
        row.next_due = schedule.find_next(row.next_due)
    return before


def recurring_end_if_over(row: RecurringOrder) -> bool:
    """End a locked, active recurring order whose next due date is past its end date, and tell the
    owner. Return whether it ended.
    """
    if row.ends_on is None or row.next_due <= row.ends_on:
        return False
    before = RECURRING.transition(row, "end", "结束")
    RECURRING.record(row, actor=None, kind=RecurringEventKind.ENDED, before=before)
    recurring_notify(row, actor=None, topic=MOVED, once="ended", notice=ended_notice(row))
    return True


def recurring_notify(
    row: RecurringOrder, *, actor: Account | None, topic: str, once: str, notice: Notice
) -> None:
    """Publish a notice to the owner as `recurring.<topic>`; without a recipient if the owner is the
    actor. If the owner's account is inactive, the group admins get it. The same `once` is sent
    once. `moved` also settles the earlier notices.
    """
    to = set(_list_recipient_ids(row)) - {get_event_actor_id(actor)}
    payload = {
        "To": sorted(to),
        "Title": notice.title,
        "Text": notice.text,
        "Link": f"{PAGE}/{row.recurring_no}",
        "SubjectKey": f"recurring:{row.pk}",
        "Once": f"{row.pk}:{once}"[:80],
    }
    RECURRING.publish(row, actor=actor, kind=topic, payload=payload)


def _list_recipient_ids(row: RecurringOrder) -> Collection[int]:
    """Return the account to notify: the requester, or the group's administrators if he is
    disabled.
    """
    if row.requester.is_active:
        return [row.requester_id]
    admins = Account.objects.filter(
        group_id=row.group_id, kind=AccountType.GROUP_ADMIN, is_active=True
    )
    return list(admins.order_by("pk").values_list("pk", flat=True)[:20])
