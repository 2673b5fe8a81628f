"""Quantities that can be invoiced: received, not in after-sales, not returned, not applied for
and not invoiced. Freight of completed orders can be invoiced once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Q, QuerySet, Sum

from apps.common.days import get_next_month, start_of_day
from apps.common.money import ZERO, MoneyField
from apps.invoices.enums import InvoiceStatus
from apps.invoices.models import InvoiceLine
from apps.orders.enums import InvoicingStatus, OrderStatus
from apps.orders.models import Order, OrderLine, ReceiptLine
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account

OPEN_QUANTITY = (
    F("received_quantity")
    - F("returned_quantity")
    - F("returning_quantity")
    - F("applied_quantity")
    - F("invoiced_quantity")
)
# Above this number the exact count does not matter, so the query stops counting.
MAX_COUNT = 100


@dataclass(frozen=True, slots=True)
class AvailableFilter:
    """Filter of the list. `month` is the first day of a month in which the line, or a line of
    the order, was received.
    """

    keyword: str = ""
    order_no: str = ""
    month: date | None = None
    department_id: int | None = None


@dataclass(frozen=True, slots=True)
class AvailableTotals:
    """Totals of the filtered rows: goods lines, freight items, pieces, 元 含税."""

    lines: int
    freights: int
    quantity: int
    amount: Decimal


def list_available_lines(
    *,
    actor: Account,
    enterprise_id: int,
    filters: AvailableFilter | None = None,
    subtree_ids: Collection[int] | None = None,
) -> QuerySet[OrderLine]:
    """Return the order lines in the actor's data scope that can be invoiced, with
    `open_quantity`.
    """
    rows: QuerySet[OrderLine] = OrderLine.objects.filter(
        scope_filter(
            actor=actor,
            menu=MenuCode.INVOICE_APPLY,
            prefix="order__",
            account="requester",
            subtree_ids=subtree_ids,
        ),
        order__enterprise_id=enterprise_id,
        received_quantity__gt=F("applied_quantity")
        + F("invoiced_quantity")
        + F("returned_quantity")
        + F("returning_quantity"),
        unit_price_incl_tax__gt=ZERO,
    )
    return (
        rows.filter(_filter_orders(filters, "order__"))
        .annotate(open_quantity=OPEN_QUANTITY)
        .order_by("order_id", "no")
    )


def list_available_freights(
    *, actor: Account, enterprise_id: int, filters: AvailableFilter | None = None
) -> QuerySet[Order]:
    """Return the completed orders whose freight is neither invoiced nor applied for."""
    rows: QuerySet[Order] = Order.objects.filter(
        scope_filter(actor=actor, menu=MenuCode.INVOICE_APPLY, account="requester"),
        enterprise_id=enterprise_id,
        status=OrderStatus.COMPLETED,
        freight_amount__gt=ZERO,
        invoiced_freight__isnull=True,
    )
    return rows.filter(_filter_orders(filters, "")).order_by("pk")


def sum_available(*, lines: QuerySet[OrderLine], freights: QuerySet[Order]) -> AvailableTotals:
    """Return the totals of goods and freight. Two queries."""
    amount = Sum(F("unit_price_incl_tax") * F("open_quantity"), output_field=MoneyField())
    of_lines = lines.order_by().aggregate(
        number=Count("pk"), quantity=Sum("open_quantity"), amount=amount
    )
    of_freights = freights.order_by().aggregate(number=Count("pk"), amount=Sum("freight_amount"))
    total = (of_lines["amount"] or ZERO) + (of_freights["amount"] or ZERO)
    return AvailableTotals(
        of_lines["number"], of_freights["number"], of_lines["quantity"] or 0, total
    )


def get_available_page(
    *, actor: Account, enterprise_id: int, filters: AvailableFilter, start: int, size: int
) -> tuple[list[OrderLine | Order], AvailableTotals]:
    """Return (one page of goods, followed by freight; totals of all pages)."""
    lines = list_available_lines(actor=actor, enterprise_id=enterprise_id, filters=filters)
    freights = list_available_freights(actor=actor, enterprise_id=enterprise_id, filters=filters)
    totals = sum_available(lines=lines, freights=freights)
    beside = ("requester", "department")
    rows: list[OrderLine | Order] = []
    if start < totals.lines:
        rows += lines.select_related("order", *(f"order__{name}" for name in beside))[
            start : start + size
        ]
    if len(rows) < size and totals.freights:
        skipped = max(start - totals.lines, 0)
        rows += freights.select_related(*beside)[skipped : skipped + size - len(rows)]
    return rows, totals


def get_invoiced_parts(order_line_ids: list[int]) -> Mapping[int, tuple[int, Decimal]]:
    """Return {order line pk: (pieces, tax in 元)} on planned and issued invoices, minus those
    taken back. One query.
    """
    rows: Any = InvoiceLine.objects.filter(order_line_id__in=order_line_ids).exclude(
        invoice__status=InvoiceStatus.VOID
    )
    sums = (
        rows.order_by()
        .values("order_line_id")
        .annotate(pieces=Sum("quantity"), tax=Sum("tax_amount"))
    )
    return {row["order_line_id"]: (row["pieces"], row["tax"]) for row in sums}


def count_orders_to_invoice(*, actor: Account, subtree_ids: Collection[int]) -> int | None:
    """Return the number of orders of the actor's enterprise with goods to invoice, within the
    data scope, at most MAX_COUNT. None if the actor may not apply.
    """
    if actor.enterprise_id is None or not actor.has_menu_code(MenuCode.INVOICE_APPLY):
        return None
    lines = list_available_lines(
        actor=actor, enterprise_id=actor.enterprise_id, subtree_ids=subtree_ids
    )
    return int(lines.order_by().values("order_id").distinct()[:MAX_COUNT].count())


def get_invoicing_status(
    *, owed_pieces: int, done_pieces: int, has_freight: bool, is_freight_done: bool
) -> InvoicingStatus:
    """Return the status: nothing invoiced, partly invoiced, or everything invoiced that was not
    returned, including freight.
    """
    if not done_pieces and not is_freight_done:
        return InvoicingStatus.NONE
    is_all = done_pieces >= owed_pieces and (is_freight_done or not has_freight)
    return InvoicingStatus.DONE if is_all else InvoicingStatus.PARTLY


def _filter_orders(filters: AvailableFilter | None, prefix: str) -> Q:
    """Return the filter's conditions on an order. `prefix` is the path from a line to its
    order.
    """
    if filters is None:
        return Q()
    condition = Q()
    if filters.order_no:
        condition &= Q(**{f"{prefix}order_no": filters.order_no})
    if filters.department_id:
        condition &= Q(**{f"{prefix}department_id": filters.department_id})
    if filters.month:
        since, until = start_of_day(filters.month), start_of_day(get_next_month(filters.month))
        received = ReceiptLine.objects.filter(
            receipt__received_at__gte=since, receipt__received_at__lt=until
        )
        condition &= (
            Q(pk__in=received.values("order_line"))
            if prefix
            else Q(pk__in=received.values("receipt__order"))
        )
    if filters.keyword:
        text = filters.keyword
        of_order = Q(**{f"{prefix}order_no__icontains": text}) | Q(
            **{f"{prefix}purchase_order_no": text}
        )
        of_line = (
            Q(name__icontains=text)
            | Q(customer_name__icontains=text)
            | Q(product_code=text)
            | Q(customer_code=text)
        )
        condition &= of_order | of_line if prefix else of_order
    return condition
