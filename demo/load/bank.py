"""银行到账 of the demo: matched, overpaid, unmatched with each kind of suggestion, from an
unknown payer, and set aside.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.common.money import ZERO
from apps.common.tenancy import platform_scope, tenant_scope
from apps.invoices.enums import StatementStatus
from apps.invoices.models import BankReceipt, Statement
from apps.invoices.selectors.bank_receipts import OpenOrder, list_open_orders
from apps.invoices.services.bank_receipts import receipt_match, receipt_record, receipt_set_aside
from apps.invoices.services.statements import statements_update
from apps.org.models import Account, Enterprise, InvoiceTitle
from demo.load.clock import clock_at

if TYPE_CHECKING:
    import random

MATCHED_AFTER = timedelta(hours=2)
NO_MONEY = Decimal("0.00")


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment of an enterprise `days` ago, for its `orders` newest unpaid completed orders.
    `too_much` is the overpayment in 元.
    """

    enterprise: str
    days: float
    orders: int
    is_matched: bool
    remark: str = "货款"
    too_much: Decimal = NO_MONEY
    has_account: bool = True


PAID = (
    Paid("XLJG", 6.2, 2, is_matched=True),
    Paid("YFWY", 4.1, 1, is_matched=True, remark="结算货款", too_much=Decimal("200.00")),
    Paid("XLDQ", 2.3, 1, is_matched=False, remark="{order} 货款"),
    Paid("QLYH", 1.4, 1, is_matched=False, remark="办公用品款", has_account=False),
)
# This enterprise pays its last statement as a whole.
BY_STATEMENT, BY_STATEMENT_DAYS = "XLJG", 0.8


def load_bank(now: datetime, _chance: random.Random) -> str:
    """Record the bank receipts of the last days and match some of them. Return a summary in
    Chinese.
    """
    staff = Account.objects.get(username="ops.caiwu")
    for paid in PAID:
        _record_payment(paid, staff, now - timedelta(days=paid.days))
    _pay_statement(staff, now - timedelta(days=BY_STATEMENT_DAYS))
    unknown = now - timedelta(days=3.2)
    _record_receipt(
        staff,
        unknown,
        payer_name="姑苏示例贸易有限公司",
        payer_account="6200000000000000999",
        amount=Decimal("3280.00"),
        remark="往来款",
    )
    interest = _record_receipt(
        staff,
        now - timedelta(days=2.6),
        payer_name="示例银行苏州虎丘支行",
        amount=Decimal("12.86"),
        remark="活期存款利息",
    )
    receipt_set_aside(actor=staff, receipt_id=interest.pk, reason="银行存款利息，不是客户付款")
    for enterprise in Enterprise.objects.filter(
        code__in=[paid.enterprise for paid in PAID if paid.is_matched]
    ):
        with tenant_scope(group_id=enterprise.group_id):
            statements_update(enterprise=enterprise, today=timezone.localdate())
    return f"{BankReceipt.objects.count()} 笔"


def _record_receipt(staff: Account, at: datetime, *, amount: Decimal, **fields: Any) -> BankReceipt:
    with clock_at(at):
        day = timezone.localdate()
        number = BankReceipt.objects.count() + 1
        return receipt_record(
            actor=staff,
            serial=f"{day:%Y%m%d}0512{number:06d}",
            received_on=day,
            amount=amount,
            **fields,
        )


def _record_payment(paid: Paid, staff: Account, at: datetime) -> None:
    enterprise = Enterprise.objects.get(code=paid.enterprise)
    with tenant_scope(group_id=enterprise.group_id):
        owed = [
            row for row in list_open_orders(enterprise_id=enterprise.pk) if _is_earlier(row, at)
        ][-paid.orders :]
    if not owed:
        return
    receipt = _record_receipt(
        staff,
        at,
        payer_name=enterprise.name,
        payer_account=_get_account_number(enterprise) if paid.has_account else "",
        amount=_sum(owed) + paid.too_much,
        remark=paid.remark.format(order=owed[0].order.order_no),
    )
    if paid.is_matched:
        with platform_scope(reason="demo"), clock_at(at + MATCHED_AFTER):
            receipt_match(
                actor=staff, receipt_id=receipt.pk, parts={row.order.pk: row.left for row in owed}
            )


def _is_earlier(row: OpenOrder, at: datetime) -> bool:
    return row.order.completed_at is not None and row.order.completed_at < at


def _pay_statement(staff: Account, at: datetime) -> None:
    """Record a payment of the whole open amount of the last issued statement, with the
    statement's number as remark.
    """
    enterprise = Enterprise.objects.get(code=BY_STATEMENT)
    with tenant_scope(group_id=enterprise.group_id):
        last = (
            Statement.objects.filter(enterprise=enterprise)
            .exclude(status=StatementStatus.RUNNING)
            .order_by("-month")
            .first()
        )
        owed = list_open_orders(enterprise_id=enterprise.pk, statement=last) if last else []
    if last is not None and owed:
        fields = {
            "payer_name": enterprise.name,
            "payer_account": _get_account_number(enterprise),
            "remark": f"对账单 {last.statement_no} 货款",
        }
        _record_receipt(staff, at, amount=_sum(owed), **fields)


def _sum(owed: list[OpenOrder]) -> Decimal:
    return sum((row.left for row in owed), ZERO)


def _get_account_number(enterprise: Enterprise) -> str:
    title: InvoiceTitle = InvoiceTitle.objects.get(enterprise=enterprise, is_default=True)
    return title.bank_account
