"""Statements: build them, answer them, and notify their readers.

Each fact belongs to the statement of its month. If that is confirmed, the fact goes into the next
unconfirmed statement. The customer confirms or disputes a statement, and staff reply.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.days import get_month, get_next_month, list_months, start_of_day
from apps.common.errors import WrongState
from apps.common.events import event_record
from apps.common.money import ZERO
from apps.common.numbers import format_document_number
from apps.common.tenancy import tenant_scope
from apps.invoices.enums import FIGURE_KINDS, StatementStatus
from apps.invoices.errors import (
    ClosingMoved,
    DisputeUnanswered,
    EarlierStatementOpen,
    StatementLineUnknown,
)
from apps.invoices.models import Statement, StatementLine, StatementProgress, StatementRemark
from apps.invoices.selectors.statement_facts import Fact, Window, list_new_facts
from apps.invoices.selectors.statements import get_statement
from apps.org.menus import MenuCode
from apps.org.models import Enterprise
from apps.org.selectors.roles import list_entitled_accounts

if TYPE_CHECKING:
    from apps.org.models import Account

S = StatementStatus
FIGURES = ("opening", *FIGURE_KINDS, "closing")
# Each run reads this overlap again: rows of a transaction that was still open in the last run are
# visible now. No transaction lasts longer.
OVERLAP = timedelta(days=1)
ANSWERABLE = (S.PENDING, S.DISPUTED)
NOT_ANSWERABLE_TEXTS = {
    S.RUNNING: "本月尚未出账，请在次月 1 日出账后操作",
    S.CONFIRMED: "对账单已确认，如有出入请联系客服，差额计入后续账期",
}
WAIVED = "放弃未答复的异议"
ISSUED_TOPIC = "statement.issued"
TITLES = {
    StatementStatus.CONFIRMED: "已由{who}确认",
    StatementStatus.DISPUTED: "被{who}提出异议",
    StatementStatus.PENDING: "的异议已答复",
}


@transaction.atomic
def statements_update(*, enterprise: Enterprise, today: date) -> list[Statement]:
    """Update the enterprise's statements up to the month of `today`. Returns the unconfirmed
    ones, oldest first.

    A confirmed statement never changes. A month that has ended is issued and then waits for the
    customer.
    """
    # The lock serializes the runs: each fact gets one line, and each opening equals the previous
    # closing.
    progress, now = _lock_progress(enterprise), timezone.now()
    running = today.replace(day=1)
    since = progress.recorded_until - OVERLAP if progress.recorded_until else None
    window = Window(
        enterprise.pk, dated_before=start_of_day(get_next_month(running)), saved_since=since
    )
    facts = sorted(list_new_facts(window), key=lambda fact: fact.at)
    progress.recorded_until = now
    progress.save(update_fields=["recorded_until"])
    # `no_key` avoids a deadlock: `receipt_match` locks an order and then references a statement,
    # while the lines written here reference that order.
    locked_statements = Statement.objects.select_for_update(of=("self",), no_key=True)
    rows = {
        row.month: row for row in locked_statements.filter(enterprise=enterprise).order_by("month")
    }
    if not rows and not facts:
        return []
    # The first statement stays the first. An earlier fact, such as a bank transfer, goes into the
    # first unconfirmed statement.
    first = min(rows) if rows else get_month(facts[0].at)
    for month in list_months(first, running):
        if month not in rows:
            rows[month] = _create_statement(enterprise, month)
    sorted_statements = [rows[month] for month in sorted(rows)]
    _save_lines(sorted_statements, facts)
    return _issue_in_order(sorted_statements, running)


def statements_issue() -> int:
    """Update the statements of every enterprise, each in its own transaction. Returns the number of
    enterprises with unconfirmed statements. The caller must open the platform scope.
    """
    return run_for_each(
        Enterprise.objects.order_by("pk").values_list("pk", "group_id"), _update_enterprise
    )


def handle_bank_moved(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `bank.moved`: a bank receipt was matched or unmatched, so update the enterprise's
    statements.
    """
    statements_update(
        enterprise=Enterprise.objects.get(pk=payload["EnterpriseId"]), today=timezone.localdate()
    )


@transaction.atomic
def statement_confirm(
    *, actor: Account, statement_id: str, closing: Decimal, waives_dispute: bool = False
) -> Statement:
    """Confirm a statement (待确认 or 有异议 → 已确认). A confirmed statement never changes. Earlier
    months must be confirmed first.

    A statement with a dispute that staff have not answered needs `waives_dispute`. The timeline
    records the waiver.

    Raises:
        StatementNotFound: the actor cannot see a statement with this id.
        Stale: the closing amount differs from the amount on the actor's page.
        WrongState: the month has not ended, the statement is confirmed already, a dispute is not
            answered and not waived, or an earlier statement is not confirmed.
    """
    statement = statement_lock_answerable(get_statement(actor=actor, pk=statement_id).pk)
    if statement.closing != closing:
        raise ClosingMoved(statement.closing)
    is_waived = statement.status == S.DISPUTED
    if is_waived and not waives_dispute:
        raise DisputeUnanswered(statement.status)
    earlier = Statement.objects.filter(
        enterprise=statement.enterprise_id, month__lt=statement.month
    ).exclude(status=S.CONFIRMED)
    if oldest := earlier.order_by("month").first():
        raise EarlierStatementOpen(oldest.month)
    statement.confirmed_at, statement.confirmed_by = timezone.now(), actor
    _change_status(statement, S.CONFIRMED, actor=actor, reason=WAIVED if is_waived else "")
    return statement


