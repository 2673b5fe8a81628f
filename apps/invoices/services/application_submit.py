"""Submit an application: one transaction reserves the quantities, plans the invoices and
informs staff.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.common.errors import ValidationFailed
from apps.common.events import event_record
from apps.invoices.enums import PAPER_KINDS, DeliveryWay, InvoiceEventKind
from apps.invoices.errors import TotalMoved
from apps.invoices.models import Invoice, InvoiceApplication, InvoiceLine
from apps.invoices.numbers import application_number, request_number
from apps.invoices.planning import PlannedInvoice, PlannedLine
from apps.invoices.selectors.plan import Plan, PlanForm, chosen, plan_of
from apps.invoices.services.quantities import applied_add, orders_locked
from apps.orders.snapshots import address_snapshot, invoice_snapshot
from apps.org.selectors.addresses import get_address

if TYPE_CHECKING:
    from datetime import datetime

    from apps.org.models import Account


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
    delivery = _delivery(actor, form)
    _enterprise, lines, freights = chosen(actor=actor, form=form.plan)
    orders_locked([line.order_id for line in lines] + [order.pk for order in freights])
    # Read again: from here on the locks protect these quantities.
    plan = plan_of(actor=actor, form=form.plan)
    if plan.total != form.total:
        raise TotalMoved(body={"Total": str(plan.total), "Seen": str(form.total)})
    application = _application(actor, form, plan, delivery)
    _invoices(application, plan)
    pieces: dict[int, int] = {}
    for line in _planned(plan):
        if line.item.order_line_id is not None:
            pieces[line.item.order_line_id] = pieces.get(line.item.order_line_id, 0) + line.quantity
    applied_add(
        pieces, [line.item.order_id for line in _planned(plan) if line.item.order_line_id is None]
    )
    note = f"{plan.line_count} 行，{len(plan.invoices)} 张，合计 {plan.total:,.2f} 元"
    event_record(
        application,
        actor=actor,
        kind=InvoiceEventKind.SUBMITTED,
        to_state=application.status,
        reason=note,
    )
    return application


def _planned(plan: Plan) -> list[PlannedLine]:
    return [line for invoice in plan.invoices for line in invoice.lines]


def _delivery(actor: Account, form: ApplicationForm) -> dict[str, Any]:
    if form.plan.kind in PAPER_KINDS:
        if not form.address_id:
            raise ValidationFailed({"AddressId": ["纸质发票需要邮寄，请选择收票地址"]})
        address = get_address(actor=actor, pk=form.address_id)
        return {
            "delivery": DeliveryWay.PAPER,
            "address_snapshot": address_snapshot(address),
            "email": form.email,
        }
    if not form.email:
        raise ValidationFailed({"Email": ["请填写接收数电发票的邮箱"]})
    return {"delivery": DeliveryWay.MAIL, "email": form.email}


def _application(
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
    application.application_no = application_number(pk=application.pk, at=now)
    application.save(update_fields=["application_no"])
    return application


def _invoices(application: InvoiceApplication, plan: Plan) -> None:
    """Save the planned invoices and their lines in bulk."""
    rows = [_invoice(application, plan, planned) for planned in plan.invoices]
    for row in Invoice.objects.bulk_create(rows, batch_size=500):
        row.request_no = request_number(pk=row.pk, at=_at(application))
    Invoice.objects.bulk_update(rows, ["request_no"], batch_size=500)
    lines = [
        _line(row, number, line)
        for row, planned in zip(rows, plan.invoices, strict=True)
        for number, line in enumerate(planned.lines, start=1)
    ]
    InvoiceLine.objects.bulk_create(lines, batch_size=500)


def _at(application: InvoiceApplication) -> datetime:
    return application.submitted_at


def _invoice(application: InvoiceApplication, plan: Plan, planned: PlannedInvoice) -> Invoice:
    amounts: dict[str, Any] = {
        "amount_incl_tax": planned.amount,
        "net_amount": planned.amount - planned.tax,
        "tax_amount": planned.tax,
    }
    return Invoice(
        request_no=f"?{secrets.token_hex(10)}",
        application=application,
        enterprise=application.enterprise,
        kind=application.kind,
        title_snapshot=invoice_snapshot(plan.titles[planned.title_id]),
        seller_snapshot=dict(settings.INVOICE_SELLER),
        remark=application.remark,
        **amounts,
    )


def _line(invoice: Invoice, number: int, line: PlannedLine) -> InvoiceLine:
    amounts: dict[str, Any] = {
        "unit_price_incl_tax": line.item.unit_price,
        "amount_incl_tax": line.amount,
        "net_amount": line.net,
        "tax_amount": line.tax,
    }
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
        **amounts,
    )
