"""Place the orders of due recurring orders, and send the reminders before them.

One due date becomes at most one order. The run locks the recurring order, places the order with the
customer's own service and moves the due date in one transaction: after a crash nothing of it is
written, and a second worker finds the date settled.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.calendar.selectors import WorkingCalendar, add_working_days, get_working_calendar
from apps.common.background.periodic import run_for_each
from apps.common.errors import DomainError
from apps.common.tenancy import tenant_scope
from apps.orders.enums import OrderStatus
from apps.orders.models import Order
from apps.orders.services.order_submit import order_submit
from apps.org.models import Account
from apps.recurring.enums import RecurringEventKind, RecurringStatus, RunOutcome
from apps.recurring.locks import lock_recurring_order
from apps.recurring.models import RecurringOrder
from apps.recurring.selectors.next_run import (
    Blocker,
    NextRun,
    build_blocker,
    build_checkout_form,
    get_next_run,
)
from apps.recurring.services.recurring_flow import (
    BLOCKED,
    MOVED,
    RECURRING,
    UPCOMING,
    is_settled,
    recurring_end_if_over,
    recurring_notify,
    recurring_proceed,
    run_write,
)
from apps.recurring.texts import blocked_notice, ordered_notice, upcoming_notice

if TYPE_CHECKING:
    from collections.abc import Sequence

S = RecurringStatus


def recurring_orders_run(*, today: date | None = None) -> int:
    """Send the reminders and place the orders that are due on `today` (default: today's date).
    Return the number of due dates that were handled.

    The caller must open the platform scope.
    """
    day = today or timezone.localdate()
    recurring_orders_remind(today=day)

    def run_one(pk: int, group_id: int) -> bool:
        with tenant_scope(group_id=group_id):
            return recurring_order_run(pk=pk, today=day)

    due_orders = RecurringOrder.objects.filter(status=S.ACTIVE, next_due__lte=day)
    return run_for_each(
        due_orders.order_by("next_due", "pk").values_list("pk", "group_id"), run_one
    )


@transaction.atomic
def recurring_order_run(*, pk: int, today: date) -> bool:
    """Place the order of a recurring order that is due, or stop and ask the owner. Return whether
    the date was due: False if another worker or a person has settled it.
    """
    row = lock_recurring_order(pk=pk)
    if row.status != S.ACTIVE or row.next_due > today or recurring_end_if_over(row):
        return False
    if is_settled(row):
        recurring_proceed(row, today=today)
        RECURRING.save(row)
        return False
    owner = Account.objects.select_related("group", "enterprise", "department").get(
        pk=row.requester_id
    )
    next_run = get_next_run(row=row, owner=owner)
    if next_run.blockers:
        _stop_and_ask(row, next_run.blockers)
        return True
    try:
        order_place(row, actor=None, owner=owner, next_run=next_run, today=today)
    except DomainError as error:
        # The price, the stock or a budget has changed since it was read.
        _stop_and_ask(row, [build_blocker(error)])
    return True


@transaction.atomic
def order_place(
    row: RecurringOrder, *, actor: Account | None, owner: Account, next_run: NextRun, today: date
) -> Order:
    """Submit the order of a locked recurring order as its owner, move the due date, tell the owner
    and return the order.

    Raises:
        DomainError: as `order_submit`; nothing is written.
    """
    form = build_checkout_form(row, next_run.lines, owner=owner, seen_lines=next_run.seen_lines)
    standing = form.standing.approval if form.standing else None
    order = order_submit(actor=owner, form=form)
    run_write(row, outcome=RunOutcome.ORDERED, order=order)
    due_date = row.next_due
    state_before = recurring_proceed(row, today=today)
    needs_approval = order.status == OrderStatus.PENDING_APPROVAL
    reason = order.order_no
    if standing is not None and not needs_approval:
        reason += f"（沿用订单 {standing.subject_no} 的审批）"
    RECURRING.record(
        row, actor=actor, kind=RecurringEventKind.ORDERED, before=state_before, reason=reason
    )
    recurring_notify(
        row,
        actor=actor,
        topic=MOVED,
        once=f"ordered:{due_date}",
        notice=ordered_notice(
            row,
            order_no=order.order_no,
            total=order.total_amount,
            needs_approval=needs_approval,
        ),
    )
    recurring_end_if_over(row)
    return order


def _stop_and_ask(row: RecurringOrder, blockers: Sequence[Blocker]) -> None:
    """Stop a locked recurring order at its due date and ask the owner."""
    reason, messages = blockers[0].reason, [blocker.message for blocker in blockers]
    run_write(row, outcome=RunOutcome.BLOCKED, reason=reason, note="；".join(messages))
    before = RECURRING.transition(row, "block", "停止", reason=reason)
    RECURRING.record(
        row,
        actor=None,
        kind=RecurringEventKind.BLOCKED,
        before=before,
        reason="；".join(messages),
    )
    recurring_notify(
        row,
        actor=None,
        topic=BLOCKED,
        once=f"blocked:{row.next_due}:{row.updated_at.timestamp():.0f}",
        notice=blocked_notice(row, messages),
    )


def recurring_orders_remind(*, today: date) -> int:
    """Tell the owners of orders that are due within their number of working days, once for each due
    date. Return the number of reminders.
    """
    calendar = get_working_calendar()
    unreminded = RecurringOrder.objects.filter(
        status=S.ACTIVE, remind_days__gt=0, next_due__gt=today
    ).exclude(reminded_due=F("next_due"))
    rows = unreminded.order_by("next_due", "pk").values_list(
        "pk", "group_id", "next_due", "remind_days"
    )
    due_rows = [
        (pk, group_id)
        for pk, group_id, next_due, days in rows
        if is_reminder_day(calendar, due=next_due, days=days, today=today)
    ]
    return run_for_each(due_rows, _send_reminder)


def is_reminder_day(calendar: WorkingCalendar, *, due: date, days: int, today: date) -> bool:
    """Return whether the reminder of a due date is due: `days` working days before, or later."""
    return today >= add_working_days(calendar, due, -days)


def _send_reminder(pk: int, group_id: int) -> bool:
    """Send the reminder of the next run, with its total and blockers. Return False if it was sent
    already or the order is not active.
    """
    with tenant_scope(group_id=group_id), transaction.atomic():
        row = lock_recurring_order(pk=pk)
        if row.status != S.ACTIVE or row.reminded_due == row.next_due:
            return False
        next_run = get_next_run(row=row, owner=row.requester)
        row.reminded_due = row.next_due
        RECURRING.save(row)
        messages = [blocker.message for blocker in next_run.blockers]
        recurring_notify(
            row,
            actor=None,
            topic=UPCOMING,
            once=f"upcoming:{row.next_due}",
            notice=upcoming_notice(row, total=next_run.total, blockers=messages),
        )
    return True
