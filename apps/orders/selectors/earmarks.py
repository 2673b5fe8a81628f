"""The earmarked budgets (专项预算) of an order: which lines they count, whether the order exceeds
them, and the counted parts of a stored order before and after a change of its lines. Cart,
checkout, approval and refusal all use this judgement.

A line uses every earmarked budget that its buyer may use and that counts its category or dimension.
Of several budgets in one tree it uses only one, because its amount counts in the budgets above
anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING

from apps.approvals.subjects import OverBudget
from apps.budgets.errors import describe_exceeded_budget
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_choice import UsableBudgets
from apps.budgets.selectors.budget_tree import get_budget_path, with_parents
from apps.common.money import CENT, ZERO
from apps.orders import texts
from apps.orders.models import EarmarkedAmount, OrderAllocation
from apps.orders.selectors.allocations import rescale_parts
from apps.orders.selectors.budget_charge import Charge
from apps.orders.selectors.customer_terms import get_over_budget_policy

if TYPE_CHECKING:
    from apps.budgets.models import BudgetReservation
    from apps.orders.models import Order, OrderLine
    from apps.orders.selectors.allocations import Allocations, Shares
    from apps.orders.selectors.deliveries import Delivery
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class LinePart:
    """A line for the earmarked budgets: its categories from the first level down, its amount in 元,
    and the part of each dimension.
    """

    category_ids: tuple[int, ...]
    amount: Decimal
    dimensions: Mapping[int, Decimal]

    def compute_counted(self, budget: Budget) -> Decimal:
        """Return the part in 元 that the budget counts, without regard to its tree."""
        if budget.category_id is not None:
            return self.amount if budget.category_id in self.category_ids else ZERO
        return self.dimensions.get(budget.dimension_id or 0, ZERO)


@dataclass(frozen=True, slots=True)
class Use:
    """The amount in 元 that a line uses of an earmarked budget."""

    budget: Budget
    amount: Decimal


# The uses of each line of each order.
Uses = Sequence[Sequence[Sequence[Use]]]


@dataclass(frozen=True, slots=True)
class EarmarkCharges:
    """The earmarked budgets that the orders use, and the budgets above them, each once. `uses` has
    the uses of each line of each delivery.
    """

    levels: tuple[Charge, ...] = ()
    uses: Uses = ()

    @property
    def refusals(self) -> list[str]:
        """Return one message for each level that refuses the orders."""
        return [
            describe_exceeded_budget(
                name=level.name,
                available=level.available,
                amount=level.charged_amount,
                used_name=level.used_name,
                earmark=level.earmark,
            )
            for level in self.levels
            if level.is_refused
        ]

    @property
    def over_budgets(self) -> tuple[OverBudget, ...]:
        """Return the levels that need an approval, each with the reason."""
        return tuple(
            OverBudget(level.pk, describe_exceeded_earmark(level.name, level.earmark), level.name)
            for level in self.levels
            if level.needs_approval
        )


def describe_exceeded_earmark(name: str, earmark: str) -> str:
    """Return why an exceeded earmarked budget needs an approval."""
    return texts.earmark_exceeded(name=name, earmark=earmark)


def list_line_parts(
    deliveries: Sequence[Delivery], allocations: Allocations
) -> list[list[LinePart]]:
    """Return the parts of each line of each delivery."""
    parts: list[list[LinePart]] = []
    for number, delivery in enumerate(deliveries):
        shares = allocations.orders[number].lines if allocations.orders else []
        row: list[LinePart] = []
        for place, line in enumerate(delivery.lines):
            product = line.cart_line.offer.product
            row.append(
                LinePart(
                    category_ids=(product.l1_id, product.l2_id, product.l3_id),
                    amount=line.amount,
                    dimensions=_sum_by_dimension(shares[place]) if shares else {},
                )
            )
        parts.append(row)
    return parts


def _sum_by_dimension(shares: Shares) -> dict[int, Decimal]:
    """Return {dimension pk: amount in 元}, over all kinds of the shares."""
    amount_by_dimension: dict[int, Decimal] = {}
    for rows in shares.values():
        for share in rows:
            amount_by_dimension[share.dimension.pk] = (
                amount_by_dimension.get(share.dimension.pk, ZERO) + share.amount
            )
    return amount_by_dimension


def collect_categories(parts: Iterable[Iterable[LinePart]]) -> set[int]:
    """Return the categories of the lines, on all levels."""
    return {pk for row in parts for part in row for pk in part.category_ids}


def collect_dimensions(parts: Iterable[Iterable[LinePart]]) -> set[int]:
    """Return the dimensions of the lines."""
    return {pk for row in parts for part in row for pk in part.dimensions}


def get_uses(budgets: UsableBudgets, parts: Sequence[Sequence[LinePart]]) -> Uses:
    """Return what each line uses of the earmarked budgets. No query."""
    return [[_list_line_uses(budgets, part) for part in row] for row in parts]


def _list_line_uses(budgets: UsableBudgets, part: LinePart) -> list[Use]:
    """Return the uses of a line, one for each tree: of the budgets that count the line and have
    none below that does, the one with the nearest owner, then with the narrowest category.
    """
    amount_by_budget: dict[int, Decimal] = {
        pk: amount for pk in budgets.earmarked if (amount := part.compute_counted(budgets.rows[pk]))
    }
    paths = {pk: budgets.get_path(budgets.rows[pk]) for pk in amount_by_budget}
    ancestor_ids = {level.pk for path in paths.values() for level in path[1:]}
    budget_by_dimension: dict[int, int] = {}
    for pk in sorted(
        amount_by_budget.keys() - ancestor_ids,
        key=lambda pk: _build_budget_sort_key(budgets, part, pk),
    ):
        budget_by_dimension.setdefault(paths[pk][-1].pk, pk)
    return [
        Use(budgets.rows[pk], amount_by_budget[pk]) for pk in sorted(budget_by_dimension.values())
    ]


def _build_budget_sort_key(
    budgets: UsableBudgets, part: LinePart, pk: int
) -> tuple[int, int, str, int]:
    """Return a sort key of the budget `pk`: the budget that covers the part most closely comes
    first.
    """
    budget = budgets.rows[pk]
    level = part.category_ids.index(budget.category_id) if budget.category_id is not None else 0
    return budgets.earmarked[pk], -level, str(budget.period_to), pk


def sum_uses(lines: Iterable[Iterable[Use]]) -> list[tuple[Budget, Decimal]]:
    """Return (budget, sum of its uses in 元), in the order of the keys."""
    totals: dict[int, tuple[Budget, Decimal]] = {}
    for row in lines:
        for use in row:
            _, total = totals.get(use.budget.pk, (use.budget, ZERO))
            totals[use.budget.pk] = (use.budget, total + use.amount)
    return [totals[pk] for pk in sorted(totals)]


def get_earmark_charges(*, actor: Account, budgets: UsableBudgets, uses: Uses) -> EarmarkCharges:
    """Return the charge of all orders on each level of the used budgets. No query."""
    charged_amounts: dict[int, Decimal] = {}
    used_names: dict[int, str] = {}
    for budget, amount in sum_uses(row for of_order in uses for row in of_order):
        for level in budgets.get_path(budgets.rows[budget.pk]):
            charged_amounts[level.pk] = charged_amounts.get(level.pk, ZERO) + amount
            used_names.setdefault(level.pk, "" if level.pk == budget.pk else budget.name)
    levels = tuple(
        Charge(
            pk=pk,
            name=row.name,
            policy=get_over_budget_policy(actor=actor, budget=row),
            amount=row.amount,
            available=row.available,
            after=row.available - amount,
            charged_amount=amount,
            earmark=row.earmark_text,
            used_name=used_names[pk],
        )
        for pk, amount in charged_amounts.items()
        for row in [budgets.rows[pk]]
    )
    return EarmarkCharges(levels=levels, uses=uses)


def list_earmarked_amounts(order: Order) -> list[EarmarkedAmount]:
    """Return the parts of the lines that earmarked budgets pay, with their reservations and
    budgets. No query for an order without an earmarked budget.
    """
    if not order.is_earmarked:
        return []
    rows = EarmarkedAmount.objects.filter(order=order).select_related(
        "reservation__budget__category", "reservation__budget__dimension"
    )
    # By the keys: the order of lines would join them, and an amendment has deleted some already.
    return list(rows.order_by("reservation_id", "line_id"))


def list_earmark_reservations(order: Order) -> list[BudgetReservation]:
    """Return the reservations of the order in earmarked budgets, each once. No query for an order
    without an earmarked budget.
    """
    rows = list_earmarked_amounts(order)
    return list({row.reservation_id: row.reservation for row in rows}.values())


def get_amounts_after(
    rows: Sequence[EarmarkedAmount], lines: Iterable[OrderLine]
) -> dict[int, Decimal]:
    """Return {key of the row: amount in 元} with these lines. A row whose line is missing has none.
    One query if a budget counts a dimension.
    """
    amounts = {line.pk: line.amount_incl_tax for line in lines}
    parts: dict[tuple[int, int], Decimal] = {}
    if any(row.reservation.budget.dimension_id is not None for row in rows):
        stored_shares = OrderAllocation.objects.filter(line__in=list(amounts))
        for part, amount in rescale_parts(stored_shares.order_by("line", "kind", "no"), amounts):
            key = (part.line_id or 0, part.dimension_id)
            parts[key] = parts.get(key, ZERO) + amount
    amounts_after: dict[int, Decimal] = {}
    for row in rows:
        if row.line_id not in amounts:
            continue
        dimension_id = row.reservation.budget.dimension_id
        amounts_after[row.pk] = (
            amounts[row.line_id]
            if dimension_id is None
            else parts.get((row.line_id, dimension_id), ZERO)
        )
    return amounts_after


def compute_part_of_pieces(amount: Decimal, line: OrderLine, pieces: int) -> Decimal:
    """Return the part in 元 of `amount`, which is counted of the whole line, that belongs to its
    first `pieces`. Rounded down, so that all pieces together are exactly the amount.
    """
    if pieces >= line.quantity:
        return amount
    goods = line.unit_price_incl_tax * pieces
    line_amount = line.amount_incl_tax
    return (
        (goods * amount / line_amount).quantize(CENT, rounding=ROUND_DOWN) if line_amount else ZERO
    )


@dataclass(frozen=True, slots=True)
class EarmarkLevel:
    """A budget that an order uses by its lines, or one above it. `charged_amount` is the amount of
    the order in 元, `used_name` the budget of the lines if this one is above it.
    """

    budget: Budget
    charged_amount: Decimal
    used_name: str = ""

    @property
    def before(self) -> Decimal:
        """Return 可用 without the order, in 元."""
        return self.budget.available + self.charged_amount


def get_earmark_levels(rows: Sequence[EarmarkedAmount]) -> list[EarmarkLevel]:
    """Return the budgets of these rows with the budgets above them, each once. One query."""
    charged_amounts: dict[int, Decimal] = {}
    for row in rows:
        pk = row.reservation.budget_id
        charged_amounts[pk] = charged_amounts.get(pk, ZERO) + row.amount - row.refunded
    if not charged_amounts:
        return []
    budgets = with_parents(Budget.objects.filter(pk__in=list(charged_amounts)))
    tree = {row.pk: row for row in budgets.select_related("category", "dimension")}
    levels: dict[int, EarmarkLevel] = {}
    for pk, amount in charged_amounts.items():
        for budget in get_budget_path(tree[pk], tree):
            used_name = "" if budget.pk == pk else tree[pk].name
            level = levels.get(budget.pk)
            if level is None:
                levels[budget.pk] = EarmarkLevel(budget, amount, used_name)
                continue
            # A budget that lines use directly names no other budget.
            name = used_name if level.used_name else ""
            levels[budget.pk] = EarmarkLevel(budget, level.charged_amount + amount, name)
    return list(levels.values())
