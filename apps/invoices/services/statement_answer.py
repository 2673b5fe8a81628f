"""Answers to a statement: the customer confirms or disputes it, staff reply."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.errors import Stale, ValidationFailed, WrongState
from apps.common.events import event_record
from apps.common.tenancy import tenant_scope
from apps.invoices.models import Statement, StatementLine, StatementRemark
from apps.invoices.selectors.statements import statement_get
from apps.invoices.services.statement_news import moved_publish
from apps.invoices.statement_enums import StatementStatus

if TYPE_CHECKING:
    from apps.org.models import Account

S = StatementStatus
ANSWERABLE = (S.PENDING, S.DISPUTED)
INSTEAD = {
    S.RUNNING: "本月尚未出账，请在次月 1 日出账后操作",
    S.CONFIRMED: "对账单已确认，如有出入请联系客服，差额计入后续账期",
}


@transaction.atomic
def statement_confirm(*, actor: Account, statement_id: str, closing: Decimal) -> Statement:
    """待确认 or 有异议 → 已确认. A confirmed statement never changes. Earlier months must be
    confirmed
    first.

    Raises:
        StatementNotFound: the actor cannot see a statement with this id.
        Stale: the closing amount differs from the amount on the actor's page.
        WrongState: the month has not ended, the statement is confirmed already, or an earlier one
            is not confirmed.
    """
    statement = _locked(statement_get(actor=actor, pk=statement_id).pk)
    if statement.closing != closing:
        raise Stale(
            f"对账单有新的明细，期末应付已变为 {statement.closing:,.2f} 元，请核对后再确认",
            body={"Closing": str(statement.closing)},
        )
    earlier = Statement.objects.filter(
        enterprise=statement.enterprise_id, month__lt=statement.month
    ).exclude(status=S.CONFIRMED)
    if oldest := earlier.order_by("month").first():
        raise WrongState(f"请先确认 {oldest.month:%Y 年 %m 月}的对账单，期初余额由上月结转")
    statement.confirmed_at, statement.confirmed_by = timezone.now(), actor
    _move(statement, S.CONFIRMED, actor=actor)
    return statement


@transaction.atomic
def statement_dispute(
    *, actor: Account, statement_id: str, text: str, line_id: int | None = None
) -> StatementRemark:
    """待确认 → 有异议, about the whole statement or one line. A disputed statement accepts further
    remarks.

    Raises:
        StatementNotFound: the actor cannot see a statement with this id.
        WrongState: the month has not ended, or the statement is confirmed.
        ValidationFailed: the line is not on the statement.
    """
    statement = _locked(statement_get(actor=actor, pk=statement_id).pk)
    line = (
        StatementLine.objects.filter(statement=statement, pk=line_id).first() if line_id else None
    )
    if line_id and line is None:
        raise ValidationFailed({"LineId": ["该明细不在本对账单内，请刷新后重试"]})
    remark: StatementRemark = StatementRemark.objects.create(
        group_id=statement.group_id,
        statement=statement,
        line=line,
        author=actor.impersonator or actor,
        text=text,
        at=timezone.now(),
    )
    _move(statement, S.DISPUTED, actor=actor, reason=text)
    return remark


def statement_reply(*, actor: Account, statement_id: int, text: str) -> StatementRemark:
    """Reply to the customer (staff). The statement waits for the customer again.

    Raises:
        WrongState: the statement is not issued yet, or it is confirmed.
    """
    found = Statement.objects.only("group_id").get(pk=statement_id)
    with tenant_scope(group_id=found.group_id), transaction.atomic():
        statement = _locked(statement_id)
        remark: StatementRemark = StatementRemark.objects.create(
            group_id=statement.group_id,
            statement=statement,
            author=actor,
            is_answer=True,
            text=text,
            at=timezone.now(),
        )
        _move(statement, S.PENDING, actor=actor, reason=text)
    return remark


def _locked(statement_id: int) -> Statement:
    statement: Statement = Statement.objects.select_for_update(of=("self",), no_key=True).get(
        pk=statement_id
    )
    if statement.status not in ANSWERABLE:
        raise WrongState(INSTEAD[S(statement.status)], body={"Status": statement.status})
    return statement


def _move(statement: Statement, to: StatementStatus, *, actor: Account, reason: str = "") -> None:
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
    moved_publish(statement, actor=actor, text=reason)
