"""Record bank receipts, one by one or from a sheet. A serial number is recorded only once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.catalog.enums import ChangeKind
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.importer import Importer, Planned
from apps.catalog.services.imports.report import Action
from apps.catalog.services.imports.sheet import Column, Row
from apps.common.audit import Change, acts_log
from apps.common.errors import ValidationFailed
from apps.common.money import yuan_text
from apps.invoices.models import BankReceipt

if TYPE_CHECKING:
    from apps.org.models import Account

NOT_YET = "到账日期不能晚于今天，请核对银行流水"
TOO_OLD = "到账日期早于 5 年前，请核对银行流水"
OLDEST = timedelta(days=5 * 366)
# Fields of a new receipt in the audit log, besides the amount.
TOLD = {
    "received_on": "到账日期",
    "payer_name": "付款方户名",
    "payer_account": "付款方账号",
    "remark": "附言",
}


def day_problem(day: date, *, today: date) -> str:
    """Return an error text for the day of a receipt, empty if the day is valid.

    The payment gets this date. A future day is outside every statement; a day more than 5 years ago
    is a typing error.
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
    """Save and return a new receipt. The audit log records the actor.

    Raises:
        ValidationFailed: the serial number exists, or the day is in the future or too long ago.
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
    """Write one audit entry per new receipt."""
    acts_log(staff=actor, acts=[(receipt, _told(receipt)) for receipt in receipts], is_new=True)


def _told(receipt: BankReceipt) -> dict[str, Change]:
    said = [(label, getattr(receipt, name)) for name, label in TOLD.items()]
    return {
        "到账金额": ("", yuan_text(receipt.amount)),
        **{label: ("", value) for label, value in said if value},
    }


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
    """Imports a sheet of receipts. New serial numbers are created and identical ones are
    skipped. A row with a known serial number and other values is refused.
    """

    kind = "bank_receipt"
    title = "银行到账"
    model = BankReceipt
    change_kind = ChangeKind.PRODUCT
    columns = (
        Column("流水号", "serial", cells.text(40), is_key=True, example="2026030212345678"),
        Column("到账日期", "received_on", _received_on, required=True, example="2026-03-02"),
        Column(
            "付款方户名",
            "payer_name",
            cells.text(120),
            required=True,
            example="云帆示例科技有限公司",
        ),
        Column(
            "付款方账号", "payer_account", cells.text(40), empty="", example="32050100000000000001"
        ),
        Column("到账金额", "amount", _received, required=True, example="12800.50"),
        Column("附言", "remark", cells.text(200), empty="", example="SO26030112345678 货款"),
    )

    def key_of(self, row: Row) -> str:
        """Return the bank's serial number of the receipt."""
        return str(row.values["serial"])

    def prepare(self, rows: Sequence[Row]) -> None:
        """Load the existing receipts with the serial numbers of these rows."""
        found = BankReceipt.objects.filter(serial__in=[row.values["serial"] for row in rows])
        self._found = {receipt.serial: receipt for receipt in found}

    def find(self, row: Row) -> BankReceipt | None:
        """Return the existing receipt with the row's serial number, or None."""
        return self._found.get(row.values["serial"])

    def check(self, item: Planned[BankReceipt]) -> None:
        """Refuse a known serial number with other values. Either the sheet or the record is
        wrong.
        """
        for name, old, new in item.changes:
            item.row.refuse(
                self.sheet.header_of(name),
                (
                    f"该流水号已登记，内容为 {self.shown(name, old)}，文件中为 "
                    f"{self.shown(name, new)}，请核对"
                ),
            )

    def write(self, planned: Sequence[Planned[BankReceipt]]) -> None:
        """Create the new receipts with the actor. Skip receipts that a concurrent import has
        created.
        """
        new: list[Any] = [item.instance for item in planned if item.action is Action.CREATE]
        for receipt in new:
            receipt.recorded_by = self.actor
        BankReceipt.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)
        moments = {receipt.serial: receipt.created_at for receipt in new}
        written = BankReceipt.objects.filter(serial__in=moments, recorded_by=self.actor).order_by(
            "pk"
        )
        mine = [receipt for receipt in written if receipt.created_at == moments[receipt.serial]]
        self._made = {receipt.serial: receipt.pk for receipt in mine}
        _log(self.actor, mine)

    def created_keys(self, planned: Sequence[Planned[BankReceipt]]) -> dict[str, int]:
        """Return {serial number: pk} of the receipts that this import created, without those of
        a concurrent import.
        """
        return self._made
