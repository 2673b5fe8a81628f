"""Red requests (红冲申请): open one, confirm, refuse, withdraw or expire it. Each request is one
`RedLetter` (红冲确认单) from beginning to end; "red request" in texts means this row. It names the
pieces of a blue invoice to take back. The other party has to confirm it within 72 hours; then its
red invoice is created.

`red_letter_apply` opens a request of the buyer, `red_letter_open_by_staff` one of the seller, and
`red_letters_open_for_returns` (`red_for_returns.py`) the requests that refunds wait for. All three
use `red_letter_open`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.events import event_record
from apps.common.money import ZERO, compute_tax
from apps.common.tenancy import row_scope, tenant_scope
from apps.invoices.enums import InvoiceEventKind, InvoiceStatus, RedStatus
from apps.invoices.errors import (
    DenialReasonMissing,
    InvoiceNotFound,
    NoBuyerConfirmation,
    NoSellerConfirmation,
    NothingLeftToRed,
    NotReversible,
    RedExpired,
    RedLetterNotFound,
    RedLinesInvalid,
    RedNotWithdrawable,
    RedQuantityExceeded,
    RefundNeedsRed,
)
from apps.invoices.gateways import find_gateway
from apps.invoices.locks import LockedInvoice, lock_invoice, lock_letter
from apps.invoices.models import Invoice, InvoiceLine, RedLetter, RedLine
from apps.invoices.numbers import format_red_number, format_request_number
from apps.invoices.selectors.invoices import list_visible_invoices
from apps.invoices.services.quantities import lines_moved_publish
from apps.invoices.services.transitions import document_transition

if TYPE_CHECKING:
    from apps.org.models import Account

CONFIRM_WITHIN = timedelta(hours=72)
HOLDING = (RedStatus.AWAITS_SELLER, RedStatus.AWAITS_BUYER, RedStatus.CONFIRMED, RedStatus.ISSUED)
R, E = RedStatus, InvoiceEventKind
AWAITING = (R.AWAITS_SELLER, R.AWAITS_BUYER)


@dataclass(frozen=True, slots=True)
class RedForm:
    """The reason, a note, and the pieces by invoice line. Without quantities the whole rest of
    the invoice is taken back.
    """

    reason: str
    note: str = ""
    quantities: Mapping[int, int] | None = None


@transaction.atomic
def red_letter_apply(*, actor: Account, invoice_id: int, form: RedForm) -> RedLetter:
    """Open a red request of the customer. The seller (staff) has to confirm it.

    Raises:
        InvoiceNotFound: the actor cannot see an invoice with this id.
        WrongState: the invoice is not issued, is red itself, or is taken back completely.
        QuantityExceeded: a quantity is more than the line has left.
        ValidationFailed: no line is given, or a line is not on the invoice.
    """
    if not list_visible_invoices(actor=actor).filter(pk=invoice_id).exists():
        raise InvoiceNotFound
    return red_letter_open(
        lock_invoice(pk=invoice_id), form, actor=actor, status=RedStatus.AWAITS_SELLER
    )


def red_letter_open_by_staff(*, actor: Account, invoice_id: int, form: RedForm) -> RedLetter:
    """Open a red request of staff. The buyer has to confirm it.

    Raises:
        as `red_letter_apply`.
    """
    with row_scope(Invoice, invoice_id, missing=InvoiceNotFound):
        return red_letter_open(
            lock_invoice(pk=invoice_id), form, actor=actor, status=RedStatus.AWAITS_BUYER
        )


def red_letter_open(
    locked: LockedInvoice,
    form: RedForm,
    *,
    actor: Account | None,
    status: RedStatus,
    is_for_return: bool = False,
) -> RedLetter:
    """Save and return a new request about a locked invoice. It holds its pieces from now on.

    Raises:
        as `red_letter_apply`.
    """
    invoice = locked.invoice
    if invoice.is_red or invoice.status not in (InvoiceStatus.ISSUED, InvoiceStatus.PARTLY_RED):
        raise NotReversible(
            invoice_no=str(invoice), state=invoice.get_status_display(), is_red=invoice.is_red
        )
    chosen_lines = _choose_lines(locked, form.quantities)
    now = timezone.now()
    held_tax = _sum_held_tax([line.pk for line, _ in chosen_lines])
    parts = [
        _create_red_line(line, quantity, held_tax=held_tax.get(line.pk, ZERO))
        for line, quantity in chosen_lines
    ]
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
    letter.red_no = format_red_number(pk=letter.pk, at=now)
    letter.save(update_fields=["red_no"])
    for part in parts:
        part.letter = letter
    RedLine.objects.bulk_create(parts, batch_size=500)
    for line, quantity in chosen_lines:
        line.red_quantity += quantity
    InvoiceLine.objects.bulk_update(
        [line for line, _ in chosen_lines], ["red_quantity"], batch_size=500
    )
    note = f"{letter.get_reason_display()}，金额 ¥{letter.amount_incl_tax:,.2f}"
    for subject in (letter, invoice):
        event_record(
            subject,
            actor=actor,
            kind=InvoiceEventKind.RED_OPENED,
            to_state=subject.status,
            reason=note,
        )
    return letter


@transaction.atomic
def red_letter_answer(
    *, actor: Account, invoice_id: int, red_no: str, is_agreed: bool, reason: str = ""
) -> RedLetter:
    """The buyer confirms or refuses a request of the seller.

    Raises:
        RedLetterNotFound: the actor cannot see a request with this number.
        ValidationFailed: the refusal has no reason.
        WrongState: the request does not wait for the buyer.
    """
    letter, locked = lock_letter(pk=_get_visible_pk(actor, invoice_id, red_no))
    if letter.status != R.AWAITS_BUYER:
        raise NoBuyerConfirmation(red_no=str(letter), state=letter.get_status_display())
    _answer_letter(letter, locked, actor=actor, is_agreed=is_agreed, reason=reason)
    return letter


@transaction.atomic
def red_letter_withdraw(*, actor: Account, invoice_id: int, red_no: str) -> RedLetter:
    """Withdraw the buyer's own request before it is confirmed.

    Raises:
        RedLetterNotFound: the actor cannot see a request with this number.
        WrongState: the seller opened it, a return waits for it, or it is confirmed.
    """
    letter, _locked = lock_letter(pk=_get_visible_pk(actor, invoice_id, red_no))
    if letter.status != R.AWAITS_SELLER or letter.is_for_return:
        raise RedNotWithdrawable(red_no=str(letter), state=letter.get_status_display())
    _release(letter, R.WITHDRAWN, "撤销", actor=actor, kind=E.RED_WITHDRAWN)
    return letter


def red_letter_answer_by_staff(
    *, actor: Account, letter_id: int, is_agreed: bool, reason: str = ""
) -> RedLetter:
    """Staff confirm or refuse a request of the buyer.

    Raises:
        RedLetterNotFound: no request has this id.
        ValidationFailed: the refusal has no reason.
        WrongState: the request does not wait for the seller, or a refund waits for it and staff
            would refuse it.
    """
    with row_scope(RedLetter, letter_id, missing=RedLetterNotFound):
        letter, locked = lock_letter(pk=letter_id)
        if letter.status != R.AWAITS_SELLER:
            raise NoSellerConfirmation(red_no=str(letter), state=letter.get_status_display())
        if letter.is_for_return and not is_agreed:
            raise RefundNeedsRed(str(letter))
        _answer_letter(letter, locked, actor=actor, is_agreed=is_agreed, reason=reason)
    return letter


def red_letter_withdraw_by_staff(*, actor: Account, letter_id: int) -> RedLetter:
    """Withdraw the seller's own request before it is confirmed (staff).

    Raises:
        RedLetterNotFound: no request has this id.
        WrongState: the buyer opened it, or it is confirmed.
    """
    with row_scope(RedLetter, letter_id, missing=RedLetterNotFound):
        letter, _locked = lock_letter(pk=letter_id)
        if letter.status != R.AWAITS_BUYER:
            raise RedNotWithdrawable(red_no=str(letter), state=letter.get_status_display())
        _release(letter, R.WITHDRAWN, "撤销", actor=actor, kind=E.RED_WITHDRAWN)
    return letter


def red_letters_expire() -> int:
    """Expire requests that nobody has confirmed within 72 hours. Returns their number. The caller
    must open the platform scope.
    """
    late = RedLetter.objects.filter(status__in=AWAITING, expires_at__lte=timezone.now())
    return run_for_each(late.order_by("pk").values_list("pk", "group_id"), _expire_letter)


def _choose_lines(
    locked: LockedInvoice, quantities: Mapping[int, int] | None
) -> list[tuple[InvoiceLine, int]]:
    """Return (invoice line, pieces to reverse). Without `quantities`, all pieces that are not
    reversed yet.

    Raises:
        NothingLeftToRed: every piece is reversed.
        RedLinesInvalid: a line is not on the invoice.
        RedQuantityExceeded: a line has fewer pieces.
    """
    if quantities is None:
        available_lines = [
            (line, line.quantity - line.red_quantity)
            for line in locked.lines
            if line.red_quantity < line.quantity
        ]
        if not available_lines:
            raise NothingLeftToRed(str(locked.invoice))
        return available_lines
    by_key = {line.pk: line for line in locked.lines}
    if not quantities or any(pk not in by_key for pk in quantities):
        raise RedLinesInvalid
    for pk, quantity in quantities.items():
        open_quantity = by_key[pk].quantity - by_key[pk].red_quantity
        if quantity > open_quantity:
            raise RedQuantityExceeded(name=by_key[pk].name, left=open_quantity)
    return [(by_key[pk], quantity) for pk, quantity in sorted(quantities.items())]


def _sum_held_tax(line_ids: list[int]) -> dict[int, Decimal]:
    """Return {invoice line pk: tax} of issued and open red requests. One query."""
    rows = RedLine.objects.filter(line__in=line_ids, letter__status__in=HOLDING).order_by()
    return dict(rows.values_list("line_id").annotate(tax=Sum("tax_amount")))


def _create_red_line(line: InvoiceLine, quantity: int, *, held_tax: Decimal) -> RedLine:
    """Return the red line for a part of an invoice line. Its tax is the tax of all pieces taken
    back so far, including these, minus the tax of the other requests.

    The tax of the other requests is read, not computed from their pieces. If one of two requests
    was refused, the other may have the rounding cent.
    """
    amount: Any = line.unit_price_incl_tax * quantity
    tax: Any = min(
        max(_compute_first_tax(line, line.red_quantity + quantity) - held_tax, ZERO), amount
    )
    return RedLine(line=line, quantity=quantity, amount_incl_tax=amount, tax_amount=tax)


def _compute_first_tax(line: InvoiceLine, pieces: int) -> Decimal:
    """Return the tax of the first pieces of the line. For all pieces it is the line's own tax."""
    line_tax: Decimal = line.tax_amount
    return (
        line_tax
        if pieces == line.quantity
        else min(compute_tax(line.unit_price_incl_tax * pieces, line.tax_rate), line_tax)
    )


