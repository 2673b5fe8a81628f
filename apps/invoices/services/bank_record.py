"""Money that the bank received is written down, one by one or as a sheet; the same serial number is one receipt for ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.catalog.enums import ChangeKind
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.columns import Column, Row
from apps.catalog.services.imports.importer import Importer, Planned
from apps.catalog.services.imports.report import Action
from apps.common.audit import Change, acts_log
from apps.common.errors import ValidationFailed
from apps.common.money import yuan_text
from apps.invoices.models import BankReceipt

if TYPE_CHECKING:
    from apps.org.models import Account

NOT_YET = "到账日期不能晚于今天，请核对银行流水"
TOO_OLD = "到账日期早于 5 年前，请核对银行流水"
OLDEST = timedelta(days=5 * 366)
# What the log tells of a new receipt beside its amount.
TOLD = {"received_on": "到账日期", "payer_name": "付款方户名", "payer_account": "付款方账号", "remark": "附言"}


def day_problem(day: date, *, today: date) -> str:
    """Return what is wrong with the day on which money came; empty where it may be so.

    A day to come would date the payment where no statement looks for it, a slip like 0206 before anything was sold.
    """
    if day > today:
        return NOT_YET
    return TOO_OLD if today - day > OLDEST else ""


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
    """Return the new receipt; the audit log names who wrote it down.

    Raises:
        ValidationFailed: its serial number is there already, or its day is yet to come or years ago.
    """
    if problem := day_problem(received_on, today=timezone.localdate()):
        raise ValidationFailed({"received_on": [problem]})
    money: dict[str, Any] = {"amount": amount}
    try:
        with transaction.atomic():
            receipt: BankReceipt = BankReceipt.objects.create(
                serial=serial,
                received_on=received_on,
                payer_name=payer_name,
                payer_account=payer_account,
                remark=remark,
                recorded_by=actor,
                **money,
            )
            _log(actor, [receipt])
    except IntegrityError as error:
        raise ValidationFailed({"serial": [f"流水号 {serial} 已登记过，请勿重复登记"]}) from error
    return receipt


def _log(actor: Account | None, receipts: Iterable[BankReceipt]) -> None:
    """Write what each new receipt says into the log."""
    acts_log(staff=actor, acts=[(receipt, _told(receipt)) for receipt in receipts], is_new=True)


def _told(receipt: BankReceipt) -> dict[str, Change]:
    said = [(label, getattr(receipt, name)) for name, label in TOLD.items()]
    return {"到账金额": ("", yuan_text(receipt.amount)), **{label: ("", value) for label, value in said if value}}


def _received_on(cell: str, today: date) -> date:
    found = cells.day(cell, today)
    if problem := day_problem(found, today=today):
        raise ValueError(problem)
    return found


def _received(cell: str, _today: date) -> Decimal:
    amount = cells.money(cell.replace("¥", "").replace(",", "").strip(), _today)
    if not amount:
        raise ValueError("到账金额须大于 0；支出与冲正请不要导入")
    return amount


class BankReceiptImporter(Importer[BankReceipt]):
    """A sheet of receipts: new serial numbers are written, known ones are left as they are, and refused where they say something else."""

    kind = "bank_receipt"
    title = "银行到账"
    model = BankReceipt
    change_kind = ChangeKind.PRODUCT
    columns = (
        Column("流水号", "serial", cells.text(40), is_key=True, example="2026030212345678"),
        Column("到账日期", "received_on", _received_on, required=True, example="2026-03-02"),
        Column("付款方户名", "payer_name", cells.text(120), required=True, example="云帆示例科技有限公司"),
        Column("付款方账号", "payer_account", cells.text(40), empty="", example="32050100000000000001"),
        Column("到账金额", "amount", _received, required=True, example="12800.50"),
        Column("附言", "remark", cells.text(200), empty="", example="SO26030112345678 货款"),
    )

    def key_of(self, row: Row) -> str:
        """Return the bank's number of the receipt."""
        return str(row.values["serial"])

    def prepare(self, rows: Sequence[Row]) -> None:
        """Look up which of the numbers are there."""
        found = BankReceipt.objects.filter(serial__in=[row.values["serial"] for row in rows])
        self._found = {receipt.serial: receipt for receipt in found}

    def find(self, row: Row) -> BankReceipt | None:
        """Return the receipt of that number."""
        return self._found.get(row.values["serial"])

    def check(self, item: Planned[BankReceipt]) -> None:
        """Refuse a known number with another amount, day or payer: one of the two is wrong."""
        for name, old, new in item.changes:
            item.row.refuse(
                self.sheet.header_of(name), f"该流水号已登记，内容为 {self.shown(name, old)}，文件中为 {self.shown(name, new)}，请核对"
            )

    def write(self, planned: Sequence[Planned[BankReceipt]]) -> None:
        """Write the new ones and who did; what another import wrote a moment ago stays as it is, under its own moment and name."""
        new: list[Any] = [item.instance for item in planned if item.action is Action.CREATE]
        for receipt in new:
            receipt.recorded_by = self.actor
        BankReceipt.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)
        moments = {receipt.serial: receipt.created_at for receipt in new}
        written = BankReceipt.objects.filter(serial__in=moments, recorded_by=self.actor).order_by("pk")
        _log(self.actor, [receipt for receipt in written if receipt.created_at == moments[receipt.serial]])
