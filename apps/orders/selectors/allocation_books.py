"""Check that the splits of orders over accounting dimensions sum to their lines and freight."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

from django.db.models import Exists, F, OuterRef, Q, Sum

from apps.common.books import Difference, iterate_batches
from apps.common.money import ZERO
from apps.dimensions.enums import DimensionKind
from apps.orders.models import Order, OrderAllocation, OrderLine
from apps.orders.selectors.allocations import compute_freight_parts, sum_goods

BATCH = 500


def find_allocation_differences() -> Iterator[Difference]:
    """Yield every difference of the splits in the open scope, in 元."""
    yield from _compare_line_sums()
    yield from _check_dimensions()
    yield from _compare_flags()
    for orders in iterate_batches(Order.objects.filter(is_allocated=True), size=BATCH):
        yield from _compare_freights(orders)


def _compare_line_sums() -> Iterator[Difference]:
    """Check that the parts of each line and kind sum to the amount of the line."""
    rows = OrderAllocation.objects.filter(line__isnull=False).order_by()
    sums = rows.values_list("order__order_no", "line__no", "kind", "line__amount_incl_tax")
    for order_no, no, kind, amount, total in sums.annotate(total=Sum("amount")).exclude(
        total=F("line__amount_incl_tax")
    ):
        yield Difference(f"订单 {order_no} 第 {no} 行", _name_figure(kind), total, amount)


def _check_dimensions() -> Iterator[Difference]:
    """Check that a part names a dimension of its kind and group, on a line of its order."""
    is_wrong = (
        ~Q(dimension__kind=F("kind"))
        | ~Q(dimension__group=F("group"))
        | Q(line__isnull=False) & ~Q(line__order=F("order"))
    )
    rows = OrderAllocation.objects.filter(is_wrong).select_related("order", "dimension")
    for row in rows.order_by("pk"):
        stored = f"{row.kind} {row.code}"
        facts = f"{row.dimension.kind} {row.dimension.code}"
        yield Difference(f"订单 {row.order.order_no}", "分摊的核算项", stored, facts)


def _compare_flags() -> Iterator[Difference]:
    """Check that the flag `is_allocated` is set for exactly the orders that have allocations."""
    has_rows = Exists(OrderAllocation.objects.filter(order=OuterRef("pk")))
    for is_allocated in (True, False):
        orders = Order.objects.filter(
            ~has_rows if is_allocated else has_rows, is_allocated=is_allocated
        )
        for order_no in orders.order_by("pk").values_list("order_no", flat=True):
            yield Difference(f"订单 {order_no}", "已分摊", is_allocated, not is_allocated)


def _compare_freights(orders: list[Order]) -> Iterator[Difference]:
    """Check that the freight of each order follows its goods."""
    amounts: defaultdict[int, dict[int, Decimal]] = defaultdict(dict)
    lines = OrderLine.objects.filter(order__in=orders).order_by("order", "no")
    for order_id, line_id, amount in lines.values_list("order", "pk", "amount_incl_tax"):
        amounts[order_id][line_id] = amount
    parts: defaultdict[int, list[OrderAllocation]] = defaultdict(list)
    for row in OrderAllocation.objects.filter(order__in=orders).order_by("line__no", "no"):
        parts[row.order_id].append(row)
    for order in orders:
        goods = [row for row in parts[order.pk] if row.line_id is not None]
        for kind in DimensionKind.values:
            totals = sum_goods(goods, amounts[order.pk], kind)
            expected = (
                compute_freight_parts(totals, order.freight_amount) if order.freight_amount else {}
            )
            stored_amounts: defaultdict[int, Decimal] = defaultdict(lambda: ZERO)
            for row in parts[order.pk]:
                if row.line_id is None and row.kind == kind:
                    stored_amounts[row.dimension_id] += row.amount
            if stored_amounts != expected:
                yield Difference(
                    f"订单 {order.order_no} 运费",
                    _name_figure(kind),
                    sum(stored_amounts.values(), ZERO),
                    sum(expected.values(), ZERO),
                )


def _name_figure(kind: str) -> str:
    return f"{DimensionKind(kind).label}分摊"