def _get_visible_pk(actor: Account, invoice_id: int, red_no: str) -> int:
    """Return the pk of the red letter with this number, on an invoice that the actor can see.

    Raises:
        RedLetterNotFound: the actor sees none with this number.
    """
    rows = RedLetter.objects.filter(
        red_no=red_no, invoice_id=invoice_id, invoice__in=list_visible_invoices(actor=actor)
    )
    pk: int | None = rows.values_list("pk", flat=True).first()
    if pk is None:
        raise RedLetterNotFound
    return pk


def _answer_letter(
    letter: RedLetter, locked: LockedInvoice, *, actor: Account, is_agreed: bool, reason: str
) -> None:
    """Confirm the red letter and create its red invoice, or refuse it with a reason."""
    if not is_agreed:
        if not reason.strip():
            raise DenialReasonMissing
        _release(letter, R.REFUSED, "否认", actor=actor, kind=E.RED_REFUSED, reason=reason)
        return
    if letter.expires_at <= timezone.now():
        raise RedExpired(str(letter))
    red = _save_red_invoice(letter, locked)
    fields = {"confirmed_at": timezone.now(), "red_invoice": red}
    document_transition(
        letter, R.CONFIRMED, "确认", actor=actor, kind=E.RED_CONFIRMED, fields=fields
    )
    if find_gateway(red.kind) is not None:
        outbox_publish(topic="invoice.request", key=red.request_no)


