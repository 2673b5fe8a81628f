"""Bank receipts: record them one by one or from a sheet, match them to orders, undo a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from apps.catalog.enums import ChangeKind
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import Importer, PlannedRow
from apps.catalog.services.imports.report import Action
from apps.catalog.services.imports.sheet import Column, Row
from apps.common.audit import Change, act_log, acts_log
from apps.common.background.outbox import outbox_publish
from apps.common.days import start_of_day
from apps.common.errors import ValidationFailed
from apps.common.money import ZERO, build_money_value, format_yuan
from apps.common.tenancy import platform_scope, tenant_scope
from apps.invoices.errors import (
    MatchEmpty,
    MatchTooLong,
    MatchUndoneAlready,
    ReceiptMatched,
    ReceiptNotFound,
    ReceiptShort,
    SerialTaken,
)
from apps.invoices.models import BankMatch, BankReceipt, Statement
from apps.orders.locks import lock_order
from apps.orders.services.payments import payment_record, payment_undo

if TYPE_CHECKING:
    from apps.org.models import Account

IN_FUTURE = "到账日期不能晚于今天，请核对银行流水"
TOO_OLD = "到账日期早于 5 年前，请核对银行流水"
MAX_AGE = timedelta(days=5 * 366)
# Fields of a new receipt in the audit log, besides the amount.
LOGGED_FIELDS = {
    "received_on": "到账日期",
    "payer_name": "付款方户名",
    "payer_account": "付款方账号",
    "remark": "附言",
}
MOVED_TOPIC = "bank.moved"
# Maximum orders per match: each one is locked, paid and published.
MAX_ORDERS = 500


def find_day_problem(day: date, *, today: date) -> str:
    """Return an error text for the day of a receipt, empty if the day is valid.

    The payment gets this date. A future day is outside every statement; a day more than 5 years ago
    is a typing error.
    """
    if day > today:
        return IN_FUTURE
    return TOO_OLD if today - day > MAX_AGE else ""


def receipt_record(
    *,
    actor: Account,
    serial: str,
    received_on: date,
    payer_name: str,
    amount: Decimal,
    payer_account: str = "",
    remark: str = "",
) -> BankReceipt:
    """Save and return a new receipt. The audit log records the actor.

    Raises:
        ValidationFailed: the serial number exists, or the day is in the future or too long ago.
    """
    if problem := find_day_problem(received_on, today=timezone.localdate()):
        raise ValidationFailed({"received_on": [problem]})
    try:
        with transaction.atomic():
            receipt: BankReceipt = BankReceipt.objects.create(
                serial=serial,
                received_on=received_on,
                payer_name=payer_name,
                payer_account=payer_account,
                remark=remark,
                recorded_by=actor,
                amount=amount,
            )
            _log(actor, [receipt])
    except IntegrityError as error:
        raise SerialTaken(serial) from error
    return receipt


@transaction.atomic
def receipt_match(
    *,
    actor: Account,
    receipt_id: int,
    parts: Mapping[int, Decimal],
    statement_id: int | None = None,
) -> list[BankMatch]:
    """Match parts of a receipt ({order pk: 元}) to orders, record the payments and return the
    matches. `statement_id` is the statement that led to the orders.

    Orders are locked by primary key, the receipt is updated last. Two concurrent matches cannot
    take more than the receipt's amount.

    Raises:
        ReceiptNotFound: no receipt has this id.
        ValidationFailed: no amount is given, there are too many orders, or an amount is more than
            the order owes.
        WrongState: the receipt is set aside, or an order cannot be paid by transfer.
        ReceiptSpent: the parts sum to more than the unmatched amount.
    """
    receipt = _get_receipt(receipt_id)
    amount_by_order = {order_id: amount for order_id, amount in sorted(parts.items()) if amount}
    if not amount_by_order:
        raise MatchEmpty
    if len(amount_by_order) > MAX_ORDERS:
        raise MatchTooLong(MAX_ORDERS)
    matches = [
        _match_order(
            actor=actor,
            receipt=receipt,
            order_id=order_id,
            amount=amount,
            statement_id=statement_id,
        )
        for order_id, amount in amount_by_order.items()
    ]
    _add_matched_amount(receipt, sum(amount_by_order.values(), ZERO))
    for group_id, enterprise_id in {
        (row.group_id, row.payment.order.enterprise_id) for row in matches
    }:
        with tenant_scope(group_id=group_id):
            _publish_match(enterprise_id)
    return matches


def receipt_unmatch(*, actor: Account, match_id: int, reason: str) -> BankMatch:
    """Undo a match: the payment is reversed and the amount is unmatched again.

    Raises:
        ReceiptNotFound: no match has this id.
        WrongState: the match is undone already, or part of the payment was refunded to the
            customer.
    """
    with platform_scope(reason="a match of a bank receipt"):
        keys = (
            BankMatch.objects.filter(pk=match_id)
            .values_list("group_id", "payment__order__order_no")
            .first()
        )
    if keys is None:
        raise ReceiptNotFound
    with tenant_scope(group_id=keys[0]), transaction.atomic():
        order = lock_order(order_no=keys[1])
        match: BankMatch = BankMatch.objects.select_for_update(of=("self",)).get(pk=match_id)
        if match.undone_at is not None:
            raise MatchUndoneAlready
        payment_undo(order, match.payment_id, actor=actor, reason=reason)
        match.undone_at, match.undone_by, match.undone_reason = timezone.now(), actor, reason
        match.save(update_fields=["undone_at", "undone_by", "undone_reason"])
        BankReceipt.objects.filter(pk=match.receipt_id).update(
            matched_amount=F("matched_amount") - build_money_value(match.amount),
            updated_at=timezone.now(),
        )
        _publish_match(order.enterprise_id)
    return match


@transaction.atomic
def receipt_set_aside(*, actor: Account, receipt_id: int, reason: str) -> BankReceipt:
    """Mark a receipt as not a customer's payment. An empty reason removes the mark. The audit
    log records the actor.

    Raises:
        ReceiptNotFound: no receipt has this id.
        WrongState: a part of the receipt is matched.
    """
    before = BankReceipt.objects.select_for_update(no_key=True).filter(pk=receipt_id).first()
    if before is None:
        raise ReceiptNotFound
    unmatched = BankReceipt.objects.filter(pk=receipt_id, matched_amount=0)
    if not unmatched.update(set_aside=reason, updated_at=timezone.now()):
        raise ReceiptMatched
    act_log(subject=before, staff=actor, changes={"无需匹配的原因": (before.set_aside, reason)})
    return _get_receipt(receipt_id)


def _get_receipt(pk: int) -> BankReceipt:
    receipt = BankReceipt.objects.filter(pk=pk).first()
    if receipt is None:
        raise ReceiptNotFound
    return receipt


def _match_order(
    *,
    actor: Account,
    receipt: BankReceipt,
    order_id: int,
    amount: Decimal,
    statement_id: int | None,
) -> BankMatch:
    """Record a payment of `amount` 元 for the order and match it with the receipt."""
    payment = payment_record(
        actor=actor,
        order_id=order_id,
        amount=amount,
        reference=f"银行流水 {receipt.serial}",
        paid_at=min(start_of_day(receipt.received_on), timezone.now()),
    )
    with tenant_scope(group_id=payment.group_id):
        match: BankMatch = BankMatch.objects.create(
            group_id=payment.group_id,
            receipt=receipt,
            payment=payment,
            statement_id=_find_statement_id(statement_id, payment.order.enterprise_id),
            amount=amount,
            matched_at=timezone.now(),
            matched_by=actor,
        )
    return match


def _find_statement_id(statement_id: int | None, enterprise_id: int) -> int | None:
    """Return the statement's id if the statement belongs to the enterprise, otherwise None."""
    if statement_id is None:
        return None
    rows = Statement.objects.filter(pk=statement_id, enterprise=enterprise_id)
    return statement_id if rows.exists() else None


