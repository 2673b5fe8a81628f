"""Check the splits of orders over accounting dimensions: no part is missing, the parts sum to their
lines and freight, percents agree with amounts, and the codes are those of the dimensions and of the
order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, Sum

from apps.common.books import Difference, iterate_batches
from apps.common.money import CENT, ZERO
from apps.dimensions.enums import DimensionKind
from apps.orders.models import Order, OrderAllocation, OrderLine
from apps.orders.selectors.allocations import (
    COST_CENTER,
    MAX_TEXT,
    WHOLE,
    compute_freight_parts,
    split_cost_center_codes,
    sum_goods,
)
from apps.org.models import OrganisationChange

BATCH = 500


def find_allocation_differences() -> Iterator[Difference]:
    """Yield every difference of the splits in the open scope, in 元."""
    yield from _compare_line_sums()
    yield from _check_dimensions()
    yield from _compare_codes()
    yield from _compare_flags()
    for orders in iterate_batches(Order.objects.filter(is_allocated=True), size=BATCH):
        for split in _read_splits(orders):
            yield from _compare_freight(split)
            yield from _compare_counts(split)
            yield from _compare_percents(split)
            yield from _compare_cost_center(split)


def _compare_counts(split: _Split) -> Iterator[Difference]:
    """Check that each line has as many parts as the submit wrote. A line that was cancelled
    completely may have lost them.
    """
    counts = Counter(row.line_id for row in split.goods)
    for pk, line in split.lines.items():
        if counts[pk] != line.allocation_count and (counts[pk] or line.amount):
            yield Difference(
                f"订单 {split.order.order_no} 第 {line.no} 行",
                "核算分摊条数",
                counts[pk],
                line.allocation_count,
            )


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


def _compare_codes() -> Iterator[Difference]:
    """Check that the code of a part is that of its dimension, or one that the dimension had
    earlier: a part keeps the code of the submit.
    """
    rows = OrderAllocation.objects.exclude(code=F("dimension__code"))
    earlier_codes: defaultdict[int, set[str]] = defaultdict(set)
    changes = OrganisationChange.objects.filter(
        subject_type="dimension", subject_id__in=rows.order_by().values("dimension")
    )
    for dimension_id, fields in changes.order_by().values_list("subject_id", "changes"):
        earlier_codes[dimension_id] |= {
            row["before"] for row in fields if row["field"] == "code" and row["before"]
        }
    for row in rows.select_related("order", "dimension").order_by("pk").iterator():
        if row.code not in earlier_codes[row.dimension_id]:
            yield Difference(
                f"订单 {row.order.order_no}", "分摊的核算项编码", row.code, row.dimension.code
            )


def _compare_percents(split: _Split) -> Iterator[Difference]:
    """Check that the percents of each line and kind sum to 100, and that each amount follows its
    percent. Rounding moves at most one cent for each part.
    """
    by_percent = [row for row in split.goods if row.percent is not None]
    for (line_id, kind), group in groupby(by_percent, key=lambda row: (row.line_id, row.kind)):
        parts = list(group)
        if (line := split.lines.get(line_id or 0)) is None:
            continue  # A part on a line of another order, which `_check_dimensions` reports.
        subject = f"订单 {split.order.order_no} 第 {line.no} 行"
        total = sum((row.percent or ZERO for row in parts), ZERO)
        if total != WHOLE:
            yield Difference(subject, f"{_name_figure(kind)}比例", total, WHOLE)
            continue
        for row in parts:
            share = line.amount * (row.percent or ZERO) / WHOLE
            if abs(row.amount - share) > len(parts) * CENT:
                yield Difference(subject, f"{_name_figure(kind)}金额", row.amount, share)


def _compare_cost_center(split: _Split) -> Iterator[Difference]:
    """Check that the cost centre of the order names the codes of its parts. It may name more: an
    approver can remove lines.
    """
    text, named = split.order.cost_center, split_cost_center_codes(split.order.cost_center)
    codes = list(dict.fromkeys(row.code for row in split.goods if row.kind == COST_CENTER))
    # A text of full length may be cut within a code, and the codes after it are missing.
    is_cut = len(text) == MAX_TEXT and set(named[:-1]) <= set(codes)
    if set(codes) - set(named) and not is_cut:
        yield Difference(f"订单 {split.order.order_no}", "成本中心", text, "、".join(codes))


def _compare_flags() -> Iterator[Difference]:
    """Check that the flag `is_allocated` is set for exactly the orders that have allocations."""
    has_rows = Exists(OrderAllocation.objects.filter(order=OuterRef("pk")))
    for is_allocated in (True, False):
        orders = Order.objects.filter(
            ~has_rows if is_allocated else has_rows, is_allocated=is_allocated
        )
        for order_no in orders.order_by("pk").values_list("order_no", flat=True):
            yield Difference(f"订单 {order_no}", "已分摊", is_allocated, not is_allocated)


class _Line(NamedTuple):
    """A line; `amount` in 元. `allocation_count`: the parts that the submit wrote."""

    no: int
    amount: Decimal
    allocation_count: int


@dataclass(frozen=True, slots=True)
class _Split:
    """An order with its parts in the order of its lines, and {line pk: line}."""

    order: Order
    parts: list[OrderAllocation]
    lines: dict[int, _Line]

    @property
    def goods(self) -> list[OrderAllocation]:
        """Return the parts of the lines, without those of the freight."""
        return [row for row in self.parts if row.line_id is not None]


def _read_splits(orders: list[Order]) -> Iterator[_Split]:
    """Yield the split of each order. Two queries for all of them."""
    lines: defaultdict[int, dict[int, _Line]] = defaultdict(dict)
    rows = OrderLine.objects.filter(order__in=orders).order_by("order", "no")
    for order_id, pk, *values in rows.values_list(
        "order", "pk", "no", "amount_incl_tax", "allocation_count"
    ):
        lines[order_id][pk] = _Line(*values)
    parts: defaultdict[int, list[OrderAllocation]] = defaultdict(list)
    for row in OrderAllocation.objects.filter(order__in=orders).order_by("line__no", "kind", "no"):
        parts[row.order_id].append(row)
    for order in orders:
        yield _Split(order, parts[order.pk], lines[order.pk])


def _compare_freight(split: _Split) -> Iterator[Difference]:
    """Check that the freight of the order follows its goods."""
    order, amounts = split.order, {pk: line.amount for pk, line in split.lines.items()}
    for kind in DimensionKind.values:
        totals = sum_goods(split.goods, amounts, kind)
        expected = (
            compute_freight_parts(totals, order.freight_amount) if order.freight_amount else {}
        )
        stored_amounts: defaultdict[int, Decimal] = defaultdict(lambda: ZERO)
        for row in split.parts:
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
