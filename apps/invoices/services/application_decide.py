"""Withdraw, accept and reject applications. An application that ends without an invoice
releases its quantities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.errors import ValidationFailed, WrongState
from apps.common.row_scope import row_scope
from apps.invoices.enums import UNISSUED, ApplicationStatus, InvoiceEventKind, InvoiceStatus
from apps.invoices.errors import ApplicationNotFound
from apps.invoices.gateways import gateway_for
from apps.invoices.locks import LockedApplication, held_by, lock_application
from apps.invoices.models import Invoice, InvoiceApplication, InvoiceLine
from apps.invoices.selectors.scope import applications_visible
from apps.invoices.services.moves import move
from apps.invoices.services.quantities import applied_free, invoicing_status_set, moved_publish

if TYPE_CHECKING:
    from apps.org.models import Account

S, E = ApplicationStatus, InvoiceEventKind


@transaction.atomic
def application_withdraw(
    *, actor: Account, application_no: str, reason: str = ""
) -> InvoiceApplication:
    """Withdraw the applicant's application and return it. Possible until an invoice is sent to
    the gateway or issued.

    Raises:
        ApplicationNotFound: the actor cannot see an application with this number.
        WrongState: an invoice is being issued or may be issued already, or the application has
            ended.
    """
    pk = (
        applications_visible(actor=actor)
        .filter(application_no=application_no)
        .values_list("pk", flat=True)
        .first()
    )
    if pk is None:
        raise ApplicationNotFound
    locked = lock_application(pk=pk)
    if any(invoice.is_unsure for invoice in locked.invoices):
        # If its quantities were released, the goods could be invoiced twice. Staff can check with
        # the gateway and reject it.
        raise WrongState(
            f"开票申请 {locked.application} 有发票的开票结果正在与税务渠道核实，暂不能撤回，"
            "请联系客服处理"
        )
    _end(locked, S.WITHDRAWN, "撤回", actor=actor, kind=E.WITHDRAWN, reason=reason)
    return locked.application


def application_accept(*, actor: Account, application_id: int) -> InvoiceApplication:
    """Accept the application (staff) and return it. Electronic invoices are sent to the
    gateway; staff issue the others by hand.

    Raises:
        ApplicationNotFound: no application has this id.
        WrongState: it is not 待审核.
    """
    with row_scope(InvoiceApplication, application_id, missing=ApplicationNotFound):
        application = lock_application(pk=application_id).application
        move(
            application,
            S.ACCEPTED,
            "审核",
            actor=actor,
            kind=E.ACCEPTED,
            fields={"decided_at": timezone.now()},
        )
        if gateway_for(application.kind) is not None:
            for request_no in application.invoices.filter(status=InvoiceStatus.PLANNED).values_list(
                "request_no", flat=True
            ):
                outbox_publish(topic="invoice.request", key=request_no)
    return application


def application_reject(*, actor: Account, application_id: int, reason: str) -> InvoiceApplication:
    """Reject the application (staff), release its quantities and notify the applicant.

    Raises:
        ApplicationNotFound: no application has this id.
        ValidationFailed: the reason is empty.
        WrongState: an invoice is issued or being issued, or the application has ended.
    """
    if not reason.strip():
        raise ValidationFailed({"Reason": ["请填写驳回原因"]})
    with row_scope(InvoiceApplication, application_id, missing=ApplicationNotFound):
        locked = lock_application(pk=application_id)
        _end(locked, S.REJECTED, "驳回", actor=actor, kind=E.REJECTED, reason=reason)
        application = locked.application
        payload = {
            "To": [application.applicant_id],
            "Title": f"开票申请 {application.application_no} 已被驳回",
            "Text": reason,
            "Link": f"/userCenter/invoice/list?ApplicationNo={application.application_no}",
            "SubjectKey": f"invoiceApplication:{application.application_no}",
        }
        outbox_publish(topic="invoice.rejected", key=application.application_no, payload=payload)
    return application


def _end(
    locked: LockedApplication,
    to: ApplicationStatus,
    verb: str,
    *,
    actor: Account,
    kind: InvoiceEventKind,
    reason: str,
) -> None:
    """Void the planned invoices and release the quantities of the application."""
    has_ended = locked.application.status in (S.WITHDRAWN, S.REJECTED)
    if not has_ended and any(invoice.status not in UNISSUED for invoice in locked.invoices):
        raise WrongState(
            f"开票申请 {locked.application} 已有发票开具或正在开具，不能{verb}，如需更正请申请红冲"
        )
    now = timezone.now()
    move(
        locked.application,
        to,
        verb,
        actor=actor,
        kind=kind,
        reason=reason,
        fields={"reason": reason, "decided_at": now},
    )
    keys = [invoice.pk for invoice in locked.invoices]
    held = held_by(InvoiceLine.objects.filter(invoice_id__in=keys))
    applied_free(*held)
    moved_publish(held[0], key=locked.application.application_no)
    Invoice.objects.filter(pk__in=keys).update(status=InvoiceStatus.VOID, updated_at=now)
    invoicing_status_set(locked.orders)
