"""Write the split of an order over accounting dimensions, and split again when amounts change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from apps.dimensions.enums import DimensionKind
from apps.orders.models import Order, OrderAllocation, OrderLine
from apps.orders.selectors.allocations import (
    OrderShares,
    Shares,
    compute_freight_parts,
    rescale_parts,
    sum_goods,
)


def allocations_write(
    orders_with_lines: Sequence[tuple[Order, Sequence[OrderLine]]], shares: Sequence[OrderShares]
) -> None:
    """Save the shares of new orders."""
    rows = [
        row
        for (order, lines), of_order in zip(orders_with_lines, shares, strict=True)
        for row in _build_line_rows(order, lines, of_order)
    ]
    if rows:
        OrderAllocation.objects.bulk_create(rows)


def _build_line_rows(
    order: Order, lines: Iterable[OrderLine], shares: OrderShares
) -> Iterator[OrderAllocation]:
    for line, of_line in zip(lines, shares.lines, strict=True):
        yield from _build_rows_of_line(order, line, of_line)
    yield from _build_rows_of_line(order, None, shares.freight)


def _build_rows_of_line(
    order: Order, line: OrderLine | None, shares: Shares
) -> Iterator[OrderAllocation]:
    """Yield unsaved allocations of a line, or of the whole order if `line` is None."""
    for kind, parts in shares.items():
        for no, share in enumerate(parts, start=1):
            yield OrderAllocation(
                group_id=order.group_id,
                order=order,
                line=line,
                kind=kind,
                no=no,
                dimension_id=share.dimension.pk,
                code=share.dimension.code,
                name=share.dimension.name,
                percent=share.percent,
                amount=share.amount,
            )


def allocations_rescale(order: Order, *, lines: Sequence[OrderLine], freight: Decimal) -> None:
    """Split the new amounts of a locked order's lines in the same proportions as before, and
    split the freight by the result. Rows of lines that are not in `lines` are deleted.
    """
    if not order.is_allocated:
        return
    amounts = {line.pk: line.amount_incl_tax for line in lines}
    position_by_line = {line.pk: number for number, line in enumerate(lines)}
    stored_rows = list(OrderAllocation.objects.filter(order=order).order_by("line", "kind", "no"))
    rows = [row for row in stored_rows if row.line_id in amounts]
    rows.sort(key=lambda row: (position_by_line[row.line_id], row.kind, row.no))
    for row, amount in list(rescale_parts(rows, amounts)):
        row.amount = amount
    removed_ids = [row.pk for row in stored_rows if row.line_id not in amounts]
    OrderAllocation.objects.filter(pk__in=removed_ids).delete()
    OrderAllocation.objects.bulk_update(rows, ["amount"])
    OrderAllocation.objects.bulk_create(_build_freight_rows(order, rows, amounts, freight))


def _build_freight_rows(
    order: Order, rows: Sequence[OrderAllocation], amounts: dict[int, Decimal], freight: Decimal
) -> Iterator[OrderAllocation]:
    """Yield unsaved allocations of the freight (元), divided in the proportion of the goods."""
    if not freight:
        return
    by_dimension = {row.dimension_id: row for row in rows}
    for kind in DimensionKind.values:
        parts = compute_freight_parts(sum_goods(rows, amounts, kind), freight)
        for no, (pk, part) in enumerate(parts.items(), start=1):
            allocation = by_dimension[pk]
            yield OrderAllocation(
                group_id=order.group_id,
                order=order,
                kind=kind,
                no=no,
                dimension_id=pk,
                code=allocation.code,
                name=allocation.name,
                amount=part,
            )
