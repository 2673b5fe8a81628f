"""Issue an invoice under a number, by staff or by the gateway, blue or red, and deliver it. No
other module issues invoices.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed
from apps.common.events import event_record
from apps.common.tenancy import platform_scope, row_scope
from apps.invoices.enums import (
    PAPER_KINDS,
    ApplicationStatus,
    InvoiceEventKind,
    InvoiceStatus,
    RedStatus,
)
from apps.invoices.errors import (
    ApplicationNotAccepted,
    InvoiceAtGateway,
    InvoiceNotFound,
    InvoiceNumberTaken,
    NoPaperInvoice,
    OrderPriceMoved,
    ParcelNumberMissing,
)
from apps.invoices.locks import LockedInvoice, lock_invoice, sum_pieces
from apps.invoices.models import Invoice, InvoiceApplication, RedLetter
from apps.invoices.numbers import find_number_problem
from apps.invoices.selectors.invoice_files import build_invoice_file
from apps.invoices.services.quantities import (
    applied_invoice,
    invoiced_take_back,
    invoicing_status_set,
    lines_moved_publish,
)
from apps.invoices.services.transitions import document_transition
from apps.orders.models import OrderLine

if TYPE_CHECKING:
    from apps.org.models import Account

S, E = InvoiceStatus, InvoiceEventKind
BODY_KEYS = {"invoice_code": "InvoiceCode", "invoice_no": "InvoiceNo"}
ISSUED_STATES = (S.ISSUED, S.PARTLY_RED, S.RED)


@dataclass(frozen=True, slots=True)
class InvoiceNumber:
    """The number and the time of an issued invoice. `gateway` is empty if staff issued it by
    hand.
    """

    invoice_no: str
    invoice_code: str = ""
    issued_at: datetime | None = None
    gateway: str = ""


def invoice_issue_by_hand(
    *, actor: Account, invoice_id: int, invoice_no: str, invoice_code: str = ""
) -> Invoice:
    """Record the number of an invoice that staff have issued outside the mall, and return the
    invoice.

    Raises:
        InvoiceNotFound: no invoice has this id.
        ValidationFailed: the number does not have the form of its kind, or another invoice has it.
        WrongState: its application is not accepted, the gateway is issuing it, it is issued
            already, or a price of the order has changed since the application.
    """
    with row_scope(Invoice, invoice_id, missing=InvoiceNotFound):
        locked = lock_invoice(pk=invoice_id)
        if locked.invoice.status == S.ISSUING:
            raise InvoiceAtGateway(str(locked.invoice))
        invoice_issue(locked, InvoiceNumber(invoice_no.strip(), invoice_code.strip()), actor=actor)
    return locked.invoice


def invoice_issue(locked: LockedInvoice, number: InvoiceNumber, *, actor: Account | None) -> None:
    """Issue the locked invoice: save its number, update quantities and states, write the events
    and notify the applicant.
    """
    invoice = locked.invoice
    _refuse_unaccepted(locked)
    _check_number(invoice, number)
    if not invoice.is_red:
        _refuse_moved_prices(locked)
    now = timezone.now()
    fields: dict[str, Any] = {
        "invoice_no": number.invoice_no,
        "invoice_code": number.invoice_code,
        # A gateway with a wrong clock must not set a future date: statements would miss the
        # invoice.
        "issued_at": min(number.issued_at or now, now),
        "issued_by": actor,
        "gateway": number.gateway,
        "failure": "",
        "is_unsure": False,
    }
    note = f"发票号码 {number.invoice_no}"
    document_transition(
        invoice,
        S.ISSUED,
        "开具",
        actor=actor,
        kind=E.RED_ISSUED if invoice.is_red else E.ISSUED,
        reason=note,
        fields=fields,
    )
    pieces, freights = sum_pieces(locked.lines)
    if invoice.is_red:
        invoiced_take_back(pieces, freights)
        _close_red(locked, actor=actor)
    else:
        applied_invoice(pieces, freights)
        lines_moved_publish(pieces, key=invoice.request_no)
        application_settle(locked.application, actor=actor)
    invoicing_status_set(locked.orders)
    _notify_applicant(locked)


def application_settle(application: InvoiceApplication, *, actor: Account | None) -> None:
    """Set the state of a locked application from the states of its blue invoices."""
    states = set(application.invoices.filter(original=None).values_list("status", flat=True))
    if S.ISSUING in states:
        to = ApplicationStatus.ISSUING
    elif states & {S.PLANNED, S.FAILED}:
        to = ApplicationStatus.ACCEPTED
    else:
        to = ApplicationStatus.ISSUED if states & set(ISSUED_STATES) else ApplicationStatus.REJECTED
    if to == application.status:
        return
    is_final = to in (ApplicationStatus.ISSUED, ApplicationStatus.REJECTED)
    kind = {ApplicationStatus.ISSUING: E.REQUESTED, ApplicationStatus.ACCEPTED: E.FAILED}.get(
        to, E.FINISHED
    )
    document_transition(
        application,
        to,
        "更新状态",
        actor=actor,
        kind=kind,
        fields={"finished_at": timezone.now()} if is_final else None,
    )


def handle_invoice_mail(key: str, _payload: dict[str, Any]) -> None:
    """Outbox `invoice.mail`: send the invoice as PDF to the address of its application, at most
    once.
    """
    with transaction.atomic():
        invoice = (
            Invoice.objects.select_for_update(of=("self",))
            .select_related("application")
            .filter(request_no=key)
            .first()
        )
        if (
            invoice is None
            or invoice.emailed_at is not None
            or not invoice.invoice_no
            or not invoice.application.email
        ):
            return
        invoice.emailed_at = timezone.now()
        invoice.save(update_fields=["emailed_at", "updated_at"])
        event_record(
            invoice,
            actor=None,
            kind=InvoiceEventKind.MAILED,
            to_state=invoice.status,
            reason=invoice.application.email,
        )
        file = build_invoice_file(invoice, "pdf")
        subject = f"【{settings.MALL_NAME}】发票 {invoice.invoice_no}"
        text = (
            f"您申请的发票 {invoice.invoice_no} 已开具，价税合计 {invoice.amount_incl_tax:,.2f} "
            "元，详见附件。\n"
        )
        mail = EmailMessage(subject, text, to=[invoice.application.email])
        mail.attach(file.name, file.content, file.content_type)
        # Send within the transaction: if sending fails, `emailed_at` is rolled back and the outbox
        # retries.
        mail.send()


def invoice_sent_by_post(
    *, actor: Account, invoice_id: int, carrier: str, tracking_no: str
) -> Invoice:
    """Record that staff have posted a paper invoice.

    Raises:
        InvoiceNotFound: no invoice has this id.
        ValidationFailed: the carrier or the tracking number is missing.
        WrongState: it is not a paper invoice, or it is not issued.
    """
    if not carrier.strip() or not tracking_no.strip():
        raise ParcelNumberMissing
    with row_scope(Invoice, invoice_id, missing=InvoiceNotFound):
        invoice = lock_invoice(pk=invoice_id).invoice
        if invoice.kind not in PAPER_KINDS or not invoice.invoice_no:
            raise NoPaperInvoice(str(invoice))
        invoice.carrier, invoice.tracking_no, invoice.sent_at = (
            carrier.strip(),
            tracking_no.strip(),
            timezone.now(),
        )
        invoice.save(update_fields=["carrier", "tracking_no", "sent_at", "updated_at"])
        note = f"{invoice.carrier} {invoice.tracking_no}"
        event_record(
            invoice, actor=actor, kind=InvoiceEventKind.SENT, to_state=invoice.status, reason=note
        )
    return invoice


def _refuse_unaccepted(locked: LockedInvoice) -> None:
    """Raise an error if the application of a blue invoice is not accepted."""
    if not locked.invoice.is_red and locked.application.status not in (
        ApplicationStatus.ACCEPTED,
        ApplicationStatus.ISSUING,
    ):
        raise ApplicationNotAccepted(
            application_no=str(locked.application), state=locked.application.get_status_display()
        )


def _check_number(invoice: Invoice, number: InvoiceNumber) -> None:
    """Raise ValidationFailed if the number is malformed or if another invoice of any group has
    it.
    """
    if problem := find_number_problem(
        kind=invoice.kind, code=number.invoice_code, number=number.invoice_no
    ):
        raise ValidationFailed({BODY_KEYS[problem[0]]: [problem[1]]})
    # Check over all groups, because the tax bureau assigns the number. A unique constraint covers
    # concurrent requests.
    with platform_scope(reason="invoices: a number is used once, whoever the customer is"):
        is_used = (
            Invoice.objects.filter(invoice_code=number.invoice_code, invoice_no=number.invoice_no)
            .exclude(pk=invoice.pk)
            .exists()
        )
    if is_used:
        raise InvoiceNumberTaken(number.invoice_no)


def _refuse_moved_prices(locked: LockedInvoice) -> None:
    """Raise WrongState if a price or a tax rate of the order has changed since the application."""
    keys = [line.order_line_id for line in locked.lines if line.order_line_id is not None]
    now = {
        row[0]: row[1:]
        for row in OrderLine.objects.filter(pk__in=keys).values_list(
            "pk", "unit_price_incl_tax", "tax_rate"
        )
    }
    freights = {order.pk: order.freight_amount for order in locked.orders}
    for line in locked.lines:
        is_same = (
            (line.unit_price_incl_tax, line.tax_rate) == now[line.order_line_id]
            if line.order_line_id is not None
            else line.amount_incl_tax == freights[line.order_id]
        )
        if not is_same:
            raise OrderPriceMoved(line.name)


def _close_red(locked: LockedInvoice, *, actor: Account | None) -> None:
    """Add the red invoice to the original's red amount and close the red request."""
    red, original = locked.invoice, locked.invoice.original
    if original is None:
        return
    amount = original.red_amount - red.amount_incl_tax
    to = S.RED if amount == original.amount_incl_tax else S.PARTLY_RED
    note = f"红字发票 {red.invoice_no}，金额 ¥{red.amount_incl_tax:,.2f}"
    document_transition(
        original,
        to,
        "红冲",
        actor=actor,
        kind=E.RED_ISSUED,
        reason=note,
        fields={"red_amount": amount},
    )
    letter: RedLetter = RedLetter.objects.select_for_update().get(red_invoice=red)
    document_transition(
        letter,
        RedStatus.ISSUED,
        "开具红字发票",
        actor=actor,
        kind=E.RED_ISSUED,
        reason=note,
        fields={"ended_at": timezone.now()},
    )
    lines = sorted({line.order_line_id for line in locked.lines if line.order_line_id is not None})
    outbox_publish(
        topic="invoice.red_issued",
        key=red.request_no,
        payload={"order_line_ids": lines, "red_no": letter.red_no},
    )


def _notify_applicant(locked: LockedInvoice) -> None:
    invoice, application = locked.invoice, locked.application
    kind_text = "红字发票" if invoice.is_red else "发票"
    payload = {
        "To": [application.applicant_id],
        "Title": f"{kind_text} {invoice.invoice_no} 已开具",
        "Text": (
            f"{invoice.title_snapshot.get('Title', '')}，¥{invoice.amount_incl_tax:,.2f}，"
            f"申请单 {application.application_no}"
        ),
        "Link": f"/userCenter/invoice/detail?Id={invoice.pk}",
        "SubjectKey": f"invoice:{invoice.pk}",
        "Once": invoice.request_no,
    }
    outbox_publish(topic="invoice.issued", key=invoice.request_no, payload=payload)
    if application.email:
        outbox_publish(topic="invoice.mail", key=invoice.request_no)