def _release(
    letter: RedLetter,
    to: RedStatus,
    verb: str,
    *,
    actor: Account | None,
    kind: InvoiceEventKind,
    reason: str = "",
) -> None:
    """End the request without a red invoice and release its pieces. If a refund waits for them,
    `red_for_returns.py` opens a new request.
    """
    document_transition(
        letter,
        to,
        verb,
        actor=actor,
        kind=kind,
        reason=reason,
        fields={"ended_at": timezone.now(), "answer": reason},
    )
    for line_id, quantity in letter.lines.values_list("line_id", "quantity"):
        InvoiceLine.objects.filter(pk=line_id, red_quantity__gte=quantity).update(
            red_quantity=F("red_quantity") - quantity
        )
    freed = letter.lines.exclude(line__order_line=None).values_list(
        "line__order_line_id", "quantity"
    )
    lines_moved_publish(dict(freed), key=letter.red_no)


def _expire_letter(pk: int, group_id: int) -> bool:
    """End the red letter. Return False if it waits no longer, or its time is not over."""
    with tenant_scope(group_id=group_id), transaction.atomic():
        letter, _locked = lock_letter(pk=pk)
        if letter.status not in AWAITING or letter.expires_at > timezone.now():
            return False
        _release(letter, R.EXPIRED, "作废", actor=None, kind=E.RED_EXPIRED)
    return True


