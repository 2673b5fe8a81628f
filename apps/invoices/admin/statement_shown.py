"""The first screen of a statement: state, closing amount, unpaid amount, due date, and the
enterprise's debts today.
"""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from django.db.models import Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common.days import moment_text
from apps.common.money import ZERO
from apps.invoices.models import BankMatch, Statement
from apps.invoices.months import next_month
from apps.invoices.selectors.bank import open_orders
from apps.invoices.selectors.debts import debts_of
from apps.invoices.selectors.statements import statement_remarks, statements_disputed
from apps.invoices.statement_enums import DebtAge, StatementStatus
from apps.office.cells import yuan_text
from apps.office.dossier import Fact, waiting_text
from apps.office.model_helpers import cached_on_instance

S = StatementStatus
COLOURS = {S.RUNNING: "info", S.PENDING: "warning", S.DISPUTED: "danger", S.CONFIRMED: "success"}


def statement_due(statement: Statement) -> date:
    """Return the due date of the month's last goods."""
    return (
        next_month(statement.month)
        - timedelta(days=1)
        + timedelta(days=statement.enterprise.credit_days)
    )


def statement_ages(statement: Statement) -> dict[str, str]:
    """Return the enterprise's debts today by age, as text."""
    return {str(name): yuan_text(_ages(statement)[code]) for code, name in DebtAge.choices}


def statement_talk(statement: Statement) -> SafeString | str:
    """Return the remarks, oldest first, or a dash if there are none."""
    rows = (
        (moment_text(row.at), row.author.nickname, row.line.text if row.line else "整单", row.text)
        for row in cached_on_instance(
            statement, "talk", lambda: statement_remarks(statement=statement)
        )
    )
    return format_html_join("", "<p>{} {}（{}）：{}</p>", rows) or "—"


def statement_facts(statement: Statement) -> list[Fact]:
    """Return the facts of the first screen."""
    status = S(statement.status)
    owed = sum(_ages(statement).values(), ZERO)
    overdue = owed - _ages(statement)[DebtAge.NOT_DUE]
    enterprise = reverse("admin:org_enterprise_change", args=[statement.enterprise_id])
    facts = [
        Fact(
            "状态",
            status.label,
            _waits(statement),
            tag=COLOURS[status],
            is_late=status == S.DISPUTED,
        ),
        Fact("期末应付", yuan_text(statement.closing), f"期初应付 {yuan_text(statement.opening)}"),
        _open(statement),
        Fact("付款到期日", f"{statement_due(statement):%Y-%m-%d}", f"账期 {statement.month:%Y-%m}"),
        Fact(
            "客户",
            format_html('<a href="{}">{}</a>', enterprise, statement.enterprise),
            statement.group,
        ),
        Fact(
            "本期签收", yuan_text(statement.deliveries), f"本期退货 {yuan_text(statement.returns)}"
        ),
        Fact("本期付款", yuan_text(statement.paid), f"本期开票 {yuan_text(statement.invoiced)}"),
        Fact(
            "客户目前欠款",
            yuan_text(owed),
            f"已逾期 {yuan_text(overdue)}" if overdue else "",
            is_late=bool(overdue),
        ),
    ]
    talk = statement_talk(statement)
    return facts if talk == "—" else [*facts, Fact("异议与答复", talk, is_wide=True)]


def _waits(statement: Statement) -> str:
    match statement.status:
        case S.RUNNING:
            return f"{next_month(statement.month):%Y-%m-%d} 起出账"
        case S.PENDING:
            return waiting_text("等待客户确认", statement.issued_at)
        case S.DISPUTED:
            found = statements_disputed().filter(pk=statement.pk).first()
            return waiting_text("等待我方答复", getattr(found, "disputed_at", None))
    by = f"{statement.confirmed_by} " if statement.confirmed_by else ""
    return f"{by}{moment_text(statement.confirmed_at)}" if statement.confirmed_at else ""


def _open(statement: Statement) -> Fact:
    """Return the unpaid amount of the statement's orders, and the bank receipts matched by the
    statement.
    """
    orders = open_orders(enterprise_id=statement.enterprise_id, statement=statement)
    left = sum((row.left for row in orders), ZERO)
    matched = (
        BankMatch.objects.filter(statement=statement, undone_at=None).aggregate(sum=Sum("amount"))[
            "sum"
        ]
        or ZERO
    )
    told = [f"{len(orders)} 张订单未结清"] if orders else ["本期订单已结清"]
    told += [f"银行到账已匹配 {yuan_text(matched)}"] if matched else []
    return Fact("本期订单未结", yuan_text(left), "，".join(told))


def _ages(statement: Statement) -> dict[str, Decimal]:
    found = cached_on_instance(
        statement, "ages", lambda: debts_of([statement.enterprise], today=timezone.localdate())
    )
    return found[statement.enterprise_id]
