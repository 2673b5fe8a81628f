"""对账单 of the demo for every past month. All but the last month are confirmed. Two statements
of the last month are disputed; one of these has an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from django.utils import timezone

from apps.common.days import get_month, get_next_month, list_months, start_of_day
from apps.common.tenancy import tenant_scope
from apps.invoices.enums import StatementFigure, StatementStatus
from apps.invoices.models import Statement
from apps.invoices.selectors.statements import list_statement_lines
from apps.invoices.services.statements import (
    statement_confirm,
    statement_dispute,
    statement_reply,
    statements_update,
)
from apps.orders.models import Receipt
from apps.org.enums import AccountType
from apps.org.models import Account, Enterprise
from demo.load.clock import clock_at

if TYPE_CHECKING:
    import random

# Offset of the issue from the start of the next month, then the delay until the confirmation.
ISSUED, CONFIRMED = timedelta(hours=2), timedelta(days=2, hours=8)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute of an enterprise about its last month, `days` ago. `answer` is empty if staff
    have not answered.
    """

    enterprise: str
    days: float
    complaint: str
    answer: str = ""


# Finance account of an enterprise. Other enterprises use the administrator of their group.
FINANCE = {"XLJG": "finance", "YFJS": "yf.qin"}
ANSWERED_AFTER = timedelta(days=1, hours=2)
DISPUTES = (
    Dispute(
        "XLJG",
        4.1,
        "该明细的签收数量与我司入库单不一致，请核对签收记录。",
        (
            "已核对签收单：数量与签收一致，签收人为贵司收货人，签收单已发送至财务邮箱，"
            "请再次核对后确认。"
        ),
    ),
    Dispute("YFJS", 1.2, "该明细对应的送货单未盖收货章，项目部无法入账，请补送盖章件。"),
)


def load_statements(now: datetime, _chance: random.Random) -> str:
    """Issue the statements of each month at its end, then confirm or dispute them as the
    customers. Return a summary in Chinese.
    """
    staff = Account.objects.get(username="ops.caiwu")
    for enterprise in Enterprise.objects.order_by("pk"):
        first = Receipt.objects.filter(order__enterprise=enterprise).order_by("received_at").first()
        if first is not None:
            with tenant_scope(group_id=enterprise.group_id):
                _keep_statements(enterprise, get_month(first.received_at), now)
    for dispute in DISPUTES:
        _create_dispute(dispute, staff, now)
    return (
        f"{Statement.objects.count()} 张，已确认 "
        f"{Statement.objects.filter(status=StatementStatus.CONFIRMED).count()} 张"
    )


def _find_keeper(enterprise: Enterprise) -> Account:
    name = FINANCE.get(enterprise.code)
    wanted = (
        {"username": name}
        if name
        else {"group": enterprise.group_id, "kind": AccountType.GROUP_ADMIN}
    )
    keeper: Account = Account.objects.get(**wanted)
    return keeper


def _keep_statements(enterprise: Enterprise, first: date, now: datetime) -> None:
    """Issue each month at the start of the next one, and confirm it some days later. The last
    month stays unconfirmed.
    """
    keeper = _find_keeper(enterprise)
    for month in list_months(first, get_month(now)):
        begun = min(start_of_day(month) + ISSUED, now)
        with clock_at(begun):
            statements_update(enterprise=enterprise, today=timezone.localdate())
        if get_next_month(month) <= get_month(now):
            with clock_at(begun + CONFIRMED):
                for row in Statement.objects.filter(
                    enterprise=enterprise, status=StatementStatus.PENDING
                ).order_by("month"):
                    statement_confirm(actor=keeper, statement_id=str(row.pk), closing=row.closing)


def _create_dispute(dispute: Dispute, staff: Account, now: datetime) -> None:
    enterprise = Enterprise.objects.get(code=dispute.enterprise)
    keeper = _find_keeper(enterprise)
    with tenant_scope(group_id=enterprise.group_id):
        last = (
            Statement.objects.filter(enterprise=enterprise, status=StatementStatus.PENDING)
            .order_by("-month")
            .first()
        )
        line = (
            list_statement_lines(statement=last, figure=StatementFigure.DELIVERIES).first()
            if last
            else None
        )
        if last is None or last.issued_at is None or line is None:
            return
        # Early in a month the statement is younger than `dispute.days`.
        at = max(now - timedelta(days=dispute.days), last.issued_at + timedelta(minutes=1))
        with clock_at(at):
            statement_dispute(
                actor=keeper, statement_id=str(last.pk), text=dispute.complaint, line_id=line.pk
            )
        if dispute.answer:
            with clock_at(min(at + ANSWERED_AFTER, now)):
                statement_reply(actor=staff, statement_id=last.pk, text=dispute.answer)
