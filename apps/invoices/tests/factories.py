"""Factories of received orders, applications and invoices. They use the services, as the UI
does.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils import timezone

from apps.catalog.models import Product
from apps.common.tenancy import platform_scope
from apps.invoices.enums import ApplicationStatus, InvoiceKind, InvoiceStatus
from apps.invoices.models import Invoice, InvoiceApplication
from apps.invoices.numbers import format_request_number
from apps.invoices.selectors.plan import PlanForm, Selection, get_plan
from apps.invoices.services.applications import (
    ApplicationForm,
    application_accept,
    application_submit,
)
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.orders.models import Order, OrderLine
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import place_order
from apps.org.models import Account, InvoiceTitle
from apps.org.tests.factories import StaffFactory


def received_order(
    account: Account, *wishes: tuple[Product, int], staff: Account | None = None, **form: Any
) -> Order:
    """Return an order of the products that is confirmed, shipped and fully received."""
    staff = staff or _staff()
    order = place_order(account, *wishes, **form)
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no=f"SF{order.pk}")
    order_receive(actor=account, order_no=order.order_no)
    result: Order = Order.objects.get(pk=order.pk)
    return result


def list_lines(order: Order) -> list[OrderLine]:
    """Return the order's lines in their order."""
    return list(OrderLine.objects.filter(order=order).order_by("no"))


def plan_form(quantities: Mapping[int, int], **more: Any) -> PlanForm:
    """Return the form of an application for quantities by order line. The default is a 数电普票 to
    the first title.
    """
    freights = frozenset(more.pop("freights", ()))
    title = InvoiceTitle.objects.order_by("pk").first()
    fields = {"kind": InvoiceKind.E_NORMAL, "title_id": title.pk if title else None, **more}
    return PlanForm(Selection(quantities, freights), **fields)


def apply_for(account: Account, quantities: Mapping[int, int], **more: Any) -> InvoiceApplication:
    """Return an application for the quantities, with the total (元) from its preview."""
    form = plan_form(quantities, **more)
    total = get_plan(actor=account, form=form).total
    return application_submit(
        actor=account, form=ApplicationForm(form, total, email="fapiao@example.com")
    )


def apply_for_all(account: Account, order: Order, **more: Any) -> InvoiceApplication:
    """Return an application for all open quantities of an order's lines."""
    return apply_for(
        account, {line.pk: line.received_quantity for line in list_lines(order)}, **more
    )


def accept(application: InvoiceApplication, *, staff: Account | None = None) -> None:
    """Accept the application as staff."""
    application_accept(actor=staff or _staff(), application_id=application.pk)


def build_invoice_number(nth: int) -> str:
    """Return a valid number of a 数电 invoice."""
    return f"26312{nth:015d}"


def issue_all(application: InvoiceApplication, *, staff: Account | None = None) -> list[Invoice]:
    """Accept the application, issue each of its invoices by hand, and return the invoices."""
    staff = staff or _staff()
    accept(application, staff=staff)
    for invoice in application.invoices.order_by("pk"):
        invoice_issue_by_hand(
            actor=staff, invoice_id=invoice.pk, invoice_no=build_invoice_number(invoice.pk)
        )
    return list(Invoice.objects.filter(application=application).order_by("pk"))


def create_application(account: Account) -> InvoiceApplication:
    """Return an application row of the account in 待审核, created without the services."""
    row: InvoiceApplication = InvoiceApplication.objects.create(
        application_no="KP-OURS-0001",
        applicant=account,
        enterprise=account.enterprise,
        department=account.department,
        kind=InvoiceKind.E_NORMAL,
        delivery="mail",
        email="fapiao@example.com",
        submitted_at=timezone.now(),
    )
    return row


def create_invoice(account: Account) -> Invoice:
    """Return an issued invoice row of the account, created without the services."""
    application = create_application(account)
    InvoiceApplication.objects.filter(pk=application.pk).update(status=ApplicationStatus.ISSUED)
    row: Invoice = Invoice.objects.create(
        request_no=format_request_number(pk=application.pk, at=timezone.now()),
        application=application,
        enterprise=account.enterprise,
        kind=InvoiceKind.E_NORMAL,
        status=InvoiceStatus.ISSUED,
        title_snapshot={"Title": "云帆科技有限公司"},
        amount_incl_tax=Decimal("113.00"),
        net_amount=Decimal("100.00"),
        tax_amount=Decimal("13.00"),
        invoice_no=build_invoice_number(1),
        issued_at=timezone.now(),
    )
    return row


def _staff() -> Account:
    with platform_scope(reason="test: staff"):
        return StaffFactory()