@transaction.atomic
def statement_dispute(
    *, actor: Account, statement_id: str, text: str, line_id: int | None = None
) -> StatementRemark:
    """Dispute a whole statement or one of its lines (待确认 → 有异议). A disputed statement accepts
    further remarks.

    Raises:
        StatementNotFound: the actor cannot see a statement with this id.
        WrongState: the month has not ended, or the statement is confirmed.
        ValidationFailed: the line is not on the statement.
    """
    statement = statement_lock_answerable(get_statement(actor=actor, pk=statement_id).pk)
    line = (
        StatementLine.objects.filter(statement=statement, pk=line_id).first() if line_id else None
    )
    if line_id and line is None:
        raise StatementLineUnknown
    (remark,) = remarks_write(
        actor=actor, statement=statement, remarks=[(line.pk if line else None, text)]
    )
    return remark


def remarks_write(
    *, actor: Account, statement: Statement, remarks: Sequence[tuple[int | None, str]]
) -> list[StatementRemark]:
    """Write remarks (line pk or None, text) about a locked, answerable statement, which becomes
    有异议. Readers get one notice for all of them. Runs in the caller's transaction.
    """
    now = timezone.now()
    written_remarks: list[StatementRemark] = StatementRemark.objects.bulk_create(
        [
            StatementRemark(
                group_id=statement.group_id,
                statement=statement,
                line_id=line_id,
                author=actor.impersonator or actor,
                text=text,
                at=now,
            )
            for line_id, text in remarks
        ]
    )
    more = f"（共 {len(remarks)} 条）" if len(remarks) > 1 else ""
    _change_status(statement, S.DISPUTED, actor=actor, reason=f"{remarks[0][1][:480]}{more}")
    return written_remarks


def statement_reply(*, actor: Account, statement_id: int, text: str) -> StatementRemark:
    """Reply to the customer (staff). The statement waits for the customer again.

    Raises:
        WrongState: the statement is not issued yet, or it is confirmed.
    """
    row = Statement.objects.only("group_id").get(pk=statement_id)
    with tenant_scope(group_id=row.group_id), transaction.atomic():
        statement = statement_lock_answerable(statement_id)
        remark: StatementRemark = StatementRemark.objects.create(
            group_id=statement.group_id,
            statement=statement,
            author=actor,
            is_answer=True,
            text=text,
            at=timezone.now(),
        )
        _change_status(statement, S.PENDING, actor=actor, reason=text)
    return remark


def _update_enterprise(enterprise_id: int, group_id: int) -> bool:
    """Update the statements of the enterprise. Return whether it has unconfirmed ones."""
    with tenant_scope(group_id=group_id):
        return bool(
            statements_update(
                enterprise=Enterprise.objects.get(pk=enterprise_id), today=timezone.localdate()
            )
        )


def _lock_progress(enterprise: Enterprise) -> StatementProgress:
    """Return the enterprise's progress row, locked."""
    row, _ = StatementProgress.objects.get_or_create(
        enterprise=enterprise, defaults={"group_id": enterprise.group_id}
    )
    progress: StatementProgress = StatementProgress.objects.select_for_update(
        of=("self",), no_key=True
    ).get(pk=row.pk)
    return progress


def _create_statement(enterprise: Enterprise, month: date) -> Statement:
    row: Statement = Statement.objects.create(
        group_id=enterprise.group_id,
        enterprise=enterprise,
        month=month,
        statement_no=f"-{enterprise.pk}-{month:%Y%m}",
    )
    row.statement_no = format_document_number("DZ", pk=row.pk, at=timezone.now())
    row.save(update_fields=["statement_no"])
    return row


def _save_lines(statements: list[Statement], facts: list[Fact]) -> None:
    """Save each fact as a line of its month's statement, or of the next unconfirmed one."""
    open_ones = [row for row in statements if row.status != S.CONFIRMED]
    lines = []
    for fact in facts:
        statement = next(row for row in open_ones if row.month >= get_month(fact.at))
        lines.append(_build_line(statement, fact))
    StatementLine.objects.bulk_create(lines, batch_size=2000)