def _add_matched_amount(receipt: BankReceipt, total: Decimal) -> None:
    """Add `total` 元 to the receipt's `matched_amount` by a conditional UPDATE. No other function
    increases the column. Raise ReceiptShort if the receipt has less left or is set aside.
    """
    rows = BankReceipt.objects.filter(
        pk=receipt.pk, set_aside="", matched_amount__lte=F("amount") - build_money_value(total)
    )
    if not rows.update(
        matched_amount=F("matched_amount") + build_money_value(total), updated_at=timezone.now()
    ):
        current = BankReceipt.objects.get(pk=receipt.pk)
        raise ReceiptShort(left=current.left, total=total)


def _publish_match(enterprise_id: int) -> None:
    """Publish a message, so that the statement is updated at once and not by the hourly job."""
    outbox_publish(
        topic=MOVED_TOPIC, key=str(enterprise_id), payload={"EnterpriseId": enterprise_id}
    )


def _log(actor: Account | None, receipts: Iterable[BankReceipt]) -> None:
    """Write one audit entry per new receipt."""
    acts_log(
        staff=actor,
        acts=[(receipt, _get_logged_values(receipt)) for receipt in receipts],
        is_new=True,
    )


def _get_logged_values(receipt: BankReceipt) -> dict[str, Change]:
    """Return {label: (empty, value)} of the new receipt, for its history."""
    values = [(label, getattr(receipt, name)) for name, label in LOGGED_FIELDS.items()]
    return {
        "到账金额": ("", format_yuan(receipt.amount)),
        **{label: ("", value) for label, value in values if value},
    }


