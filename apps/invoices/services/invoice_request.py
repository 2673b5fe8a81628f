"""Request invoices from the gateway and process its callbacks. A callback may come late, twice,
out of order or never.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import structlog
from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.errors import DomainError
from apps.common.events import event_record
from apps.common.tenancy import platform_scope, row_scope, tenant_scope
from apps.invoices.enums import ApplicationStatus, InvoiceEventKind, InvoiceStatus
from apps.invoices.errors import (
    CallbackAmountWrong,
    CallbackRefused,
    InvoiceNotFound,
    IssuedAfterEnd,
    IssuedTwice,
    NotRequestable,
    RequestUnknown,
)
from apps.invoices.gateways import (
    Callback,
    GatewayAway,
    InvoiceGateway,
    Outcome,
    find_gateway,
    get_gateway,
)
from apps.invoices.locks import LockedInvoice, lock_invoice
from apps.invoices.models import Invoice
from apps.invoices.services.invoice_issue import InvoiceNumber, application_settle, invoice_issue
from apps.invoices.services.transitions import document_transition

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)
S, E = InvoiceStatus, InvoiceEventKind
RETRY_AFTER = timedelta(minutes=10)
MAX_ATTEMPTS = 6
ISSUED = (S.ISSUED, S.PARTLY_RED, S.RED)


def handle_invoice_request(key: str, _payload: dict[str, Any]) -> None:
    """Outbox `invoice.request`: request a planned or failed invoice from its gateway. In any
    other state the message is dropped.
    """
    pk = (
        Invoice.objects.filter(request_no=key, status__in=(S.PLANNED, S.FAILED))
        .values_list("pk", flat=True)
        .first()
    )
    if pk is None:
        return
    with transaction.atomic():
        locked = lock_invoice(pk=pk)
        gateway = find_gateway(locked.invoice.kind)
        is_accepted = locked.application.status in (
            ApplicationStatus.ACCEPTED,
            ApplicationStatus.ISSUING,
            ApplicationStatus.ISSUED,
        )
        if gateway is None or not is_accepted or locked.invoice.status not in (S.PLANNED, S.FAILED):
            return
        fields = {
            "gateway": gateway.name,
            "attempts": locked.invoice.attempts + 1,
            "requested_at": timezone.now(),
            "failure": "",
        }
        document_transition(
            locked.invoice, S.ISSUING, "提交开票", actor=None, kind=E.REQUESTED, fields=fields
        )
        if not locked.invoice.is_red:
            application_settle(locked.application, actor=None)
    _send_request(gateway, locked.invoice)


def _send_request(gateway: InvoiceGateway, invoice: Invoice) -> None:
    """Send the request. If the gateway is unavailable, the periodic job retries under the same
    number.
    """
    try:
        gateway.request(invoice)
    except GatewayAway as error:
        log.warning("invoice_gateway_away", request_no=invoice.request_no, error=str(error)[:200])


def invoice_retry(*, actor: Account, invoice_id: int) -> Invoice:
    """Request a failed invoice again (staff). The request number stays the same, so the gateway
    cannot issue it twice.

    Raises:
        InvoiceNotFound: no invoice has this id.
        WrongState: it is neither planned nor failed, or no gateway issues its kind.
    """
    with row_scope(Invoice, invoice_id, missing=InvoiceNotFound):
        invoice = lock_invoice(pk=invoice_id).invoice
        if invoice.status not in (S.PLANNED, S.FAILED) or find_gateway(invoice.kind) is None:
            raise NotRequestable(invoice_no=str(invoice), state=invoice.get_status_display())
        event_record(
            invoice,
            actor=actor,
            kind=E.REQUESTED,
            to_state=invoice.status,
            reason="重新提交开票渠道",
        )
        outbox_publish(topic="invoice.request", key=invoice.request_no)
    return invoice


def callback_process(*, gateway: str, fields: Mapping[str, str]) -> Invoice:
    """Process a gateway's callback and return the updated invoice. A repeated or outdated
    callback changes nothing.

    Raises:
        CallbackRefused: the signature or the amount is wrong, the request number is unknown, the
            invoice is issued under another number, or its application has ended.
    """
    callback = get_gateway(gateway).read(fields)
    with platform_scope(reason="invoice callback"):
        keys = (
            Invoice.objects.filter(request_no=callback.request_no)
            .values_list("pk", "group_id")
            .first()
        )
    if keys is None:
        raise RequestUnknown
    with tenant_scope(group_id=keys[1]), transaction.atomic():
        locked = lock_invoice(pk=keys[0])
        _apply_callback(locked, callback, gateway)
    return locked.invoice


def _apply_callback(locked: LockedInvoice, callback: Callback, gateway: str) -> None:
    """Issue the invoice or mark it as failed, as the gateway reports. A repeated report changes
    nothing.

    Raises:
        CallbackAmountWrong: the amount is not that of the invoice.
        IssuedTwice, IssuedAfterEnd: the report contradicts the state.
    """
    invoice = locked.invoice
    if callback.amount != invoice.amount_incl_tax:
        raise CallbackAmountWrong
    if invoice.status in ISSUED:
        if callback.outcome == Outcome.ISSUED and callback.number != invoice.invoice_no:
            raise IssuedTwice(
                request_no=invoice.request_no,
                invoice_no=invoice.invoice_no,
                reported_no=callback.number,
            )
        return
    if callback.outcome == Outcome.ISSUED and invoice.status == S.VOID:
        log.error(
            "invoice_issued_after_void", request_no=invoice.request_no, number=callback.number
        )
        raise IssuedAfterEnd(request_no=invoice.request_no, reported_no=callback.number)
    if callback.outcome == Outcome.ISSUED and invoice.status in (S.ISSUING, S.FAILED):
        _issue(locked, callback, gateway)
    elif callback.outcome == Outcome.REFUSED and invoice.status == S.ISSUING:
        _fail(locked, callback.reason or "开票渠道未说明原因")


def _issue(locked: LockedInvoice, callback: Callback, gateway: str) -> None:
    """Issue the invoice under the gateway's number. If a rule of the mall refuses it, mark it
    as failed with the reason.
    """
    try:
        with transaction.atomic():
            invoice_issue(
                locked,
                InvoiceNumber(
                    invoice_no=callback.number,
                    invoice_code=callback.code,
                    issued_at=callback.issued_at,
                    gateway=gateway,
                ),
                actor=None,
            )
    except DomainError as error:
        locked_again = lock_invoice(pk=locked.invoice.pk)
        if locked_again.invoice.status == S.ISSUING:
            _fail(
                locked_again,
                f"渠道已开具 {callback.number}，入账未成功：{error.text}",
                is_unsure=True,
            )
        locked.invoice.refresh_from_db()


def _fail(locked: LockedInvoice, reason: str, *, is_unsure: bool = False) -> None:
    """Mark the invoice as failed. `is_unsure`: the gateway may have issued it nevertheless."""
    fields = {"failure": reason[:300], "is_unsure": is_unsure}
    document_transition(
        locked.invoice,
        S.FAILED,
        "记录失败",
        actor=None,
        kind=E.FAILED,
        reason=reason,
        fields=fields,
    )
    if not locked.invoice.is_red:
        application_settle(locked.application, actor=None)


def invoices_request_again() -> int:
    """Look up unanswered requests at the gateway, or repeat them. Returns the number processed. The
    caller must open the platform scope.
    """
    late = Invoice.objects.filter(status=S.ISSUING, requested_at__lt=timezone.now() - RETRY_AFTER)
    return run_for_each(late.order_by("pk").values_list("pk", "group_id"), _request_again)


def _request_again(pk: int, group_id: int) -> bool:
    """Ask the gateway for the result, and send the request again if it has none. Return False if
    the invoice no longer waits for a result.
    """
    with tenant_scope(group_id=group_id):
        with transaction.atomic():
            locked = lock_invoice(pk=pk)
            gateway = find_gateway(locked.invoice.kind)
            if locked.invoice.status != S.ISSUING or gateway is None:
                return False
            # Look up the first request before sending a second one.
            callback = gateway.find(locked.invoice)
            if callback is not None and callback.outcome != Outcome.ACCEPTED:
                _apply_callback(locked, callback, gateway.name)
                return True
            if locked.invoice.attempts >= MAX_ATTEMPTS:
                _fail(locked, "开票渠道多次未答复，请在渠道侧核实后重试", is_unsure=True)
                return True
            locked.invoice.attempts += 1
            locked.invoice.requested_at = timezone.now()
            locked.invoice.save(update_fields=["attempts", "requested_at", "updated_at"])
        _send_request(gateway, locked.invoice)
    return True


def handle_demo_gateway_request(key: str, payload: dict[str, Any]) -> None:
    """Outbox: process a callback of the demo gateway like one of a real gateway."""
    try:
        callback_process(
            gateway="demo", fields={name: str(value) for name, value in payload.items()}
        )
    except CallbackRefused as error:
        log.warning("demo_callback_refused", request_no=key, error=error.text)
