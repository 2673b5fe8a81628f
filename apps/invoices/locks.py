"""Locks of invoices. Lock order: order, application, invoice, red request, each sorted by
primary key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.invoices.errors import ApplicationNotFound, InvoiceNotFound, RedLetterNotFound
from apps.invoices.models import Invoice, InvoiceApplication, InvoiceLine, RedLetter
from apps.invoices.services.quantities import lock_orders
from apps.orders.models import Order

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class LockedApplication:
    """An application, its blue invoices and their orders, all locked."""

    application: InvoiceApplication
    invoices: list[Invoice]
    orders: list[Order]


@dataclass(frozen=True, slots=True)
class LockedInvoice:
    """An invoice, its application and its orders, all locked, with the invoice's lines."""

    invoice: Invoice
    lines: list[InvoiceLine]
    application: InvoiceApplication
    orders: list[Order]


def lock_application(*, pk: int) -> LockedApplication:
    """Lock the application's orders, the application and its blue invoices, and return them.

    Raises:
        ApplicationNotFound: the open scope has no application with this id.
    """
    orders = lock_orders(
        InvoiceLine.objects.filter(invoice__application_id=pk)
        .values_list("order_id", flat=True)
        .distinct()
    )
    rows = InvoiceApplication.objects.select_for_update(of=("self",)).filter(pk=pk)
    application = rows.select_related("enterprise", "applicant").first()
    if application is None:
        raise ApplicationNotFound
    invoices = list(
        Invoice.objects.select_for_update(of=("self",))
        .filter(application_id=pk, original=None)
        .order_by("pk")
    )
    return LockedApplication(application, invoices, orders)


def lock_invoice(*, pk: int) -> LockedInvoice:
    """Lock the invoice's orders, its application, the invoice, and the original of a red invoice,
    and return them.

    Raises:
        InvoiceNotFound: the open scope has no invoice with this id.
    """
    keys = Invoice.objects.filter(pk=pk).values_list("application_id", "original_id").first()
    if keys is None:
        raise InvoiceNotFound
    application_id, original_id = keys
    orders = lock_orders(
        InvoiceLine.objects.filter(invoice_id=pk).values_list("order_id", flat=True).distinct()
    )
    application = InvoiceApplication.objects.select_for_update(of=("self",)).get(pk=application_id)
    rows = {
        row.pk: row
        for row in Invoice.objects.select_for_update(of=("self",))
        .filter(pk__in=[pk] if original_id is None else [pk, original_id])
        .order_by("pk")
    }
    invoice = rows[pk]
    if original_id is not None:
        invoice.original = rows[original_id]
    lines = list(InvoiceLine.objects.filter(invoice_id=pk).order_by("no"))
    return LockedInvoice(invoice=invoice, lines=lines, application=application, orders=orders)


def lock_letter(*, pk: int) -> tuple[RedLetter, LockedInvoice]:
    """Lock the invoice, then its red request. Return (red request, locked invoice).

    Raises:
        RedLetterNotFound: the open scope has no red request with this id.
    """
    invoice_id = RedLetter.objects.filter(pk=pk).values_list("invoice_id", flat=True).first()
    if invoice_id is None:
        raise RedLetterNotFound
    locked_invoice = lock_invoice(pk=invoice_id)
    letter: RedLetter = RedLetter.objects.select_for_update(of=("self",)).get(pk=pk)
    letter.invoice = locked_invoice.invoice
    return letter, locked_invoice


def sum_pieces(lines: Iterable[InvoiceLine]) -> tuple[dict[int, int], list[int]]:
    """Return ({order line pk: pieces}, [order pks of freight lines]) of the lines. Pieces are
    positive for red invoices too.
    """
    pieces: dict[int, int] = {}
    freights: list[int] = []
    for line in lines:
        if line.order_line_id is None:
            freights.append(line.order_id)
        else:
            pieces[line.order_line_id] = pieces.get(line.order_line_id, 0) + abs(line.quantity)
    return pieces, freights
