"""Build an enterprise's statements. Each fact belongs to the statement of its month. If that is
confirmed, it goes into the next unconfirmed statement.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from apps.common.background.periodic import run_for_each
from apps.common.days import start_of_day
from apps.common.events import event_record
from apps.common.money import ZERO
from apps.common.numbers import document_number
from apps.common.tenancy import tenant_scope
from apps.invoices.models import Statement, StatementLine, StatementProgress
from apps.invoices.months import month_of, months, next_month
from apps.invoices.selectors.statement_facts import Fact, Window, facts_untold
from apps.invoices.services.statement_news import issued_publish
from apps.invoices.statement_enums import FIGURE_KINDS, StatementStatus
from apps.org.models import Enterprise

S = StatementStatus
FIGURES = ("opening", *FIGURE_KINDS, "closing")
# Each run reads this overlap again: rows of a transaction that was still open in the last run are
# visible now. No transaction lasts longer.
OVERLAP = timedelta(days=1)


@transaction.atomic
def statements_make(*, enterprise: Enterprise, today: date) -> list[Statement]:
    """Update the enterprise's statements up to the month of `today`. Returns the unconfirmed
    ones, oldest first.

    A confirmed statement never changes. A month that has ended is issued and then waits for the
    customer.
    """
    # The lock serializes the runs: each fact gets one line, and each opening equals the previous
    # closing.
    progress, now = _progress(enterprise), timezone.now()
    running = today.replace(day=1)
    since = progress.told_until - OVERLAP if progress.told_until else None
    window = Window(enterprise.pk, before=start_of_day(next_month(running)), since=since)
    facts = sorted(facts_untold(window), key=lambda fact: fact.at)
    progress.told_until = now
    progress.save(update_fields=["told_until"])
    # `no_key` avoids a deadlock: bank_match.py locks an order and then references a statement,
    # while the lines written here reference that order.
    locked = Statement.objects.select_for_update(of=("self",), no_key=True)
    rows = {row.month: row for row in locked.filter(enterprise=enterprise).order_by("month")}
    if not rows and not facts:
        return []
    # The first statement stays the first. An earlier fact, such as a bank transfer, goes into the
    # first unconfirmed statement.
    first = min(rows) if rows else month_of(facts[0].at)
    for month in months(first, running):
        if month not in rows:
            rows[month] = _opened(enterprise, month)
    ordered = [rows[month] for month in sorted(rows)]
    _told(ordered, facts)
    return _carried(ordered, running)


def _progress(enterprise: Enterprise) -> StatementProgress:
    """Return the enterprise's progress row, locked."""
    row, _ = StatementProgress.objects.get_or_create(
        enterprise=enterprise, defaults={"group_id": enterprise.group_id}
    )
    locked: StatementProgress = StatementProgress.objects.select_for_update(
        of=("self",), no_key=True
    ).get(pk=row.pk)
    return locked


def _opened(enterprise: Enterprise, month: date) -> Statement:
    row: Statement = Statement.objects.create(
        group_id=enterprise.group_id,
        enterprise=enterprise,
        month=month,
        statement_no=f"-{enterprise.pk}-{month:%Y%m}",
    )
    row.statement_no = document_number("DZ", pk=row.pk, at=timezone.now())
    row.save(update_fields=["statement_no"])
    return row


def _told(statements: list[Statement], facts: list[Fact]) -> None:
    """Save each fact as a line of its month's statement, or of the next unconfirmed one."""
    open_ones = [row for row in statements if row.status != S.CONFIRMED]
    lines = []
    for fact in facts:
        home = next(row for row in open_ones if row.month >= month_of(fact.at))
        lines.append(_line(home, fact))
    StatementLine.objects.bulk_create(lines, batch_size=2000)


def _line(home: Statement, fact: Fact) -> StatementLine:
    money: dict[str, Any] = {"amount": fact.amount, "tax_amount": fact.tax_amount}
    return StatementLine(
        group_id=home.group_id,
        statement=home,
        kind=fact.kind,
        source_id=fact.source_id,
        at=fact.at,
        order_id=fact.order_id,
        reference=fact.reference[:64],
        text=fact.text[:200],
        quantity=fact.quantity,
        **money,
    )


def _carried(statements: list[Statement], running: date) -> list[Statement]:
    """Compute the unconfirmed statements in order, carry the balances forward, and issue the
    months that have ended.
    """
    closing, found = ZERO, [row for row in statements if row.status != S.CONFIRMED]
    sums: defaultdict[int, dict[str, Decimal]] = defaultdict(dict)
    lines = StatementLine.objects.filter(statement__in=found).order_by()
    for pk, kind, total in lines.values_list("statement_id", "kind").annotate(total=Sum("amount")):
        sums[pk][kind] = total
    for row in statements:
        if row.status != S.CONFIRMED:
            has_moved = _summed(row, closing, sums[row.pk])
            is_due = row.status == S.RUNNING and row.month < running
            if is_due:
                _issue(row, is_latest=next_month(row.month) == running)
            if has_moved or is_due:
                row.save()
        closing = row.closing
    return found


def _summed(row: Statement, opening: Decimal, sums: dict[str, Decimal]) -> bool:
    """Set the figures of the statement from the sums of its lines. Returns whether a figure has
    changed.
    """
    before = [getattr(row, name) for name in FIGURES]
    for figure, kinds in FIGURE_KINDS.items():
        setattr(row, figure, sum((sums.get(kind, ZERO) for kind in kinds), ZERO))
    row.opening = opening
    row.closing = opening + row.deliveries - row.returns - row.paid
    return before != [getattr(row, name) for name in FIGURES]


def _issue(row: Statement, *, is_latest: bool) -> None:
    row.status, row.issued_at = S.PENDING, timezone.now()
    event_record(row, actor=None, kind="statement.issued", to_state=S.PENDING)
    issued_publish(row, is_latest=is_latest)


def bank_moved_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `bank.moved`: a bank receipt was matched or unmatched, so update the enterprise's
    statements.
    """
    statements_make(
        enterprise=Enterprise.objects.get(pk=payload["EnterpriseId"]), today=timezone.localdate()
    )


def statements_issue() -> int:
    """Update the statements of every enterprise, each in its own transaction. Returns the
    number of enterprises with unconfirmed statements. Runs in the platform's scope.
    """
    return run_for_each(Enterprise.objects.order_by("pk").values_list("pk", "group_id"), _made)


def _made(enterprise_id: int, group_id: int) -> bool:
    with tenant_scope(group_id=group_id):
        return bool(
            statements_make(
                enterprise=Enterprise.objects.get(pk=enterprise_id), today=timezone.localdate()
            )
        )
