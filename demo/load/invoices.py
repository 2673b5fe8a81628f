"""发票 of the demo: an invoice for most months (blue, on paper, posted) and recent applications
in every state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from apps.common.days import get_month, get_next_month, start_of_day
from apps.common.events import event_record
from apps.common.tenancy import tenant_scope
from apps.invoices.enums import E_KINDS, InvoiceEventKind, InvoiceGrouping, InvoiceKind
from apps.invoices.gateways import build_demo_number
from apps.invoices.models import Invoice, InvoiceApplication
from apps.invoices.selectors.available import (
    AvailableFilter,
    list_available_freights,
    list_available_lines,
)
from apps.invoices.selectors.plan import PlanForm, Selection, get_plan
from apps.invoices.services.applications import (
    ApplicationForm,
    application_accept,
    application_reject,
    application_submit,
)
from apps.invoices.services.invoice_issue import invoice_issue_by_hand, invoice_sent_by_post
from apps.org.models import Account, Address, Enterprise, InvoiceTitle
from demo.load.clock import clock_at
from demo.load.reds import load_reds

if TYPE_CHECKING:
    import random
    from datetime import datetime

K = InvoiceKind
# Offset of an application from the start of the next month, then the delays until staff accept and
# issue.
APPLIED, ACCEPTED_AFTER, ISSUED_AFTER = (
    timedelta(days=2, hours=10),
    timedelta(hours=3),
    timedelta(hours=22),
)
ISSUED, REJECTED, ACCEPTED, PENDING = "issued", "rejected", "accepted", "pending"
PAPER_CODE = {K.PAPER_NORMAL: "032002600111", K.PAPER_SPECIAL: "3200261130"}


@dataclass(frozen=True, slots=True)
class Bill:
    """An application of an account for the goods that an enterprise received in one month,
    `months` ago.
    """

    who: str
    enterprise: str
    months: int
    kind: str = K.E_NORMAL
    grouping: str = InvoiceGrouping.MERGED


@dataclass(frozen=True, slots=True)
class Recent:
    """A recent application: its result, its number of lines and its age in days."""

    fate: str
    size: int
    days: float
    kind: str = K.E_NORMAL


BILLS = (
    Bill("finance", "XLJG", 9, K.E_SPECIAL),
    Bill("finance", "XLJG", 8),
    Bill("finance", "XLJG", 7, K.E_SPECIAL),
    Bill("finance", "XLJG", 6, K.E_NORMAL, InvoiceGrouping.BY_ORDER),
    Bill("finance", "XLJG", 5, K.PAPER_NORMAL),
    Bill("finance", "XLJG", 4, K.E_SPECIAL),
    Bill("finance", "XLJG", 3),
    Bill("finance", "XLJG", 2, K.E_SPECIAL),
    Bill("ga", "XLDQ", 7),
    Bill("ga", "XLDQ", 5),
    Bill("ga", "XLDQ", 2),
    Bill("yf.qin", "YFJS", 8, K.E_SPECIAL),
    Bill("yf.qin", "YFJS", 3, K.E_SPECIAL),
    Bill("other", "YFWY", 5),
    Bill("other", "YFWY", 2),
    Bill("hk.lv", "HKYY", 6, K.E_SPECIAL),
    Bill("hk.lv", "HKYY", 4, K.PAPER_SPECIAL),
    Bill("ql.zhang", "QLYH", 4, K.E_SPECIAL),
    Bill("bx.hua", "BXJY", 2),
)
RECENT = (
    Recent(ISSUED, 6, 13),
    Recent(ISSUED, 4, 10),
    Recent(REJECTED, 3, 7),
    Recent(ACCEPTED, 4, 4, K.PAPER_NORMAL),
    Recent(PENDING, 5, 1.1),
)


def load_invoices(now: datetime, _chance: random.Random) -> str:
    """Apply for invoices, reject, issue, send and reverse them. Return a summary in Chinese."""
    staff = Account.objects.get(username="ops.caiwu")
    people = {
        person.username: person
        for person in Account.objects.filter(username__in={bill.who for bill in BILLS})
    }
    issued = {}
    for bill in sorted(BILLS, key=lambda each: -each.months):
        person = people[bill.who]
        with tenant_scope(group_id=person.group_id or 0):
            issued[bill.enterprise, bill.months] = _billed(bill, person, staff, now)
    finance = people["finance"]
    with tenant_scope(group_id=finance.group_id or 0):
        for recent in RECENT:
            _create_recent(recent, finance, staff, now - timedelta(days=recent.days))
        form_fields = load_reds(
            now,
            finance,
            staff,
            {months: row for (code, months), row in issued.items() if code == "XLJG" and row},
        )
    numbered = Invoice.objects.exclude(invoice_no="").count()
    return (
        f"开票申请 {InvoiceApplication.objects.count()} 张，已开具发票 {numbered} 张，红冲申请 "
        f"{form_fields} 张"
    )


def _billed(bill: Bill, person: Account, staff: Account, now: datetime) -> Invoice | None:
    """Return the first invoice of the bill, or None if the month has nothing to invoice."""
    month = get_month(now)
    for _ in range(bill.months):
        month = get_month(start_of_day(month) - timedelta(days=1))
    at = start_of_day(get_next_month(month)) + APPLIED
    enterprise = Enterprise.objects.get(code=bill.enterprise)
    form_fields: dict[str, Any] = {
        "actor": person,
        "enterprise_id": enterprise.pk,
        "filters": AvailableFilter(month=month),
    }
    lines = list_available_lines(**form_fields).filter(order__completed_at__lt=at)
    freights = list_available_freights(**form_fields).filter(completed_at__lt=at)
    selection = Selection(
        {line.pk: line.open_quantity for line in lines},  # type: ignore[attr-defined]
        frozenset(order.order_no for order in freights),
    )
    if not selection.quantities:
        return None
    with clock_at(at):
        application = _apply(
            person,
            enterprise,
            PlanForm(selection, bill.kind, enterprise.pk, grouping=bill.grouping),
        )
    _issue(application, staff, at)
    return application.invoices.order_by("pk").first()


def _apply(person: Account, enterprise: Enterprise, form: PlanForm) -> InvoiceApplication:
    """Apply with the enterprise's default title. A paper invoice goes to the enterprise's first
    address.
    """
    title = InvoiceTitle.objects.get(enterprise=enterprise, is_default=True)
    plan_form = PlanForm(form.selection, form.kind, enterprise.pk, title.pk, form.grouping)
    total = get_plan(actor=person, form=plan_form).total
    address = Address.objects.filter(enterprise=enterprise, account=None).order_by("pk").first()
    place = str(address.pk) if address and form.kind not in E_KINDS else ""
    return application_submit(
        actor=person, form=ApplicationForm(plan_form, total, email=person.email, address_id=place)
    )


def _issue(application: InvoiceApplication, staff: Account, at: datetime) -> None:
    """Accept the application that was submitted at `at`, then issue and send its invoices."""
    with clock_at(at + ACCEPTED_AFTER):
        application_accept(actor=staff, application_id=application.pk)
    for nth, invoice in enumerate(application.invoices.order_by("pk")):
        with clock_at(at + ISSUED_AFTER + timedelta(minutes=4 * nth)):
            invoice_issue_by_hand(actor=staff, invoice_id=invoice.pk, **get_number_fields(invoice))
        with clock_at(at + ISSUED_AFTER + timedelta(hours=6, minutes=4 * nth)):
            _send(invoice, staff)


def get_number_fields(invoice: Invoice) -> Mapping[str, str]:
    """Return the invoice number of the demo, and for paper invoices the invoice code."""
    if invoice.kind in E_KINDS:
        return {"invoice_no": build_demo_number(invoice.request_no)}
    return {"invoice_no": invoice.request_no[-8:], "invoice_code": PAPER_CODE[K(invoice.kind)]}


def _send(invoice: Invoice, staff: Account) -> None:
    """Record that the invoice was sent: by a carrier for paper, by mail for others. No mail is
    sent.
    """
    if invoice.kind not in E_KINDS:
        invoice_sent_by_post(
            actor=staff,
            invoice_id=invoice.pk,
            carrier="示例速运",
            tracking_no=f"SF{invoice.pk:010d}",
        )
        return
    invoice.refresh_from_db()
    invoice.emailed_at = invoice.issued_at
    invoice.save(update_fields=["emailed_at"])
    event_record(
        invoice,
        actor=None,
        kind=InvoiceEventKind.MAILED,
        to_state=invoice.status,
        reason=invoice.application.email,
    )


def _create_recent(recent: Recent, finance: Account, staff: Account, at: datetime) -> None:
    """Apply for the oldest lines that are not yet invoiced."""
    enterprise = Enterprise.objects.get(pk=finance.enterprise_id)
    lines = list_available_lines(actor=finance, enterprise_id=enterprise.pk)[: recent.size]
    if not lines:
        return
    with clock_at(at):
        form = PlanForm(Selection({line.pk: line.open_quantity for line in lines}), recent.kind)  # type: ignore[attr-defined]
        application = _apply(finance, enterprise, form)
    if recent.fate == ISSUED:
        _issue(application, staff, at)
    with clock_at(at + ACCEPTED_AFTER):
        if recent.fate == REJECTED:
            application_reject(
                actor=staff,
                application_id=application.pk,
                reason="抬头与合同主体不一致，请核对后重新申请",
            )
        if recent.fate == ACCEPTED:
            application_accept(actor=staff, application_id=application.pk)
