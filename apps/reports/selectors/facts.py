"""Derive the dated facts of orders from their source rows (lines, cancellations, receipts, returns
and invoices), and sum them by order, basis and day. The read models hold exactly these rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.utils import timezone

from apps.aftersales.enums import CancelStatus
from apps.aftersales.models import CancelOrder, CancelOrderLine, ReturnLine
from apps.common.models import Event
from apps.common.money import ZERO, compute_tax
from apps.invoices.models import InvoiceLine
from apps.orders.enums import (
    BEFORE_SHIPMENT,
    OrderApprovalStatus,
    OrderEventKind,
    OrderStatus,
)
from apps.orders.models import Order, OrderLine, ReceiptLine
from apps.reports.enums import BASIS_OF, FactKind
from apps.reports.models import OrderColumns, ReportFact, ReportOrderDay

K = FactKind
# Orders that wait for approval, or that were refused or withdrawn before it, do not count.
COUNTED_APPROVALS = (OrderApprovalStatus.NOT_NEEDED, OrderApprovalStatus.APPROVED)
# The order states that are possible with these approval states.
COUNTED_STATES = (
    OrderStatus.PENDING_CONFIRM,
    OrderStatus.PENDING_SHIPMENT,
    OrderStatus.PARTLY_SHIPPED,
    OrderStatus.PENDING_RECEIPT,
    OrderStatus.COMPLETED,
    OrderStatus.CANCELLED,
)
SUMMED = ("quantity", "amount", "tax_amount")
ZERO_SUMS: dict[str, Any] = {"facts": 0, "quantity": 0, "amount": ZERO, "tax_amount": ZERO}
# The columns that both tables share, except the summed ones.
COMMON = tuple(
    field.attname  # type: ignore[union-attr]
    for field in OrderColumns._meta.get_fields()
    if field.name not in SUMMED
)


@dataclass(slots=True)
class _Book:
    """The source rows of a batch of orders, by order."""

    lines: dict[int, list[OrderLine]] = field(default_factory=lambda: defaultdict(list))
    cancels: dict[int, list[CancelOrder]] = field(default_factory=lambda: defaultdict(list))
    ended_at: dict[int, datetime] = field(default_factory=dict)
    received: dict[int, list[ReceiptLine]] = field(default_factory=lambda: defaultdict(list))
    returned: dict[int, list[ReturnLine]] = field(default_factory=lambda: defaultdict(list))
    invoiced: dict[int, list[InvoiceLine]] = field(default_factory=lambda: defaultdict(list))


def iterate_facts(orders: Collection[Order]) -> Iterator[ReportFact]:
    """Yield the facts of these orders, unsaved. The caller loads `orders` with their
    `budget_reservation`. At most seven queries for any number of orders.
    """
    book = _load_source_rows(orders)
    for order in orders:
        yield from _build_ordered_facts(order, book)
        yield from _build_received_facts(order, book)
        yield from _build_invoiced_facts(order, book)


def _load_source_rows(orders: Collection[Order]) -> _Book:
    """Read the source rows of the orders. What an order cannot have in its state is not read: an
    order that does not count has no facts, and one that has not shipped has no receipts, returns
    and invoices.
    """
    book = _Book()
    counted = [order for order in orders if order.approval_status in COUNTED_APPROVALS]
    if counted:
        _load_lines_and_cancellations(book, counted)
    shipped = [order.pk for order in counted if order.status not in BEFORE_SHIPMENT]
    if shipped:
        _load_receipts_returns_and_invoices(book, shipped)
    return book


def _load_lines_and_cancellations(book: _Book, orders: Collection[Order]) -> None:
    """Read the lines and the cancellations of the orders into the book."""
    order_ids = [order.pk for order in orders]
    for line in OrderLine.objects.filter(order__in=order_ids).order_by("order", "no"):
        book.lines[line.order_id].append(line)
    partial_cancels = CancelOrder.objects.filter(
        order__in=order_ids, status=CancelStatus.DONE, is_whole=False
    ).order_by("decided_at", "pk")
    for cancel in partial_cancels.prefetch_related("lines"):
        book.cancels[cancel.order_id].append(cancel)
    cancelled_ids = [order.pk for order in orders if order.status == OrderStatus.CANCELLED]
    if cancelled_ids:
        cancel_events = Event.objects.filter(
            subject_type="orders.order",
            subject_id__in=cancelled_ids,
            kind=OrderEventKind.CANCELLED,
        )
        book.ended_at = dict(cancel_events.order_by("-at").values_list("subject_id", "at"))


def _load_receipts_returns_and_invoices(book: _Book, order_ids: Collection[int]) -> None:
    """Read the receipts, returns and invoices of shipped orders into the book."""
    for receipt_line in (
        ReceiptLine.objects.filter(receipt__order__in=order_ids)
        .select_related("receipt")
        .order_by("pk")
    ):
        book.received[receipt_line.receipt.order_id].append(receipt_line)
    returned_lines = ReturnLine.objects.filter(
        return_order__order__in=order_ids,
        return_order__refunded_at__isnull=False,
        accepted_quantity__gt=0,
    )
    for return_line in returned_lines.select_related("return_order").order_by("pk"):
        book.returned[return_line.return_order.order_id].append(return_line)
    for invoice_line in (
        InvoiceLine.objects.filter(order__in=order_ids, invoice__issued_at__isnull=False)
        .select_related("invoice")
        .order_by("pk")
    ):
        book.invoiced[invoice_line.order_id].append(invoice_line)


def _build_ordered_facts(order: Order, book: _Book) -> Iterator[ReportFact]:
    """An order counts from the day it was submitted, once it needs no approval or has been
    approved. Cancelled quantities count on their cancellation day.
    """
    if order.approval_status not in COUNTED_APPROVALS:
        return
    lines, cancels, cancelled_at = (
        book.lines[order.pk],
        book.cancels[order.pk],
        _find_cancelled_at(order, book),
    )
    for line in lines:
        # The original quantity: the current one plus the cancelled one.
        ordered_quantity = line.quantity + line.cancelled_quantity
        yield _build_fact(
            K.ORDERED,
            line.pk,
            order,
            order.submitted_at,
            line,
            ordered_quantity,
            *_compute_price_and_tax_between(line, 0, ordered_quantity),
        )
        if cancelled_at and line.quantity:
            yield _build_fact(
                K.ENDED,
                line.pk,
                order,
                cancelled_at,
                line,
                -line.quantity,
                -line.amount_incl_tax,
                -line.tax_amount,
            )
    yield from _build_cancelled_facts(order, lines, cancels)
    freight = order.freight_amount - sum(
        (row.freight_after - row.freight_before for row in cancels), ZERO
    )
    yield from _build_freight_facts(K.ORDERED_FREIGHT, order.pk, order, order.submitted_at, freight)
    if cancelled_at:
        yield from _build_freight_facts(
            K.ENDED_FREIGHT, order.pk, order, cancelled_at, -order.freight_amount
        )


def _build_cancelled_facts(
    order: Order, lines: list[OrderLine], cancels: list[CancelOrder]
) -> Iterator[ReportFact]:
    """The tax of a cancelled part is the decrease of the line's tax, so that the remaining tax
    is exact to the cent.
    """
    line_by_pk = {line.pk: line for line in lines}
    remaining_by_line = {line.pk: line.quantity + line.cancelled_quantity for line in lines}
    for cancel in cancels:
        at = cancel.decided_at or cancel.submitted_at
        cancel_lines: list[CancelOrderLine] = sorted(
            cancel.lines.all(), key=lambda cancel_line: cancel_line.pk
        )
        for cancel_line in (
            cancel_line for cancel_line in cancel_lines if cancel_line.order_line_id in line_by_pk
        ):
            line = line_by_pk[cancel_line.order_line_id]
            amount, tax = _compute_price_and_tax_between(
                line, remaining_by_line[line.pk] - cancel_line.quantity, remaining_by_line[line.pk]
            )
            remaining_by_line[line.pk] -= cancel_line.quantity
            yield _build_fact(
                K.CANCELLED, cancel_line.pk, order, at, line, -cancel_line.quantity, -amount, -tax
            )
        yield from _build_freight_facts(
            K.CANCELLED_FREIGHT, cancel.pk, order, at, cancel.freight_after - cancel.freight_before
        )


def _build_received_facts(order: Order, book: _Book) -> Iterator[ReportFact]:
    """Yield a fact for each received and each refunded line, by the same rules as the statements,
    and for the freight of a complete order.
    """
    lines = {line.pk: line for line in book.lines[order.pk]}
    for receipt_line in book.received[order.pk]:
        line = lines[receipt_line.order_line_id]
        yield _build_fact(
            K.RECEIVED,
            receipt_line.pk,
            order,
            receipt_line.receipt.received_at,
            line,
            receipt_line.quantity,
            receipt_line.amount_incl_tax,
            receipt_line.tax_amount,
        )
    for return_line in book.returned[order.pk]:
        line = lines[return_line.order_line_id]
        refunded_at = return_line.return_order.refunded_at or timezone.now()
        yield _build_fact(
            K.RETURNED,
            return_line.pk,
            order,
            refunded_at,
            line,
            -(return_line.accepted_quantity or 0),
            -return_line.amount_incl_tax,
            -return_line.tax_amount,
        )
    if order.completed_at is not None:
        yield from _build_freight_facts(
            K.RECEIVED_FREIGHT, order.pk, order, order.completed_at, order.freight_amount
        )


def _build_invoiced_facts(order: Order, book: _Book) -> Iterator[ReportFact]:
    """The lines of issued invoices. The lines of a red invoice are already negative."""
    lines = {line.pk: line for line in book.lines[order.pk]}
    for invoice_line in book.invoiced[order.pk]:
        line, at = (
            lines.get(invoice_line.order_line_id or 0),
            invoice_line.invoice.issued_at or timezone.now(),
        )
        kind = K.RED if invoice_line.invoice.is_red else K.INVOICED
        pieces = invoice_line.quantity if line else 0
        yield _build_fact(
            kind,
            invoice_line.pk,
            order,
            at,
            line,
            pieces,
            invoice_line.amount_incl_tax,
            invoice_line.tax_amount,
        )


def _find_cancelled_at(order: Order, book: _Book) -> datetime | None:
    """Return when the order was cancelled, None if it is not."""
    return (
        book.ended_at.get(order.pk, order.updated_at)
        if order.status == OrderStatus.CANCELLED
        else None
    )


def _compute_price_and_tax_between(
    line: OrderLine, quantity_after: int, quantity_before: int
) -> tuple[Decimal, Decimal]:
    """Return the price (元, 含税) and the tax of the pieces between two quantities of a line."""
    price_before, price_after = (
        line.unit_price_incl_tax * quantity_before,
        line.unit_price_incl_tax * quantity_after,
    )
    return price_before - price_after, compute_tax(price_before, line.tax_rate) - compute_tax(
        price_after, line.tax_rate
    )


def _build_freight_facts(
    kind: FactKind, source_id: int, order: Order, at: datetime, amount: Decimal
) -> Iterator[ReportFact]:
    if amount:
        yield _build_fact(kind, source_id, order, at, None, 0, amount, ZERO)


def _build_fact(
    kind: FactKind,
    source_id: int,
    order: Order,
    at: datetime,
    line: OrderLine | None,
    quantity: int,
    amount: Decimal,
    tax: Decimal,
) -> ReportFact:
    """Return an unsaved fact. `source_id`: pk of the row it comes from. `amount` and `tax` are
    in 元.
    """
    reservation = order.budget_reservation
    of_line: dict[str, Any] = {"quantity": quantity, "amount": amount, "tax_amount": tax}
    if line is not None:
        levels = {
            f"category_id_l{level}": getattr(line, f"category_id_l{level}") for level in (1, 2, 3)
        }
        of_line.update({"order_line_id": line.pk, "product_id": line.product_id, **levels})
    return ReportFact(
        group_id=order.group_id,
        basis=BASIS_OF[kind],
        kind=kind,
        source_id=source_id,
        at=at,
        day=timezone.localdate(at),
        order_id=order.pk,
        enterprise_id=order.enterprise_id,
        department_id=order.department_id,
        requester_id=order.requester_id,
        budget_id=reservation.budget_id if reservation else None,
        order_status=order.status,
        payment_kind=order.payment_kind,
        purchase_order_no=order.purchase_order_no,
        cost_center=order.cost_center,
        **of_line,
    )


def sum_days(facts: Iterable[ReportFact]) -> list[ReportOrderDay]:
    """Return the sums, unsaved. A day whose facts sum to zero also has a row."""
    days: dict[tuple[object, ...], ReportOrderDay] = {}
    for fact in facts:
        key = (fact.group_id, fact.order_id, fact.basis, fact.day)
        if key not in days:
            shared: dict[str, Any] = {name: getattr(fact, name) for name in COMMON}
            days[key] = ReportOrderDay(**shared, **ZERO_SUMS)
        row = days[key]
        row.facts += 1
        row.quantity += fact.quantity
        row.amount += fact.amount
        row.tax_amount += fact.tax_amount
    return list(days.values())
