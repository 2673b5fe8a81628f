"""Applications for invoices: submit, withdraw, accept and reject."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.events import event_record
from apps.common.tenancy import row_scope
from apps.invoices.enums import (
    PAPER_KINDS,
    UNISSUED,
    ApplicationStatus,
    DeliveryWay,
    InvoiceEventKind,
    InvoiceStatus,
)
from apps.invoices.errors import (
    ApplicationBeingIssued,
    ApplicationNotFound,
    InvoiceAddressMissing,
    InvoiceEmailMissing,
    RejectionReasonMissing,
    ResultUnsure,
    TotalMoved,
)
from apps.invoices.gateways import find_gateway
from apps.invoices.locks import LockedApplication, lock_application, sum_pieces
from apps.invoices.models import Invoice, InvoiceApplication, InvoiceLine
from apps.invoices.numbers import format_application_number, format_request_number
from apps.invoices.planning import PlannedInvoice, PlannedLine
from apps.invoices.selectors.applications import list_visible_applications
from apps.invoices.selectors.plan import Plan, PlanForm, get_plan, get_selected_rows
from apps.invoices.services.quantities import (
    applied_add,
    applied_free,
    invoicing_status_set,
    lines_moved_publish,
    lock_orders,
)
from apps.invoices.services.transitions import document_transition
from apps.orders.snapshots import build_address_snapshot, build_invoice_snapshot
from apps.org.selectors.addresses import get_address

if TYPE_CHECKING:
    from apps.org.models import Account

S, E = ApplicationStatus, InvoiceEventKind


@dataclass(frozen=True, slots=True)
class ApplicationForm:
    """The plan form, the total of its preview (元 含税) and the delivery address of the
    invoices.
    """

    plan: PlanForm
    total: Decimal
    email: str = ""
    address_id: str = ""
    remark: str = ""


@transaction.atomic
def application_submit(*, actor: Account, form: ApplicationForm) -> InvoiceApplication:
    """Return the new application in state 待审核. Its quantities are reserved and its invoices are
    planned to the cent.

    Raises:
        ValidationFailed: the plan is invalid (as in the preview), or the delivery address is
            missing.
        QuantityExceeded: a quantity is more than can be invoiced now.
        TotalMoved: the total differs from the total of the preview.
    """
    delivery = _get_delivery_fields(actor, form)
    _enterprise, lines, freights = get_selected_rows(actor=actor, form=form.plan)
    lock_orders([line.order_id for line in lines] + [order.pk for order in freights])
    # Read again: from here on the locks protect these quantities.
    plan = get_plan(actor=actor, form=form.plan)
    if plan.total != form.total:
        raise TotalMoved(body={"Total": str(plan.total), "Seen": str(form.total)})
    application = _save_application(actor, form, plan, delivery)
    _save_invoices(application, plan)
    pieces: dict[int, int] = {}
    for line in _build_planned_lines(plan):
        if line.item.order_line_id is not None:
            pieces[line.item.order_line_id] = pieces.get(line.item.order_line_id, 0) + line.quantity
    applied_add(
        pieces,
        [
            line.item.order_id
            for line in _build_planned_lines(plan)
            if line.item.order_line_id is None
        ],
    )
    note = f"{plan.line_count} 行，{len(plan.invoices)} 张，合计 ¥{plan.total:,.2f}"
    event_record(
        application,
        actor=actor,
        kind=InvoiceEventKind.SUBMITTED,
        to_state=application.status,
        reason=note,
    )
    return application


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
        list_visible_applications(actor=actor)
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
        raise ResultUnsure(str(locked.application))
    _end_unissued(locked, to=S.WITHDRAWN, verb="撤回", actor=actor, kind=E.WITHDRAWN, reason=reason)
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
        document_transition(
            application,
            S.ACCEPTED,
            "审核",
            actor=actor,
            kind=E.ACCEPTED,
            fields={"decided_at": timezone.now()},
        )
        if find_gateway(application.kind) is not None:
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
        raise RejectionReasonMissing
    with row_scope(InvoiceApplication, application_id, missing=ApplicationNotFound):
        locked = lock_application(pk=application_id)
        _end_unissued(
            locked, to=S.REJECTED, verb="驳回", actor=actor, kind=E.REJECTED, reason=reason
        )
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


def _get_delivery_fields(actor: Account, form: ApplicationForm) -> dict[str, Any]:
    """Return the fields of the application that say how its invoices are delivered.

    Raises:
        InvoiceAddressMissing: paper invoices need an address.
        InvoiceEmailMissing: the others need a mail address.
    """
    if form.plan.kind in PAPER_KINDS:
        if not form.address_id:
            raise InvoiceAddressMissing
        address = get_address(actor=actor, pk=form.address_id)
        return {
            "delivery": DeliveryWay.PAPER,
            "address_snapshot": build_address_snapshot(address),
            "email": form.email,
        }
    if not form.email:
        raise InvoiceEmailMissing
    return {"delivery": DeliveryWay.MAIL, "email": form.email}


def _save_application(
    actor: Account, form: ApplicationForm, plan: Plan, delivery: dict[str, Any]
) -> InvoiceApplication:
    now = timezone.now()
    application: InvoiceApplication = InvoiceApplication.objects.create(
        application_no=f"?{secrets.token_hex(10)}",
        applicant=actor,
        enterprise=plan.enterprise,
        department_id=actor.department_id,
        kind=form.plan.kind,
        title_id=form.plan.title_id,
        grouping=form.plan.grouping,
        is_split_by_rate=form.plan.is_split_by_rate,
        amount_limit=form.plan.amount_limit,
        remark=form.remark,
        amount_incl_tax=plan.total,
        tax_amount=plan.tax,
        line_count=plan.line_count,
        invoice_count=len(plan.invoices),
        submitted_at=now,
        **delivery,
    )
    application.application_no = format_application_number(pk=application.pk, at=now)
    application.save(update_fields=["application_no"])
    return application


def _save_invoices(application: InvoiceApplication, plan: Plan) -> None:
    """Save the planned invoices and their lines in bulk."""
    rows = [_build_invoice(application, plan, planned) for planned in plan.invoices]
    for row in Invoice.objects.bulk_create(rows, batch_size=500):
        row.request_no = format_request_number(pk=row.pk, at=application.submitted_at)
    Invoice.objects.bulk_update(rows, ["request_no"], batch_size=500)
    lines = [
        _build_line(row, number, line)
        for row, planned in zip(rows, plan.invoices, strict=True)
        for number, line in enumerate(planned.lines, start=1)
    ]
    InvoiceLine.objects.bulk_create(lines, batch_size=500)


def _build_invoice(application: InvoiceApplication, plan: Plan, planned: PlannedInvoice) -> Invoice:
    return Invoice(
        request_no=f"?{secrets.token_hex(10)}",
        application=application,
        enterprise=application.enterprise,
        kind=application.kind,
        title_snapshot=build_invoice_snapshot(plan.titles[planned.title_id]),
        seller_snapshot=dict(settings.INVOICE_SELLER),
        remark=application.remark,
        amount_incl_tax=planned.amount,
        net_amount=planned.amount - planned.tax,
        tax_amount=planned.tax,
    )


def _build_line(invoice: Invoice, number: int, line: PlannedLine) -> InvoiceLine:
    return InvoiceLine(
        invoice=invoice,
        no=number,
        order_id=line.item.order_id,
        order_line_id=line.item.order_line_id,
        name=line.item.name,
        model_code=line.item.model_code,
        unit=line.item.unit,
        tax_code=line.item.tax_code,
        quantity=line.quantity,
        tax_rate=line.item.tax_rate,
        unit_price_incl_tax=line.item.unit_price,
        amount_incl_tax=line.amount,
        net_amount=line.net,
        tax_amount=line.tax,
    )


def _build_planned_lines(plan: Plan) -> list[PlannedLine]:
    return [line for invoice in plan.invoices for line in invoice.lines]


def _end_unissued(
    locked: LockedApplication,
    *,
    to: ApplicationStatus,
    verb: str,
    actor: Account,
    kind: InvoiceEventKind,
    reason: str,
) -> None:
    """Void the planned invoices and release the quantities of the application.

    Raises:
        ApplicationBeingIssued: an invoice is issued, or being issued.
    """
    has_ended = locked.application.status in (S.WITHDRAWN, S.REJECTED)
    if not has_ended and any(invoice.status not in UNISSUED for invoice in locked.invoices):
        raise ApplicationBeingIssued(application_no=str(locked.application), verb=verb)
    now = timezone.now()
    document_transition(
        locked.application,
        to,
        verb,
        actor=actor,
        kind=kind,
        reason=reason,
        fields={"reason": reason, "decided_at": now},
    )
    keys = [invoice.pk for invoice in locked.invoices]
    pieces, freights = sum_pieces(InvoiceLine.objects.filter(invoice_id__in=keys))
    applied_free(pieces, freights)
    lines_moved_publish(pieces, key=locked.application.application_no)
    Invoice.objects.filter(pk__in=keys).update(status=InvoiceStatus.VOID, updated_at=now)
    invoicing_status_set(locked.orders)
