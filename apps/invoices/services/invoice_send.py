"""Deliver an issued invoice: by mail to the address of its application, or on paper by a
carrier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone

from apps.common.errors import ValidationFailed, WrongState
from apps.common.events import event_record
from apps.common.row_scope import row_scope
from apps.invoices.enums import PAPER_KINDS, InvoiceEventKind
from apps.invoices.errors import InvoiceNotFound
from apps.invoices.locks import lock_invoice
from apps.invoices.models import Invoice
from apps.invoices.selectors.files import file_of

if TYPE_CHECKING:
    from apps.org.models import Account


def invoice_mail_handler(key: str, _payload: dict[str, Any]) -> None:
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
        found = file_of(invoice, "pdf")
        subject = f"【{settings.MALL_NAME}】发票 {invoice.invoice_no}"
        text = (
            f"您申请的发票 {invoice.invoice_no} 已开具，价税合计 {invoice.amount_incl_tax:,.2f} "
            "元，详见附件。\n"
        )
        letter = EmailMessage(subject, text, to=[invoice.application.email])
        letter.attach(found.name, found.content, found.content_type)
        # Send within the transaction: if sending fails, `emailed_at` is rolled back and the outbox
        # retries.
        letter.send()


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
        raise ValidationFailed({"TrackingNo": ["请填写承运商和运单号"]})
    with row_scope(Invoice, invoice_id, missing=InvoiceNotFound):
        invoice = lock_invoice(pk=invoice_id).invoice
        if invoice.kind not in PAPER_KINDS or not invoice.invoice_no:
            raise WrongState(f"发票 {invoice} 不是已开具的纸质发票，无需邮寄")
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
