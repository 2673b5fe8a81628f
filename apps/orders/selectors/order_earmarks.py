"""The earmarked budgets (专项预算) of a stored order: the part of each line that they count, before
and after a change of its lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from itertools import groupby
from typing import TYPE_CHECKING

from apps.budgets.models import Budget
from apps.budgets.selectors.budget_tree import path_of, with_parents
from apps.common.money import CENT, ZERO, split_amount
from apps.orders.models import EarmarkedAmount, OrderAllocation

if TYPE_CHECKING:
    from apps.orders.models import Order, OrderLine


def list_earmarked_amounts(order: Order) -> list[EarmarkedAmount]:
    """Return the counted parts of the lines, with their reservations and budgets. No query for an
    order without an earmarked budget.
    """
    if not order.is_earmarked:
        return []
    rows = EarmarkedAmount.objects.filter(order=order).select_related(
        "reservation__budget__category", "reservation__budget__dimension"
    )
    # By the keys: the order of lines would join them, and an amendment has deleted some already.
    return list(rows.order_by("reservation_id", "line_id"))


def rescaled_parts(
    rows: Iterable[OrderAllocation], amounts: Mapping[int, Decimal]
) -> Iterator[tuple[OrderAllocation, Decimal]]:
    """Yield the parts of the lines with their new amounts. `rows` are sorted by line and kind,
    `amounts` are the new amounts of the lines in 元.
    """
    for (line_id, _), group in groupby(rows, key=lambda row: (row.line_id, row.kind)):
        parts = list(group)
        weights = [row.percent if row.percent is not None else row.amount for row in parts]
        yield from zip(parts, split_amount(amounts[line_id or 0], weights), strict=True)


def get_amounts_after(
    rows: Sequence[EarmarkedAmount], lines: Iterable[OrderLine]
) -> dict[int, Decimal]:
    """Return {key of the row: amount in 元} with these lines. A row whose line is missing has none.
    One query if a budget counts a dimension.
    """
    amounts = {line.pk: line.amount_incl_tax for line in lines}
    parts: dict[tuple[int, int], Decimal] = {}
    if any(row.reservation.budget.dimension_id is not None for row in rows):
        stored = OrderAllocation.objects.filter(line__in=list(amounts))
        for part, amount in rescaled_parts(stored.order_by("line", "kind", "no"), amounts):
            key = (part.line_id or 0, part.dimension_id)
            parts[key] = parts.get(key, ZERO) + amount
    found: dict[int, Decimal] = {}
    for row in rows:
        if row.line_id not in amounts:
            continue
        dimension_id = row.reservation.budget.dimension_id
        found[row.pk] = (
            amounts[row.line_id]
            if dimension_id is None
            else parts.get((row.line_id, dimension_id), ZERO)
        )
    return found


def part_of_pieces(amount: Decimal, line: OrderLine, pieces: int) -> Decimal:
    """Return the part in 元 of `amount`, which is counted of the whole line, that belongs to its
    first `pieces`. Rounded down, so that all pieces together are exactly the amount.
    """
    if pieces >= line.quantity:
        return amount
    goods = line.unit_price_incl_tax * pieces
    whole = line.amount_incl_tax
    return (goods * amount / whole).quantize(CENT, rounding=ROUND_DOWN) if whole else ZERO


@dataclass(frozen=True, slots=True)
class EarmarkLevel:
    """A budget that an order uses by its lines, or one above it. `taken` is the amount of the order
    in 元, `used_name` the budget of the lines if this one is above it.
    """

    budget: Budget
    taken: Decimal
    used_name: str = ""

    @property
    def before(self) -> Decimal:
        """Return 可用 without the order, in 元."""
        return self.budget.available + self.taken


def get_earmark_levels(rows: Sequence[EarmarkedAmount]) -> list[EarmarkLevel]:
    """Return the budgets of these rows with the budgets above them, each once. One query."""
    taken: dict[int, Decimal] = {}
    for row in rows:
        pk = row.reservation.budget_id
        taken[pk] = taken.get(pk, ZERO) + row.amount - row.refunded
    if not taken:
        return []
    found = with_parents(Budget.objects.filter(pk__in=list(taken)))
    tree = {row.pk: row for row in found.select_related("category", "dimension")}
    levels: dict[int, EarmarkLevel] = {}
    for pk, amount in taken.items():
        for level in path_of(tree[pk], tree):
            used = "" if level.pk == pk else tree[pk].name
            have = levels.get(level.pk, EarmarkLevel(level, ZERO, used))
            levels[level.pk] = EarmarkLevel(level, have.taken + amount, have.used_name and used)
    return list(levels.values())