def _read_received_on(cell: str, today: date) -> date:
    """Return the day in the cell.

    Raises:
        ValueError: it is no day, or not a possible one.
    """
    day = cells.parse_day(cell, today)
    if problem := find_day_problem(day, today=today):
        raise ValueError(problem)
    return day


def _read_amount(cell: str, _today: date) -> Decimal:
    """Return the amount in 元.

    Raises:
        ValueError: it is not a positive amount.
    """
    amount = cells.parse_money(cell, _today)
    if not amount:
        raise ValueError("到账金额须大于 0；支出与冲正请不要导入")
    return amount


class BankReceiptImporter(Importer[BankReceipt]):
    """Imports a sheet of receipts. New serial numbers are created and identical ones are
    skipped. A row with a known serial number and other values is refused.
    """

    kind = "bank_receipt"
    title = "银行到账"
    model = BankReceipt
    change_kind = ChangeKind.PRODUCT
    columns = (
        Column(
            "流水号", "serial", cells.build_text_parser(40), is_key=True, example="2026030212345678"
        ),
        Column("到账日期", "received_on", _read_received_on, required=True, example="2026-03-02"),
        Column(
            "付款方户名",
            "payer_name",
            cells.build_text_parser(120),
            required=True,
            example="云帆示例科技有限公司",
        ),
        Column(
            "付款方账号",
            "payer_account",
            cells.build_text_parser(40),
            empty="",
            example="32050100000000000001",
        ),
        Column("到账金额", "amount", _read_amount, required=True, example="12800.50"),
        Column(
            "附言",
            "remark",
            cells.build_text_parser(200),
            empty="",
            example="SO26030112345678 货款",
        ),
    )

    def build_row_key(self, row: Row) -> str:
        """Return the bank's serial number of the receipt."""
        return str(row.values["serial"])

    def prepare(self, rows: Sequence[Row]) -> None:
        """Load the existing receipts with the serial numbers of these rows."""
        receipts = BankReceipt.objects.filter(serial__in=[row.values["serial"] for row in rows])
        self._existing = {receipt.serial: receipt for receipt in receipts}

    def find(self, row: Row) -> BankReceipt | None:
        """Return the existing receipt with the row's serial number, or None."""
        return self._existing.get(row.values["serial"])

    def check(self, item: PlannedRow[BankReceipt]) -> None:
        """Refuse a known serial number with other values. Either the sheet or the record is
        wrong.
        """
        for name, old_value, new_value in item.changes:
            item.row.refuse(
                self.sheet.get_header(name),
                (
                    f"该流水号已登记，内容为 {self.format_value(name, old_value)}，文件中为 "
                    f"{self.format_value(name, new_value)}，请核对"
                ),
            )

    def write(self, planned: Sequence[PlannedRow[BankReceipt]]) -> None:
        """Create the new receipts with the actor. Skip receipts that a concurrent import has
        created.
        """
        new_receipts: list[Any] = [
            item.instance for item in planned if item.action is Action.CREATE
        ]
        for receipt in new_receipts:
            receipt.recorded_by = self.actor
        BankReceipt.objects.bulk_create(new_receipts, batch_size=500, ignore_conflicts=True)
        moments = {receipt.serial: receipt.created_at for receipt in new_receipts}
        written = BankReceipt.objects.filter(serial__in=moments, recorded_by=self.actor).order_by(
            "pk"
        )
        own_receipts = [
            receipt for receipt in written if receipt.created_at == moments[receipt.serial]
        ]
        self._created = {receipt.serial: receipt.pk for receipt in own_receipts}
        _log(self.actor, own_receipts)

    def list_created_keys(self, planned: Sequence[PlannedRow[BankReceipt]]) -> dict[str, int]:
        """Return {serial number: pk} of the receipts that this import created, without those of
        a concurrent import.
        """
        return self._created
