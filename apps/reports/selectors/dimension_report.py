"""核算报表: the orders of a period by cost centre, project or accounting subject."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Count, QuerySet, Sum

from apps.common.days import filter_days
from apps.common.money import ZERO
from apps.dimensions.enums import DimensionKind
from apps.orders.enums import PURCHASED
from apps.orders.models import Order, OrderAllocation
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class DimensionRow:
    """One dimension with its orders and its amount in 元. `code` is empty for the rest."""

    code: str
    name: str
    orders: int
    amount: Decimal


@dataclass(frozen=True, slots=True)
class DimensionReport:
    """The rows by code, amounts without a dimension last, and the total of the orders in 元."""

    kind: str
    rows: list[DimensionRow]
    orders: int
    total: Decimal


def get_dimension_report(
    *, actor: Account, kind: str, since: date | None, until: date | None
) -> DimensionReport:
    """Return the orders submitted from `since` to `until` (inclusive) in the actor's data scope
    of 部门报表, at their present amounts with freight. Orders in approval and ended ones do not
    count. The rows sum to the total. Two queries.
    """
    orders: QuerySet[Order] = Order.objects.filter(
        scope_filter(actor=actor, menu=MenuCode.REPORT_DEPARTMENT, account="requester"),
        filter_days("submitted_at", since, until),
        status__in=PURCHASED,
    ).order_by()
    order_totals = orders.aggregate(count=Count("pk"), total=Sum("total_amount"))
    total: Decimal = order_totals["total"] or ZERO
    sums = (
        OrderAllocation.objects.filter(order__in=orders.values("pk"), kind=kind)
        .order_by()
        .values_list("dimension__code", "dimension__name")
        .annotate(orders=Count("order", distinct=True), amount=Sum("amount"))
    )
    rows = [DimensionRow(*row) for row in sorted(sums)]
    unassigned_amount = total - sum((row.amount for row in rows), ZERO)
    if unassigned_amount:
        rows.append(DimensionRow("", f"未指定{DimensionKind(kind).label}", 0, unassigned_amount))
    return DimensionReport(kind, rows, order_totals["count"], total)