def _save_red_invoice(letter: RedLetter, locked: LockedInvoice) -> Invoice:
    """Save and return the planned red invoice: the lines of the request with negative
    quantities and amounts.
    """
    original = locked.invoice
    red: Invoice = Invoice.objects.create(
        request_no=f"?{secrets.token_hex(10)}",
        application=locked.application,
        enterprise_id=original.enterprise_id,
        original=original,
        kind=original.kind,
        title_snapshot=original.title_snapshot,
        seller_snapshot=original.seller_snapshot,
        amount_incl_tax=-letter.amount_incl_tax,
        net_amount=-(letter.amount_incl_tax - letter.tax_amount),
        tax_amount=-letter.tax_amount,
        remark=f"被红冲蓝字发票号码：{original.invoice_no}，红字发票信息确认单：{letter.red_no}",
    )
    red.request_no = format_request_number(pk=red.pk, at=timezone.now())
    red.save(update_fields=["request_no"])
    lines = {line.pk: line for line in locked.lines}
    rows = [
        _build_red_line(red, number, lines[part.line_id], part)
        for number, part in enumerate(letter.lines.order_by("line__no"), start=1)
    ]
    InvoiceLine.objects.bulk_create(rows, batch_size=500)
    return red


def _build_red_line(red: Invoice, number: int, line: InvoiceLine, part: RedLine) -> InvoiceLine:
    """Return the unsaved line of the red invoice, with negative pieces and amounts."""
    return InvoiceLine(
        invoice=red,
        no=number,
        order_id=line.order_id,
        order_line_id=line.order_line_id,
        original=line,
        name=line.name,
        model_code=line.model_code,
        unit=line.unit,
        tax_code=line.tax_code,
        quantity=-part.quantity,
        unit_price_incl_tax=line.unit_price_incl_tax,
        amount_incl_tax=-part.amount_incl_tax,
        net_amount=-(part.amount_incl_tax - part.tax_amount),
        tax_rate=line.tax_rate,
        tax_amount=-part.tax_amount,
    )
