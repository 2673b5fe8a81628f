"""Split amounts of orders over accounting dimensions, in the proportions of the order lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from apps.common.money import ZERO, split_amount
from apps.orders.models import Order, OrderAllocation

# The code shown for amounts without a dimension.
NO_DIMENSION = "未分摊"


@dataclass(frozen=True, slots=True)
class DimensionSum:
    """The sum of one dimension in 元. `code` is empty for amounts without one."""

    code: str
    name: str
    amount: Decimal


class Part(Protocol):
    """An amount in 元 of one dimension."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def amount(self) -> Decimal: ...


class OrderAllocations:
    """The allocations of some orders, of one kind of dimension or of all kinds. One query."""

    def __init__(self, order_ids: Collection[int], *, kind: str = "") -> None:
        rows = OrderAllocation.objects.filter(order__in=order_ids)
        self._goods: defaultdict[tuple[str, int], list[OrderAllocation]] = defaultdict(list)
        self._freights: defaultdict[tuple[str, int], list[OrderAllocation]] = defaultdict(list)
        for row in (rows.filter(kind=kind) if kind else rows).order_by("no"):
            if row.line_id is None:
                self._freights[row.kind, row.order_id].append(row)
            else:
                self._goods[row.kind, row.line_id].append(row)

    @property
    def kinds(self) -> set[str]:
        """The kinds of dimension that these orders have."""
        return {kind for kind, _ in (*self._goods, *self._freights)}

    def split(
        self,
        amount: Decimal,
        *,
        kind: str,
        order: Order | None,
        order_line_id: int | None,
        is_freight: bool,
    ) -> list[DimensionSum]:
        """Return the parts of an amount (元, not negative) of goods or freight. They sum to the
        amount, to the cent.
        """
        if is_freight and order is not None:
            weights = _list_freight_weights(self._freights.get((kind, order.pk), []), order)
        else:
            weights = _list_goods_weights(self._goods.get((kind, order_line_id or 0), []))
        amounts = split_amount(amount, [weight for _, _, weight in weights])
        return [
            DimensionSum(code, name, part)
            for (code, name, _), part in zip(weights, amounts, strict=True)
            if part or len(weights) == 1
        ]


def sum_by_dimension(parts: Iterable[Part]) -> list[DimensionSum]:
    """Return the sum of each dimension, by code; amounts without one are last."""
    sums: defaultdict[tuple[str, str], Decimal] = defaultdict(lambda: ZERO)
    for part in parts:
        sums[part.code, part.name] += part.amount
    sorted_sums = sorted(sums.items(), key=lambda row: (row[0][0] == "", row[0]))
    return [DimensionSum(code, name, amount) for (code, name), amount in sorted_sums]


def _list_goods_weights(rows: Iterable[OrderAllocation]) -> list[tuple[str, str, Decimal]]:
    """Return (code, name, weight) of each part."""
    parts = [
        (row.code, row.name, row.amount if row.percent is None else row.percent) for row in rows
    ]
    return parts or [("", "", Decimal(1))]


def _list_freight_weights(
    rows: Iterable[OrderAllocation], order: Order
) -> list[tuple[str, str, Decimal]]:
    """Return (code, name, weight) of the parts of the freight. The freight of goods without a
    dimension has none.
    """
    parts = [(row.code, row.name, row.amount) for row in rows]
    unassigned_amount = order.freight_amount - sum((amount for _, _, amount in parts), ZERO)
    return [*parts, ("", "", unassigned_amount)] if unassigned_amount or not parts else parts
