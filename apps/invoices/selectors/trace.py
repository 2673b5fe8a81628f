"""The steps of invoices and statements in the trace of an order line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from apps.aftersales.models import ReturnLine
from apps.invoices.enums import InvoiceStatus, StatementKind
from apps.invoices.models import InvoiceLine, StatementLine
from apps.invoices.selectors.invoices import list_visible_invoices
from apps.invoices.selectors.statements import list_visible_statements
from apps.orders.enums import TraceKind
from apps.orders.models import ReceiptLine
from apps.orders.selectors.order_trace import TraceStep
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.orders.models import Order
    from apps.org.models import Account

ISSUED = (InvoiceStatus.ISSUED, InvoiceStatus.PARTLY_RED, InvoiceStatus.RED)
STATED_KINDS = (StatementKind.DELIVERY, StatementKind.FREIGHT, StatementKind.RETURN)


def trace_invoices(*, actor: Account, order: Order) -> Iterator[TraceStep]:
    """Yield a step for each invoice line, planned invoices included, and for each statement
    line.
    """
    yield from _iterate_invoice_steps(actor, order)
    yield from _iterate_statement_steps(actor, order)


def _iterate_invoice_steps(actor: Account, order: Order) -> Iterator[TraceStep]:
    """Yield each invoice line of the order that is not void. Number and link are empty for an
    invoice that the actor cannot open.
    """
    lines = InvoiceLine.objects.filter(order=order).exclude(invoice__status=InvoiceStatus.VOID)
    rows = list(lines.select_related("invoice").order_by("pk"))
    visible = list_visible_invoices(actor=actor).filter(pk__in={row.invoice_id for row in rows})
    openable_ids = (
        set(visible.values_list("pk", flat=True))
        if rows and actor.has_menu_code(MenuCode.INVOICE_LIST)
        else set()
    )
    for row in rows:
        invoice = row.invoice
        number = target = ""
        if invoice.pk in openable_ids:
            number, target = invoice.invoice_no or invoice.request_no, str(invoice.pk)
        is_issued = invoice.status in ISSUED
        yield TraceStep(
            kind=TraceKind.INVOICE,
            line_id=row.order_line_id,
            at=invoice.issued_at or invoice.created_at,
            quantity=row.quantity if row.order_line_id else None,
            amount=row.amount_incl_tax,
            number=number,
            target=target,
            state="红字发票" if is_issued and invoice.is_red else invoice.get_status_display(),
            is_counted=is_issued,
        )


def _iterate_statement_steps(actor: Account, order: Order) -> Iterator[TraceStep]:
    """Yield the statement lines. A return is negative, because it reduces the debt."""
    rows = list(
        StatementLine.objects.filter(order=order, kind__in=STATED_KINDS).order_by("at", "pk")
    )
    if not rows:
        return
    statements = {
        row.pk: row
        for row in list_visible_statements(actor=actor).filter(
            pk__in={row.statement_id for row in rows}
        )
    }
    lines = {
        StatementKind.DELIVERY: dict(
            ReceiptLine.objects.filter(receipt__order=order).values_list("pk", "order_line_id")
        ),
        StatementKind.RETURN: dict(
            ReturnLine.objects.filter(return_order__order=order).values_list("pk", "order_line_id")
        ),
    }
    for row in rows:
        statement = statements.get(row.statement_id)
        sign = -1 if row.kind == StatementKind.RETURN else 1
        yield TraceStep(
            kind=TraceKind.STATEMENT,
            line_id=lines[StatementKind(row.kind)][row.source_id] if row.kind in lines else None,
            at=row.at,
            quantity=None if row.quantity is None else sign * row.quantity,
            amount=sign * row.amount,
            number=statement.statement_no if statement else "",
            target=str(statement.pk) if statement else "",
            state=f"{statement.month:%Y-%m} {statement.get_status_display()}"
            if statement
            else "已计入对账单",
        )
