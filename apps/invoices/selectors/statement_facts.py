"""The dated facts that become statement lines. Each is a row of another table and becomes one
line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.aftersales.models import ReturnLine
from apps.common.money import ZERO, compute_tax
from apps.invoices.enums import StatementKind
from apps.invoices.models import Invoice, StatementLine
from apps.orders.enums import PaymentStatus
from apps.orders.models import Order, OrderLine, Payment, PaymentRefund, ReceiptLine


@dataclass(frozen=True, slots=True)
class Fact:
    """The source of a statement line. The amount has the sign of its figure, in 元 含税."""

    kind: StatementKind
    source_id: int
    at: datetime
    text: str
    amount: Decimal
    reference: str = ""
    order_id: int | None = None
    quantity: int | None = None
    tax_amount: Decimal = ZERO


@dataclass(frozen=True, slots=True)
class Window:
    """Selects the facts of an enterprise that are dated before a moment and were saved between
    two moments (None: no bound).
    """

    enterprise_id: int
    dated_before: datetime
    saved_since: datetime | None = None
    saved_before: datetime | None = None

    def build_condition(self, enterprise: str, at: str, *, written: str = "") -> Q:
        """Return the filter. `written` is the column with the time of saving, if it is not the
        date column.
        """
        saved = written or at
        bounds = {f"{saved}__gte": self.saved_since, f"{saved}__lt": self.saved_before}
        return Q(
            **{
                enterprise: self.enterprise_id,
                f"{at}__lt": self.dated_before,
                **{key: value for key, value in bounds.items() if value},
            }
        )


def list_new_facts(window: Window) -> Iterator[Fact]:
    """Yield the facts of the window that are in no statement, kind by kind. One query per kind."""
    for kind, source in SOURCES.items():
        lines = StatementLine.objects.filter(kind=kind, source_id=OuterRef("pk"))
        yield from source(window, ~Exists(lines))


def _iterate_deliveries(window: Window, is_new: Exists) -> Iterator[Fact]:
    """Yield the receipts of the window that no statement contains yet (`is_new`)."""
    rows = ReceiptLine.objects.filter(
        is_new, window.build_condition("receipt__order__enterprise", "receipt__received_at")
    )
    for row in _iterate_by_key(rows.select_related("receipt__order", "order_line")):
        line, receipt = row.order_line, row.receipt
        yield Fact(
            kind=StatementKind.DELIVERY,
            source_id=row.pk,
            at=receipt.received_at,
            text=_format_goods(line),
            amount=row.amount_incl_tax,
            reference=receipt.order.order_no,
            order_id=receipt.order_id,
            quantity=row.quantity,
            tax_amount=row.tax_amount,
        )


def _iterate_freights(window: Window, is_new: Exists) -> Iterator[Fact]:
    """Yield freight when the order is completed, with the tax that an invoice would show."""
    rows = Order.objects.filter(
        is_new, window.build_condition("enterprise", "completed_at"), freight_amount__gt=0
    )
    for order in _iterate_by_key(rows):
        tax = compute_tax(order.freight_amount, settings.INVOICE_FREIGHT_TAX_RATE)
        yield Fact(
            kind=StatementKind.FREIGHT,
            source_id=order.pk,
            at=order.completed_at,
            text="运费",
            amount=order.freight_amount,
            reference=order.order_no,
            order_id=order.pk,
            tax_amount=tax,
        )


def _iterate_returns(window: Window, is_new: Exists) -> Iterator[Fact]:
    """Yield the refunded return lines of the window that no statement contains yet."""
    rows = ReturnLine.objects.filter(
        is_new,
        window.build_condition("return_order__enterprise", "return_order__refunded_at"),
        accepted_quantity__gt=0,
    )
    for row in _iterate_by_key(rows.select_related("return_order", "order_line")):
        line, return_order = row.order_line, row.return_order
        yield Fact(
            kind=StatementKind.RETURN,
            source_id=row.pk,
            at=return_order.refunded_at,
            text=_format_goods(line),
            amount=row.amount_incl_tax,
            reference=return_order.return_no,
            order_id=return_order.order_id,
            quantity=row.accepted_quantity,
            tax_amount=row.tax_amount,
        )


def _iterate_invoices(window: Window, is_new: Exists) -> Iterator[Fact]:
    """Yield the invoices of the window that no statement contains yet."""
    rows = Invoice.objects.filter(
        is_new, window.build_condition("enterprise", "issued_at", written="updated_at")
    )
    for row in _iterate_by_key(rows):
        text = f"{'红字' if row.is_red else ''}{row.get_kind_display()}"
        yield Fact(
            kind=StatementKind.INVOICE,
            source_id=row.pk,
            at=row.issued_at,
            text=text,
            amount=row.amount_incl_tax,
            reference=row.invoice_no or row.request_no,
            tax_amount=row.tax_amount,
        )


def _iterate_payments(window: Window, is_new: Exists) -> Iterator[Fact]:
    """Yield payments. A bank transfer has the bank's date, which is earlier than its recording."""
    paid_states = (PaymentStatus.PAID, PaymentStatus.REFUNDED)
    rows = Payment.objects.filter(
        is_new,
        window.build_condition("order__enterprise", "paid_at", written="updated_at"),
        status__in=paid_states,
    )
    for row in _iterate_by_key(rows.select_related("order", "bank_match__receipt")):
        match = getattr(row, "bank_match", None)
        source, reference = row.get_kind_display(), row.payment_no
        if match is not None:
            source, reference = f"银行到账 {match.receipt.payer_name}", match.receipt.serial
        yield Fact(
            kind=StatementKind.PAYMENT,
            source_id=row.pk,
            at=row.paid_at,
            text=f"{source}（订单 {row.order.order_no}）",
            amount=row.amount,
            reference=reference,
            order_id=row.order_id,
        )


def _iterate_refunds(window: Window, is_new: Exists) -> Iterator[Fact]:
    """Yield the repaid payments of the window that no statement contains yet. Amounts are
    negative.
    """
    rows = PaymentRefund.objects.filter(
        is_new, window.build_condition("payment__order__enterprise", "refunded_at")
    )
    for row in _iterate_by_key(rows.select_related("payment")):
        yield Fact(
            kind=StatementKind.REFUND,
            source_id=row.pk,
            at=row.refunded_at,
            text=row.note or "退款",
            amount=-row.amount,
            reference=row.reference,
            order_id=row.payment.order_id,
        )


def _format_goods(line: OrderLine) -> str:
    """Return the customer's and our name of the product, with our code."""
    customer_name = line.customer_name if line.customer_name != line.name else ""
    return f"{' / '.join(filter(None, [customer_name, line.name]))}（{line.product_code}）"


def _iterate_by_key(rows: QuerySet[Any]) -> Iterator[Any]:
    return rows.order_by("pk").iterator(chunk_size=2000)


SOURCES: dict[StatementKind, Callable[[Window, Any], Iterator[Fact]]] = {
    StatementKind.DELIVERY: _iterate_deliveries,
    StatementKind.FREIGHT: _iterate_freights,
    StatementKind.RETURN: _iterate_returns,
    StatementKind.INVOICE: _iterate_invoices,
    StatementKind.PAYMENT: _iterate_payments,
    StatementKind.REFUND: _iterate_refunds,
}
