"""The check that the facts of each order sum to its documents: the order, its receipts, its
returns and its invoices.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Q, Sum

from apps.aftersales.models import ReturnLine
from apps.common.books import BATCH, Difference
from apps.common.models import OutboxMessage
from apps.common.money import ZERO
from apps.invoices.models import InvoiceLine
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, ReceiptLine
from apps.reports.enums import Basis
from apps.reports.models import OrderColumns, ReportFact, ReportOrderDay
from apps.reports.selectors.facts import COUNTED_APPROVALS

Sums = dict[int, Decimal]


@dataclass(slots=True)
class OrderTotals:
    """The columns of an order that the check compares with its facts."""

    pk: int
    group_id: int
    order_no: str
    status: str
    approval_status: str
    total_amount: Decimal
    freight_amount: Decimal
    completed_at: datetime | None


class OrderBatch(NamedTuple):
    """A batch of orders: the range of their primary keys, and their groups."""

    first: int
    last: int
    groups: set[int]


def find_fact_differences() -> Iterator[Difference]:
    """Yield a difference for each order whose facts do not sum to its documents, or whose daily
    sums do not match its facts.

    Orders with an undelivered outbox message are skipped, because their facts are not yet updated.
    """
    skipped_order_ids, last_pk = _list_orders_with_messages(), 0
    rows = Order.objects.order_by("pk").values_list(
        "pk",
        "group_id",
        "order_no",
        "status",
        "approval_status",
        "total_amount",
        "freight_amount",
        "completed_at",
    )
    while batch := [OrderTotals(*row) for row in rows.filter(pk__gt=last_pk)[:BATCH]]:
        last_pk = batch[-1].pk
        # The indexes of facts and returns begin with the group, so the filter names the groups.
        batch_range = OrderBatch(batch[0].pk, last_pk, {row.group_id for row in batch})
        settled_orders = [order for order in batch if order.pk not in skipped_order_ids]
        documents = {
            Basis.ORDERED: _sum_orders(settled_orders),
            **_sum_documents(settled_orders, batch_range),
        }
        facts = _sum_by_basis_and_order(ReportFact, batch_range)
        days = _sum_by_basis_and_order(ReportOrderDay, batch_range)
        for order in settled_orders:
            for basis in Basis:
                fact_amount = facts[basis].get(order.pk, ZERO)
                document_amount = documents[basis].get(order.pk, ZERO)
                if fact_amount != document_amount:
                    yield Difference(
                        f"订单 {order.order_no}",
                        f"报表（{basis.label}）",
                        fact_amount,
                        document_amount,
                    )
                if (day_amount := days[basis].get(order.pk, ZERO)) != fact_amount:
                    yield Difference(
                        f"订单 {order.order_no}",
                        f"报表日汇总（{basis.label}）",
                        day_amount,
                        fact_amount,
                    )


def _build_batch_filter(order_lookup: str, batch_range: OrderBatch) -> dict[str, Any]:
    """Return the filter for rows of the batch. `order_lookup` leads from a row to its order:
    "receipt__order" for a ReceiptLine. An index answers the range of keys without a list of keys.
    """
    return {
        f"{order_lookup}__gte": batch_range.first,
        f"{order_lookup}__lte": batch_range.last,
        "group__in": batch_range.groups,
    }


def _list_orders_with_messages() -> set[int]:
    """Return the orders with an undelivered outbox message. Dead messages do not count."""
    undelivered = OutboxMessage.objects.filter(delivered_at__isnull=True, dead_at__isnull=True)
    order_ids = undelivered.filter(
        Q(topic__startswith="order.") | Q(topic="return.refunded")
    ).values_list("payload__order_id", flat=True)
    request_numbers = undelivered.filter(topic="invoice.issued").values_list("key", flat=True)
    invoiced_order_ids = InvoiceLine.objects.filter(
        invoice__request_no__in=list(request_numbers)
    ).values_list("order_id", flat=True)
    return {int(pk) for pk in order_ids if pk is not None} | set(invoiced_order_ids)


def _sum_orders(orders: Collection[OrderTotals]) -> Sums:
    """Return the total of each order that counts as bought and is not cancelled."""
    return {
        row.pk: row.total_amount
        for row in orders
        if row.approval_status in COUNTED_APPROVALS and row.status != OrderStatus.CANCELLED
    }


def _sum_documents(orders: Collection[OrderTotals], batch_range: OrderBatch) -> dict[Basis, Sums]:
    """Return {basis: {order pk: 元 含税}} from receipts, returns and invoices."""
    received: Sums = defaultdict(lambda: ZERO)
    receipt_lines = (
        ReceiptLine.objects.filter(**_build_batch_filter("receipt__order", batch_range))
        .order_by()
        .values_list("receipt__order")
    )
    for pk, total in receipt_lines.annotate(total=Sum("amount_incl_tax")):
        received[pk] += total
    returned_lines = ReturnLine.objects.filter(
        **_build_batch_filter("return_order__order", batch_range),
        return_order__refunded_at__isnull=False,
    ).order_by()
    for pk, total in returned_lines.values_list("return_order__order").annotate(
        total=Sum("amount_incl_tax")
    ):
        received[pk] -= total
    for order in orders:
        if order.completed_at is not None:
            received[order.pk] += order.freight_amount
    invoice_lines = (
        InvoiceLine.objects.filter(
            **_build_batch_filter("order", batch_range), invoice__issued_at__isnull=False
        )
        .order_by()
        .values_list("order")
    )
    return {
        Basis.RECEIVED: received,
        Basis.INVOICED: dict(invoice_lines.annotate(total=Sum("amount_incl_tax"))),
    }


def _sum_by_basis_and_order(table: type[OrderColumns], batch_range: OrderBatch) -> dict[str, Sums]:
    """Return {basis: {order pk: 元 含税}} from the stored facts of the reports."""
    sums: dict[str, Sums] = defaultdict(dict)
    rows = (
        table._default_manager.filter(**_build_batch_filter("order", batch_range))
        .order_by()
        .values_list("basis", "order")
        .annotate(total=Sum("amount"))
    )
    for basis, pk, total in rows:
        sums[basis][pk] = total
    return sums
