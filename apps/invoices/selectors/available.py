"""What may be invoiced: received, not gone back nor going, not applied for, not invoiced; freight of completed orders, once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Q, QuerySet, Sum

from apps.common.days import day_begins
from apps.common.money import ZERO, MoneyField
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, OrderLine, ReceiptLine
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account

OPEN = F("received_quantity") - F("returned_quantity") - F("returning_quantity") - F("applied_quantity") - F("invoiced_quantity")


@dataclass(frozen=True, slots=True)
class AvailableFilter:
    """What the list is narrowed by; `month` is the first day of a month in which something of it was received."""

    keyword: str = ""
    order_no: str = ""
    month: date | None = None
    department_id: int | None = None


@dataclass(frozen=True, slots=True)
class AvailableTotals:
    """How much the filter leaves: lines of goods, freight items, pieces, 元 含税, orders."""

    lines: int
    freights: int
    quantity: int
    amount: Decimal


def next_month(month: date) -> date:
    """Return the first day of the month after."""
    return date(month.year + month.month // 12, month.month % 12 + 1, 1)


def lines_available(
    *, actor: Account, enterprise_id: int, wanted: AvailableFilter | None = None, below: Collection[int] | None = None
) -> QuerySet[OrderLine]:
    """Return the order lines of which something may be invoiced, with `open_quantity`, within the actor's data scope."""
    rows: QuerySet[OrderLine] = OrderLine.objects.filter(
        scope_filter(actor=actor, menu=MenuCode.INVOICE_APPLY, prefix="order__", account="requester", below=below),
        order__enterprise_id=enterprise_id,
        received_quantity__gt=F("applied_quantity") + F("invoiced_quantity") + F("returned_quantity") + F("returning_quantity"),
        unit_price_incl_tax__gt=ZERO,
    )
    return rows.filter(_narrowed(wanted, "order__")).annotate(open_quantity=OPEN).order_by("order_id", "no")


def freights_available(*, actor: Account, enterprise_id: int, wanted: AvailableFilter | None = None) -> QuerySet[Order]:
    """Return the completed orders whose freight is on no invoice and in no application."""
    rows: QuerySet[Order] = Order.objects.filter(
        scope_filter(actor=actor, menu=MenuCode.INVOICE_APPLY, account="requester"),
        enterprise_id=enterprise_id,
        status=OrderStatus.COMPLETED,
        freight_amount__gt=ZERO,
        invoiced_freight__isnull=True,
    )
    return rows.filter(_narrowed(wanted, "")).order_by("pk")


def available_totals(*, lines: QuerySet[OrderLine], freights: QuerySet[Order]) -> AvailableTotals:
    """Return the sums of both; two queries."""
    amount = Sum(F("unit_price_incl_tax") * F("open_quantity"), output_field=MoneyField())
    of_lines = lines.order_by().aggregate(number=Count("pk"), quantity=Sum("open_quantity"), amount=amount)
    of_freights = freights.order_by().aggregate(number=Count("pk"), amount=Sum("freight_amount"))
    total = (of_lines["amount"] or ZERO) + (of_freights["amount"] or ZERO)
    return AvailableTotals(of_lines["number"], of_freights["number"], of_lines["quantity"] or 0, total)


def _narrowed(wanted: AvailableFilter | None, prefix: str) -> Q:
    """The filter's conditions on an order, reached by `prefix` from a line."""
    if wanted is None:
        return Q()
    found = Q()
    if wanted.order_no:
        found &= Q(**{f"{prefix}order_no": wanted.order_no})
    if wanted.department_id:
        found &= Q(**{f"{prefix}department_id": wanted.department_id})
    if wanted.month:
        since, until = day_begins(wanted.month), day_begins(next_month(wanted.month))
        received = ReceiptLine.objects.filter(receipt__received_at__gte=since, receipt__received_at__lt=until)
        found &= Q(pk__in=received.values("order_line")) if prefix else Q(pk__in=received.values("receipt__order"))
    if wanted.keyword:
        text = wanted.keyword
        of_order = Q(**{f"{prefix}order_no__icontains": text}) | Q(**{f"{prefix}purchase_order_no": text})
        of_line = Q(name__icontains=text) | Q(customer_name__icontains=text) | Q(product_code=text) | Q(customer_code=text)
        found &= of_order | of_line if prefix else of_order
    return found


def taken_of(order_line_ids: list[int]) -> Mapping[int, tuple[int, Decimal]]:
    """Return what of each line is on invoices that are planned or issued, less what was taken back: pieces and tax; one query."""
    from apps.invoices.enums import InvoiceStatus
    from apps.invoices.models import InvoiceLine

    rows: Any = InvoiceLine.objects.filter(order_line_id__in=order_line_ids).exclude(invoice__status=InvoiceStatus.VOID)
    sums = rows.order_by().values("order_line_id").annotate(pieces=Sum("quantity"), tax=Sum("tax_amount"))
    return {row["order_line_id"]: (row["pieces"], row["tax"]) for row in sums}


def available_page(
    *, actor: Account, enterprise_id: int, wanted: AvailableFilter, start: int, size: int
) -> tuple[list[OrderLine | Order], AvailableTotals]:
    """Return a page of what may be invoiced, goods first and freight after them, and the sums of all of it."""
    lines = lines_available(actor=actor, enterprise_id=enterprise_id, wanted=wanted)
    freights = freights_available(actor=actor, enterprise_id=enterprise_id, wanted=wanted)
    totals = available_totals(lines=lines, freights=freights)
    beside = ("requester", "department")
    rows: list[OrderLine | Order] = []
    if start < totals.lines:
        rows += lines.select_related("order", *(f"order__{name}" for name in beside))[start : start + size]
    if len(rows) < size and totals.freights:
        skipped = max(start - totals.lines, 0)
        rows += freights.select_related(*beside)[skipped : skipped + size - len(rows)]
    return rows, totals
