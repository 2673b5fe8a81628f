"""Open a red request: the pieces of a blue invoice to take back, the reason, and the party that
has to confirm within 72 hours.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from apps.common.errors import QuantityExceeded, ValidationFailed, WrongState
from apps.common.events import event_record
from apps.common.money import ZERO, tax_of
from apps.common.row_scope import row_scope
from apps.invoices.enums import InvoiceEventKind, InvoiceStatus, RedStatus
from apps.invoices.errors import InvoiceNotFound
from apps.invoices.locks import LockedInvoice, lock_invoice
from apps.invoices.models import Invoice, InvoiceLine, RedLetter, RedLine
from apps.invoices.numbers import red_number
from apps.invoices.selectors.scope import invoices_visible

if TYPE_CHECKING:
    from apps.org.models import Account

CONFIRM_WITHIN = timedelta(hours=72)
HOLDING = (RedStatus.AWAITS_SELLER, RedStatus.AWAITS_BUYER, RedStatus.CONFIRMED, RedStatus.ISSUED)


@dataclass(frozen=True, slots=True)
class RedForm:
    """The reason, a note, and the pieces by invoice line. Without quantities the whole rest of
    the invoice is taken back.
    """

    reason: str
    note: str = ""
    quantities: Mapping[int, int] | None = None


@transaction.atomic
def red_apply(*, actor: Account, invoice_id: int, form: RedForm) -> RedLetter:
    """Open a red request of the customer. The seller (staff) has to confirm it.

    Raises:
        InvoiceNotFound: the actor cannot see an invoice with this id.
        WrongState: the invoice is not issued, is red itself, or is taken back completely.
        QuantityExceeded: a quantity is more than the line has left.
        ValidationFailed: no line is given, or a line is not on the invoice.
    """
    if not invoices_visible(actor=actor).filter(pk=invoice_id).exists():
        raise InvoiceNotFound
    return red_opened(
        lock_invoice(pk=invoice_id), form, actor=actor, status=RedStatus.AWAITS_SELLER
    )


def red_open_by_staff(*, actor: Account, invoice_id: int, form: RedForm) -> RedLetter:
    """Open a red request of staff. The buyer has to confirm it.

    Raises:
        as `red_apply`.
    """
    with row_scope(Invoice, invoice_id, missing=InvoiceNotFound):
        return red_opened(
            lock_invoice(pk=invoice_id), form, actor=actor, status=RedStatus.AWAITS_BUYER
        )


def red_opened(
    locked: LockedInvoice,
    form: RedForm,
    *,
    actor: Account | None,
    status: RedStatus,
    is_for_return: bool = False,
) -> RedLetter:
    """Save and return a new request about a locked invoice. It holds its pieces from now on.

    Raises:
        as `red_apply`.
    """
    invoice = locked.invoice
    if invoice.is_red or invoice.status not in (InvoiceStatus.ISSUED, InvoiceStatus.PARTLY_RED):
        raise WrongState(
            f"发票 {invoice} "
            f"当前为{'红字发票' if invoice.is_red else invoice.get_status_display()}，"
            "不能申请红冲"
        )
    chosen = _chosen(locked, form.quantities)
    now = timezone.now()
    held = _tax_held([line.pk for line, _ in chosen])
    parts = [_part(line, quantity, held=held.get(line.pk, ZERO)) for line, quantity in chosen]
    letter: RedLetter = RedLetter.objects.create(
        red_no=f"?{secrets.token_hex(10)}",
        invoice=invoice,
        status=status,
        reason=form.reason,
        note=form.note,
        is_for_return=is_for_return,
        amount_incl_tax=sum((part.amount_incl_tax for part in parts), ZERO),
        tax_amount=sum((part.tax_amount for part in parts), ZERO),
        opened_by=actor,
        opened_at=now,
        expires_at=now + CONFIRM_WITHIN,
    )
    letter.red_no = red_number(pk=letter.pk, at=now)
    letter.save(update_fields=["red_no"])
    for part in parts:
        part.letter = letter
    RedLine.objects.bulk_create(parts, batch_size=500)
    for line, quantity in chosen:
        line.red_quantity += quantity
    InvoiceLine.objects.bulk_update([line for line, _ in chosen], ["red_quantity"], batch_size=500)
    note = f"{letter.get_reason_display()}，金额 {letter.amount_incl_tax:,.2f} 元"
    for subject in (letter, invoice):
        event_record(
            subject,
            actor=actor,
            kind=InvoiceEventKind.RED_OPENED,
            to_state=subject.status,
            reason=note,
        )
    return letter


def _chosen(
    locked: LockedInvoice, quantities: Mapping[int, int] | None
) -> list[tuple[InvoiceLine, int]]:
    if quantities is None:
        found = [
            (line, line.quantity - line.red_quantity)
            for line in locked.lines
            if line.red_quantity < line.quantity
        ]
        if not found:
            raise WrongState(f"发票 {locked.invoice} 已全部红冲或正在红冲，无需再次申请")
        return found
    by_key = {line.pk: line for line in locked.lines}
    if not quantities or any(pk not in by_key for pk in quantities):
        raise ValidationFailed({"Lines": ["请选择该发票的明细行，至少一行"]})
    for pk, quantity in quantities.items():
        left = by_key[pk].quantity - by_key[pk].red_quantity
        if quantity > left:
            raise QuantityExceeded(f"“{by_key[pk].name}”可红冲数量为 {left}，请修改后重试")
    return [(by_key[pk], quantity) for pk, quantity in sorted(quantities.items())]


def _tax_held(line_ids: list[int]) -> dict[int, Decimal]:
    """Return {invoice line pk: tax} of issued and open red requests. One query."""
    rows = RedLine.objects.filter(line__in=line_ids, letter__status__in=HOLDING).order_by()
    return dict(rows.values_list("line_id").annotate(tax=Sum("tax_amount")))


def _part(line: InvoiceLine, quantity: int, *, held: Decimal) -> RedLine:
    """Return the red line for a part of an invoice line. Its tax is the tax of all pieces taken
    back so far, including these, minus the tax of the other requests.

    The tax of the other requests is read, not computed from their pieces. If one of two requests
    was refused, the other may have the rounding cent.
    """
    amount: Any = line.unit_price_incl_tax * quantity
    tax: Any = min(max(_tax_back(line, line.red_quantity + quantity) - held, ZERO), amount)
    return RedLine(line=line, quantity=quantity, amount_incl_tax=amount, tax_amount=tax)


def _tax_back(line: InvoiceLine, pieces: int) -> Decimal:
    """Return the tax of the first pieces of the line. For all pieces it is the line's own tax."""
    whole: Decimal = line.tax_amount
    return (
        whole
        if pieces == line.quantity
        else min(tax_of(line.unit_price_incl_tax * pieces, line.tax_rate), whole)
    )
