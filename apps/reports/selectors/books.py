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


def fact_differences() -> Iterator[Difference]:
    """Yield a difference for each order whose facts do not sum to its documents, or whose daily
    sums do not match its facts.

    Orders with an undelivered outbox message are skipped, because their facts are not yet updated.
    """
    waiting, last = _waiting(), 0
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
    while batch := [OrderTotals(*row) for row in rows.filter(pk__gt=last)[:BATCH]]:
        last = batch[-1].pk
        # The indexes of facts and returns begin with the group, so the filter names the groups.
        between = OrderBatch(batch[0].pk, last, {row.group_id for row in batch})
        due = [order for order in batch if order.pk not in waiting]
        documents = {Basis.ORDERED: _order_totals(due), **_document_totals(due, between)}
        facts = _sums(ReportFact, between)
        days = _sums(ReportOrderDay, between)
        for order in due:
            for basis in Basis:
                stored = facts[basis].get(order.pk, ZERO)
                right = documents[basis].get(order.pk, ZERO)
                if stored != right:
                    yield Difference(
                        f"订单 {order.order_no}", f"报表（{basis.label}）", stored, right
                    )
                if (added := days[basis].get(order.pk, ZERO)) != stored:
                    yield Difference(
                        f"订单 {order.order_no}", f"报表日汇总（{basis.label}）", added, stored
                    )


def _within(order: str, between: OrderBatch) -> dict[str, Any]:
    """Return the filter for rows of the batch. An index answers the range of keys without a
    list of keys.
    """
    return {
        f"{order}__gte": between.first,
        f"{order}__lte": between.last,
        "group__in": between.groups,
    }


def _waiting() -> set[int]:
    """Return the orders with an undelivered outbox message. Dead messages do not count."""
    due = OutboxMessage.objects.filter(delivered_at__isnull=True, dead_at__isnull=True)
    named = due.filter(Q(topic__startswith="order.") | Q(topic="return.refunded")).values_list(
        "payload__order_id", flat=True
    )
    issued = due.filter(topic="invoice.issued").values_list("key", flat=True)
    invoiced = InvoiceLine.objects.filter(invoice__request_no__in=list(issued)).values_list(
        "order_id", flat=True
    )
    return {int(pk) for pk in named if pk is not None} | set(invoiced)


def _order_totals(orders: Collection[OrderTotals]) -> Sums:
    """Return the total of each order that counts as bought and is not cancelled."""
    return {
        row.pk: row.total_amount
        for row in orders
        if row.approval_status in COUNTED_APPROVALS and row.status != OrderStatus.CANCELLED
    }


def _document_totals(orders: Collection[OrderTotals], between: OrderBatch) -> dict[Basis, Sums]:
    received: Sums = defaultdict(lambda: ZERO)
    came = (
        ReceiptLine.objects.filter(**_within("receipt__order", between))
        .order_by()
        .values_list("receipt__order")
    )
    for pk, total in came.annotate(total=Sum("amount_incl_tax")):
        received[pk] += total
    back = ReturnLine.objects.filter(
        **_within("return_order__order", between), return_order__refunded_at__isnull=False
    ).order_by()
    for pk, total in back.values_list("return_order__order").annotate(total=Sum("amount_incl_tax")):
        received[pk] -= total
    for order in orders:
        if order.completed_at is not None:
            received[order.pk] += order.freight_amount
    billed = (
        InvoiceLine.objects.filter(**_within("order", between), invoice__issued_at__isnull=False)
        .order_by()
        .values_list("order")
    )
    return {
        Basis.RECEIVED: received,
        Basis.INVOICED: dict(billed.annotate(total=Sum("amount_incl_tax"))),
    }


def _sums(table: type[OrderColumns], between: OrderBatch) -> dict[str, Sums]:
    sums: dict[str, Sums] = defaultdict(dict)
    rows = (
        table._default_manager.filter(**_within("order", between))
        .order_by()
        .values_list("basis", "order")
        .annotate(total=Sum("amount"))
    )
    for basis, pk, total in rows:
        sums[basis][pk] = total
    return sums
