"""Make an enterprise's statements: each fact goes into its month; where that is confirmed, into the next one that is not."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from django.db import connection, transaction
from django.db.models import Sum
from django.utils import timezone

from apps.common.days import day_begins
from apps.common.events import event_record
from apps.common.money import ZERO
from apps.common.numbers import document_number
from apps.common.periodic import done_for_each
from apps.common.tenancy import tenant_scope
from apps.invoices.models import Statement, StatementLine
from apps.invoices.months import month_of, months, next_month
from apps.invoices.selectors.statement_facts import Fact, facts_untold
from apps.invoices.services.statement_news import issued_publish
from apps.invoices.statement_enums import FIGURE_KINDS, StatementStatus
from apps.org.models import Enterprise

S = StatementStatus


@transaction.atomic
def statements_make(*, enterprise: Enterprise, today: date) -> list[Statement]:
    """Bring the enterprise's statements up to `today`'s month and return those that are not confirmed, oldest first.

    A confirmed one is never touched. A month that has ended is issued: it waits for the customer from then on.
    """
    # One at a time: a fact is told once, and each month begins with what the one before closed with.
    Enterprise.objects.select_for_update(of=("self",), no_key=connection.features.has_select_for_no_key_update).get(pk=enterprise.pk)
    running = today.replace(day=1)
    facts = sorted(facts_untold(enterprise_id=enterprise.pk, before=day_begins(next_month(running))), key=lambda fact: fact.at)
    rows = {row.month: row for row in Statement.objects.select_for_update(of=("self",)).filter(enterprise=enterprise).order_by("month")}
    if not rows and not facts:
        return []
    first = min([*rows, *(month_of(fact.at) for fact in facts[:1])])
    for month in months(first, running):
        if month not in rows:
            rows[month] = _opened(enterprise, month)
    ordered = [rows[month] for month in sorted(rows)]
    _told(ordered, facts)
    return _carried(ordered, running)


def _opened(enterprise: Enterprise, month: date) -> Statement:
    row: Statement = Statement.objects.create(
        group_id=enterprise.group_id, enterprise=enterprise, month=month, statement_no=f"-{enterprise.pk}-{month:%Y%m}"
    )
    row.statement_no = document_number("DZ", pk=row.pk, at=timezone.now())
    row.save(update_fields=["statement_no"])
    return row


def _told(statements: list[Statement], facts: list[Fact]) -> None:
    """Write each fact into its month's statement; where that is confirmed, into the next one that is not."""
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
    """Sum up what is not confirmed, from the first to the last, and issue the months that have ended."""
    closing, found = ZERO, []
    for row in statements:
        if row.status != S.CONFIRMED:
            _summed(row, closing)
            if row.status == S.RUNNING and row.month < running:
                _issue(row, is_latest=next_month(row.month) == running)
            row.save()
            found.append(row)
        closing = row.closing
    return found


def _summed(row: Statement, opening: Decimal) -> None:
    sums = dict(StatementLine.objects.filter(statement=row).order_by().values_list("kind").annotate(total=Sum("amount")))
    for figure, kinds in FIGURE_KINDS.items():
        setattr(row, figure, sum((sums.get(kind, ZERO) for kind in kinds), ZERO))
    row.opening = opening
    row.closing = opening + row.deliveries - row.returns - row.paid


def _issue(row: Statement, *, is_latest: bool) -> None:
    row.status, row.issued_at = S.PENDING, timezone.now()
    event_record(row, actor=None, kind="statement.issued", to_state=S.PENDING)
    issued_publish(row, is_latest=is_latest)


def statements_issue() -> int:
    """Bring every enterprise's statements up to today, each in its own transaction; return for how many. Runs in the platform's scope."""
    return done_for_each(Enterprise.objects.order_by("pk").values_list("pk", "group_id"), _made)


def _made(enterprise_id: int, group_id: int) -> bool:
    with tenant_scope(group_id=group_id):
        return bool(statements_make(enterprise=Enterprise.objects.get(pk=enterprise_id), today=timezone.localdate()))
