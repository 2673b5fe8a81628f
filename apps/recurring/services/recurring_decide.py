"""Acts of people on a running or stopped recurring order: pause, resume, skip, end, decide."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.errors import DomainError
from apps.orders.models import Order
from apps.recurring.enums import RecurringEventKind, RecurringStatus, RunOutcome
from apps.recurring.errors import AmountSeenMoved, LastLineDropped, LineGone
from apps.recurring.locks import lock_own_recurring_order
from apps.recurring.models import RecurringLine, RecurringOrder
from apps.recurring.selectors.next_run import get_next_run
from apps.recurring.selectors.recurring_orders import build_schedule
from apps.recurring.services.recurring_flow import (
    MOVED,
    RECURRING,
    is_settled,
    recurring_end_if_over,
    recurring_notify,
    recurring_proceed,
    run_write,
)
from apps.recurring.services.recurring_run import order_place
from apps.recurring.texts import stopped_by_notice

if TYPE_CHECKING:
    from apps.org.models import Account

S = RecurringStatus


@transaction.atomic
def recurring_order_pause(*, actor: Account, recurring_no: str, reason: str = "") -> RecurringOrder:
    """Stop placing orders until somebody resumes it.

    Raises:
        RecurringOrderNotFound, NotYourRecurringOrder: the actor may not change it.
        WrongState: it is paused already, or has ended.
    """
    row = lock_own_recurring_order(actor=actor, recurring_no=recurring_no)
    before = RECURRING.transition(row, "pause", "暂停")
    _record_and_notify(row, actor, RecurringEventKind.PAUSED, before, "暂停", reason)
    return row


@transaction.atomic
def recurring_order_resume(*, actor: Account, recurring_no: str) -> RecurringOrder:
    """Place orders again, beginning with the first due date that is not past.

    Raises:
        RecurringOrderNotFound, NotYourRecurringOrder: the actor may not change it.
        WrongState: it is not paused.
    """
    row = lock_own_recurring_order(actor=actor, recurring_no=recurring_no)
    before = RECURRING.transition(row, "resume", "恢复")
    schedule, today = build_schedule(row), timezone.localdate()
    while row.next_due < today or is_settled(row):
        row.next_due = schedule.find_next(row.next_due)
    _record_and_notify(row, actor, RecurringEventKind.RESUMED, before, "恢复", "")
    recurring_end_if_over(row)
    return row


@transaction.atomic
def recurring_order_skip(*, actor: Account, recurring_no: str, reason: str = "") -> RecurringOrder:
    """Skip the next due date, or the one that waits for a decision.

    Raises:
        RecurringOrderNotFound, NotYourRecurringOrder: the actor may not change it.
        WrongState: it is paused or has ended.
    """
    row = lock_own_recurring_order(actor=actor, recurring_no=recurring_no)
    if row.status not in (S.ACTIVE, S.BLOCKED):
        raise RECURRING.build_wrong_state(row, "跳过")
    skipped_date = row.next_due
    run_write(row, outcome=RunOutcome.SKIPPED, note=reason)
    before = recurring_proceed(row, today=timezone.localdate())
    _record_and_notify(
        row,
        actor,
        RecurringEventKind.SKIPPED,
        before,
        "跳过",
        f"{skipped_date:%Y-%m-%d} {reason}".strip(),
    )
    recurring_end_if_over(row)
    return row


@transaction.atomic
def recurring_order_end(*, actor: Account, recurring_no: str, reason: str = "") -> RecurringOrder:
    """End it for good. Its orders stay.

    Raises:
        RecurringOrderNotFound, NotYourRecurringOrder: the actor may not change it.
        WrongState: it has ended.
    """
    row = lock_own_recurring_order(actor=actor, recurring_no=recurring_no)
    before = RECURRING.transition(row, "end", "结束")
    _record_and_notify(row, actor, RecurringEventKind.ENDED, before, "结束", reason)
    return row


@transaction.atomic
def recurring_order_continue(
    *,
    actor: Account,
    recurring_no: str,
    seen_amount: Decimal,
    drop_line_ids: Collection[int] = (),
) -> Order:
    """Place the order that waits for the owner's decision and return it, at today's prices and
    without the dropped lines. The owner agrees to these prices, also for later dates, and to the
    amount, for this date only.

    Raises:
        RecurringOrderNotFound, NotYourRecurringOrder, OwnerDecides: it is not the actor's.
        WrongState: it does not wait for a decision.
        LineGone, LastLineDropped: the dropped lines are not its lines, or are all of them.
        AmountSeenMoved: the order would cost another amount than the owner has seen, in 元.
        DomainError: something still blocks the order, as in `order_submit`.
    """
    row = lock_own_recurring_order(actor=actor, recurring_no=recurring_no, needs_owner=True)
    if row.status != S.BLOCKED:
        raise RECURRING.build_wrong_state(row, "继续")
    if drop_line_ids:
        _drop_lines(row, actor, drop_line_ids)
    next_run = get_next_run(row=row, owner=actor)
    for blocker in next_run.blockers:
        if not blocker.is_own_rule:
            raise DomainError(blocker.message)
    total = next_run.total or Decimal(0)
    if total != seen_amount:
        raise AmountSeenMoved(seen_amount, total)
    prices = {pk: line.price for pk, line in next_run.by_line.items()}
    for line in next_run.lines:
        line.agreed_price = prices[line.pk] or line.agreed_price
    RecurringLine.objects.bulk_update(next_run.lines, ["agreed_price"])
    return order_place(row, actor=actor, owner=actor, next_run=next_run, today=timezone.localdate())


def _drop_lines(row: RecurringOrder, actor: Account, line_ids: Collection[int]) -> None:
    """Delete the lines and write an event with their names. Raises LineGone for other ids, and
    LastLineDropped if no line would be left.
    """
    lines = {line.pk: line for line in row.lines.select_related("product")}
    if not set(line_ids) <= lines.keys():
        raise LineGone
    if len(set(line_ids)) == len(lines):
        raise LastLineDropped
    RecurringLine.objects.filter(recurring_order=row, pk__in=line_ids).delete()
    RECURRING.write_event(
        row,
        actor=actor,
        kind=RecurringEventKind.LINES_DROPPED,
        before=row.status,
        reason="、".join(lines[pk].product.name for pk in sorted(line_ids)),
    )


def _record_and_notify(
    row: RecurringOrder,
    actor: Account,
    kind: RecurringEventKind,
    before: str,
    verb: str,
    reason: str,
) -> None:
    """Save and write the event of a person's act. The owner is told of another person's act."""
    RECURRING.record(row, actor=actor, kind=kind, before=before, reason=reason)
    recurring_notify(
        row,
        actor=actor,
        topic=MOVED,
        once=f"{kind}:{row.updated_at.timestamp():.0f}",
        notice=stopped_by_notice(row, who=actor.nickname, what=verb, reason=reason),
    )
