"""Split the goods, freight and returns of a statement over accounting dimensions, in the
proportions of their order lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice

from apps.aftersales.models import ReturnLine
from apps.invoices.enums import StatementKind
from apps.invoices.models import Statement, StatementLine
from apps.invoices.selectors.dimension_split import (
    DimensionSum,
    OrderAllocations,
    sum_by_dimension,
)
from apps.orders.models import OrderAllocation, ReceiptLine

CHUNK = 1000
K = StatementKind
# Payments and invoices have no dimension. The sum of the others is what the month owes.
SIGNS = {K.DELIVERY: 1, K.FREIGHT: 1, K.RETURN: -1}


@dataclass(frozen=True, slots=True)
class StatementSplit:
    """A part of a statement line in 元; returns are negative. `code` is empty for an amount
    without a dimension.
    """

    line: StatementLine
    code: str
    name: str
    amount: Decimal


def list_statement_splits(*, statement: Statement, kind: str) -> Iterator[StatementSplit]:
    """Yield the parts of the statement for one kind of dimension, oldest first. They sum to the
    goods received and the freight, less the returns. One query, and three per 1,000 lines.
    """
    lines = (
        StatementLine.objects.filter(statement=statement, kind__in=list(SIGNS))
        .select_related("order")
        .order_by("at", "pk")
        .iterator(chunk_size=CHUNK)
    )
    while chunk := list(islice(lines, CHUNK)):
        yield from _split(chunk, kind)


def sum_statement_splits(*, statement: Statement, kind: str) -> list[DimensionSum]:
    """Return the sum of each dimension, by code; amounts without one are last. Empty if no order of
    the statement has a dimension of this kind; that takes one query.
    """
    orders = StatementLine.objects.filter(statement=statement, kind__in=list(SIGNS)).values("order")
    if not OrderAllocation.objects.filter(order__in=orders, kind=kind).exists():
        return []
    return sum_by_dimension(list_statement_splits(statement=statement, kind=kind))


def _split(lines: Sequence[StatementLine], kind: str) -> Iterator[StatementSplit]:
    """Yield the parts of each line. The parts of a line sum to its amount, to the cent."""
    order_lines = {
        **_order_lines(K.DELIVERY, lines),
        **_order_lines(K.RETURN, lines),
    }
    allocations = OrderAllocations({line.order_id for line in lines if line.order_id}, kind=kind)
    for line in lines:
        parts = allocations.split(
            line.amount,
            kind=kind,
            order=line.order,
            order_line_id=order_lines.get((line.kind, line.source_id)),
            is_freight=line.kind == K.FREIGHT,
        )
        sign = SIGNS[K(line.kind)]
        for part in parts:
            yield StatementSplit(line, part.code, part.name, sign * part.amount)


def _order_lines(kind: StatementKind, lines: Iterable[StatementLine]) -> dict[tuple[str, int], int]:
    """Return the order line of each statement line of the kind, by (kind, source)."""
    ids = [line.source_id for line in lines if line.kind == kind]
    model = ReceiptLine if kind == K.DELIVERY else ReturnLine
    rows = model.objects.filter(pk__in=ids).order_by().values_list("pk", "order_line_id")
    return {(kind, pk): order_line_id for pk, order_line_id in rows}
