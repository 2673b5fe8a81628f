"""对账单 of the demo: every month that has ended, those before the last confirmed, the last disputed and answered."""

from __future__ import annotations

from datetime import datetime, timedelta
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
from apps.org.models import Account, Enterprise

if TYPE_CHECKING:
    import random

# The hour of the first at which a month is issued, and how long after it the finance people have confirmed it.
ISSUED, CONFIRMED = timedelta(hours=2), timedelta(days=2, hours=8)
# How long ago the last one was disputed and answered.
DISPUTED, ANSWERED = timedelta(days=4, hours=3), timedelta(days=3, hours=1)
COMPLAINT = "该明细的签收数量与我司入库单不一致，请核对签收记录。"
ANSWER = "已核对签收单：数量与签收一致，签收人为贵司收货人，签收单已发送至财务邮箱，请再次核对后确认。"


def statements_load(now: datetime, _chance: random.Random) -> str:
    """Make each month's statements when it ended, and say to them what the finance people of the demo would."""
    finance = Account.objects.filter(username="finance").first()
    staff = Account.objects.filter(is_staff=True, is_active=True).order_by("pk").first()
    first = Receipt.objects.order_by("received_at").first()
    if finance is None or finance.group_id is None or staff is None or first is None:
        return "没有财务账号或签收记录，未生成对账单"
    with tenant_scope(group_id=finance.group_id):
        for month in months(month_of(first.received_at), month_of(now)):
            begun = min(day_begins(month) + ISSUED, now)
            _issued(Enterprise.objects.get(pk=finance.enterprise_id), begun)
            if next_month(month) <= month_of(now):
                with clock_at(begun + CONFIRMED):
                    _confirmed(finance)
        _talked(now, finance, staff)
    # Nobody of the demo answers for the others: what they have is told at once.
    for enterprise in Enterprise.objects.exclude(pk=finance.enterprise_id).order_by("pk"):
        with tenant_scope(group_id=enterprise.group_id):
            _issued(enterprise, now)
    return f"{Statement.objects.count()} 张，已确认 {Statement.objects.filter(status=StatementStatus.CONFIRMED).count()} 张"


def _issued(enterprise: Enterprise, begun: datetime) -> None:
    """Issue the month before as another begins."""
    with clock_at(begun):
        statements_make(enterprise=enterprise, today=timezone.localdate())


def _confirmed(finance: Account) -> None:
    for row in Statement.objects.filter(enterprise=finance.enterprise_id, status=StatementStatus.PENDING).order_by("month"):
        statement_confirm(actor=finance, statement_id=str(row.pk), closing=row.closing)


def _talked(now: datetime, finance: Account, staff: Account) -> None:
    last = Statement.objects.filter(enterprise=finance.enterprise_id, status=StatementStatus.PENDING).order_by("-month").first()
    line = statement_lines(statement=last, figure=StatementFigure.DELIVERIES).first() if last else None
    if last is None or last.issued_at is None or line is None:
        return
    # In the first days of a month it is not as long ago.
    with clock_at(max(now - DISPUTED, last.issued_at + timedelta(minutes=1))):
        statement_dispute(actor=finance, statement_id=str(last.pk), text=COMPLAINT, line_id=line.pk)
    with clock_at(max(now - ANSWERED, last.issued_at + timedelta(minutes=2))):
        statement_reply(actor=staff, statement_id=last.pk, text=ANSWER)