def _build_line(statement: Statement, fact: Fact) -> StatementLine:
    return StatementLine(
        group_id=statement.group_id,
        statement=statement,
        kind=fact.kind,
        source_id=fact.source_id,
        at=fact.at,
        order_id=fact.order_id,
        reference=fact.reference[:64],
        text=fact.text[:300],
        quantity=fact.quantity,
        amount=fact.amount,
        tax_amount=fact.tax_amount,
    )


def _issue_in_order(statements: list[Statement], running: date) -> list[Statement]:
    """Compute the unconfirmed statements in order, carry the balances forward, and issue the
    months that have ended. Return these statements.
    """
    closing = ZERO
    unconfirmed = [row for row in statements if row.status != S.CONFIRMED]
    sums: defaultdict[int, dict[str, Decimal]] = defaultdict(dict)
    lines = StatementLine.objects.filter(statement__in=unconfirmed).order_by()
    for pk, kind, total in lines.values_list("statement_id", "kind").annotate(total=Sum("amount")):
        sums[pk][kind] = total
    for row in statements:
        if row.status != S.CONFIRMED:
            has_moved = _set_figures(row, closing, sums[row.pk])
            is_due = row.status == S.RUNNING and row.month < running
            if is_due:
                _issue_statement(row, is_latest=get_next_month(row.month) == running)
            if has_moved or is_due:
                row.save()
        closing = row.closing
    return unconfirmed


def _set_figures(row: Statement, opening: Decimal, sums: dict[str, Decimal]) -> bool:
    """Set the figures of the statement from the sums of its lines. Returns whether a figure has
    changed.
    """
    before = [getattr(row, name) for name in FIGURES]
    for figure, kinds in FIGURE_KINDS.items():
        setattr(row, figure, sum((sums.get(kind, ZERO) for kind in kinds), ZERO))
    row.opening = opening
    row.closing = opening + row.deliveries - row.returns - row.paid
    return before != [getattr(row, name) for name in FIGURES]


def _issue_statement(row: Statement, *, is_latest: bool) -> None:
    row.status, row.issued_at = S.PENDING, timezone.now()
    event_record(row, actor=None, kind="statement.issued", to_state=S.PENDING)
    _publish_issue(row, is_latest=is_latest)


def statement_lock_answerable(statement_id: int) -> Statement:
    """Return the statement, locked.

    Raises:
        WrongState: the month has not ended, or the statement is confirmed.
    """
    statement: Statement = Statement.objects.select_for_update(of=("self",), no_key=True).get(
        pk=statement_id
    )
    if statement.status not in ANSWERABLE:
        raise WrongState(
            NOT_ANSWERABLE_TEXTS[S(statement.status)], body={"Status": statement.status}
        )
    return statement


def _change_status(
    statement: Statement, to: StatementStatus, *, actor: Account, reason: str = ""
) -> None:
    before, statement.status = statement.status, to
    statement.save(update_fields=["status", "confirmed_at", "confirmed_by", "updated_at"])
    event_record(
        statement,
        actor=actor,
        kind=f"statement.{to}",
        from_state=before,
        to_state=to,
        reason=reason,
    )
    _publish_answer(statement, actor=actor, text=reason)


def _publish_issue(statement: Statement, *, is_latest: bool) -> None:
    """Publish that a statement waits for the customer. Only the latest month notifies people:
    the first run of a mall issues many months at once.
    """
    text = f"期末应付 ¥{statement.closing:,.2f}，请核对后确认"
    _publish(
        ISSUED_TOPIC,
        statement,
        to=_list_reader_ids(statement) if is_latest else [],
        title="已出账",
        text=text,
        once=str(statement.pk),
    )


def _publish_answer(statement: Statement, *, actor: Account, text: str) -> None:
    """Publish that a statement was confirmed, disputed or answered. The actor gets no notice."""
    to = [pk for pk in _list_reader_ids(statement) if pk != actor.pk]
    status = StatementStatus(statement.status)
    once = f"{statement.pk}:{status}:{statement.updated_at.isoformat()}"
    _publish(
        f"statement.{status}",
        statement,
        to=to,
        title=TITLES[status].format(who=actor.nickname),
        text=text,
        once=once,
    )


def _list_reader_ids(statement: Statement) -> list[int]:
    """Return the pks of the enterprise's accounts that may read statements."""
    return sorted(
        list_entitled_accounts(
            menu=MenuCode.INVOICE_LIST, enterprise_id=statement.enterprise_id
        ).values_list("pk", flat=True)
    )


def _publish(
    topic: str, statement: Statement, *, to: list[int], title: str, text: str, once: str
) -> None:
    payload: dict[str, Any] = {
        "To": to,
        "Title": f"{statement.enterprise.name} {statement.month:%Y 年 %m 月}对账单{title}",
        "Text": text,
        "Link": f"/userCenter/invoice/statement/{statement.pk}",
        "SubjectKey": f"statement:{statement.pk}",
        "Once": once,
    }
    outbox_publish(topic=topic, key=statement.statement_no, payload=payload)
