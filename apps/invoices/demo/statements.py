"""对账单 of the demo: every month that has ended, those before the last confirmed; two of the last disputed, one of them answered."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.days import day_begins
from apps.common.tenancy import tenant_scope
from apps.invoices.models import Statement
from apps.invoices.months import month_of, months, next_month
from apps.invoices.selectors.statements import statement_lines
from apps.invoices.services.statement_answer import statement_confirm, statement_dispute, statement_reply
from apps.invoices.services.statement_make import statements_make
from apps.invoices.statement_enums import StatementFigure, StatementStatus
from apps.orders.demo.clock import clock_at
from apps.orders.models import Receipt
from apps.org.enums import AccountType
from apps.org.models import Account, Enterprise

if TYPE_CHECKING:
    import random

# The hour of the first at which a month is issued, and how long after it the finance people have confirmed it.
ISSUED, CONFIRMED = timedelta(hours=2), timedelta(days=2, hours=8)


@dataclass(frozen=True, slots=True)
class Dispute:
    """What an enterprise said to its last month how many days ago, and what staff answered; empty: they have not yet."""

    enterprise: str
    days: float
    complaint: str
    answer: str = ""


# Who answers for an enterprise; for the others, its group's administrator.
FINANCE = {"XLJG": "finance", "YFJS": "yf.qin"}
ANSWERED_AFTER = timedelta(days=1, hours=2)
DISPUTES = (
    Dispute(
        "XLJG",
        4.1,
        "该明细的签收数量与我司入库单不一致，请核对签收记录。",
        "已核对签收单：数量与签收一致，签收人为贵司收货人，签收单已发送至财务邮箱，请再次核对后确认。",
    ),
    Dispute("YFJS", 1.2, "该明细对应的送货单未盖收货章，项目部无法入账，请补送盖章件。"),
)


def load_statements(now: datetime, _chance: random.Random) -> str:
    """Make each month's statements when it ended, and say to them what the customers' people would."""
    staff = Account.objects.get(username="ops.caiwu")
    for enterprise in Enterprise.objects.order_by("pk"):
        first = Receipt.objects.filter(order__enterprise=enterprise).order_by("received_at").first()
        if first is not None:
            with tenant_scope(group_id=enterprise.group_id):
                _kept(enterprise, month_of(first.received_at), now)
    for dispute in DISPUTES:
        _disputed(dispute, staff, now)
    return f"{Statement.objects.count()} 张，已确认 {Statement.objects.filter(status=StatementStatus.CONFIRMED).count()} 张"


def _keeper(enterprise: Enterprise) -> Account:
    name = FINANCE.get(enterprise.code)
    wanted = {"username": name} if name else {"group": enterprise.group_id, "kind": AccountType.GROUP_ADMIN}
    keeper: Account = Account.objects.get(**wanted)
    return keeper


def _kept(enterprise: Enterprise, first: date, now: datetime) -> None:
    """Issue each month as the next begins, and confirm it some days later; the last is not confirmed yet."""
    keeper = _keeper(enterprise)
    for month in months(first, month_of(now)):
        begun = min(day_begins(month) + ISSUED, now)
        with clock_at(begun):
            statements_make(enterprise=enterprise, today=timezone.localdate())
        if next_month(month) <= month_of(now):
            with clock_at(begun + CONFIRMED):
                for row in Statement.objects.filter(enterprise=enterprise, status=StatementStatus.PENDING).order_by("month"):
                    statement_confirm(actor=keeper, statement_id=str(row.pk), closing=row.closing)


def _disputed(dispute: Dispute, staff: Account, now: datetime) -> None:
    enterprise = Enterprise.objects.get(code=dispute.enterprise)
    keeper = _keeper(enterprise)
    with tenant_scope(group_id=enterprise.group_id):
        last = Statement.objects.filter(enterprise=enterprise, status=StatementStatus.PENDING).order_by("-month").first()
        line = statement_lines(statement=last, figure=StatementFigure.DELIVERIES).first() if last else None
        if last is None or last.issued_at is None or line is None:
            return
        # In the first days of a month it is not as long ago.
        at = max(now - timedelta(days=dispute.days), last.issued_at + timedelta(minutes=1))
        with clock_at(at):
            statement_dispute(actor=keeper, statement_id=str(last.pk), text=dispute.complaint, line_id=line.pk)
        if dispute.answer:
            with clock_at(min(at + ANSWERED_AFTER, now)):
                statement_reply(actor=staff, statement_id=last.pk, text=dispute.answer)
