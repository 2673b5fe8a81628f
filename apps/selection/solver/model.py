"""Input and output of the integer programme, and the differences between two baskets. Money is in
whole 分, quantities are in units of sale, needs are in pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from apps.common.quantity import MAX_QUANTITY, get_last_legal_quantity, get_next_legal_quantity

# Maximum number of products for a kind, if no single product has enough stock.
MAX_PRODUCTS_OF_A_KIND = 3


class Goal(StrEnum):
    """The objective of a basket that meets the budget and the needs."""

    BALANCED = "best"
    CHEAPEST = "cheaper"
    KNOWN = "known"
    FEW_BRANDS = "fewer"


@dataclass(frozen=True, slots=True)
class Need:
    """A kind, and the minimum number of pieces of it in the basket."""

    kind: int
    pieces: int


@dataclass(frozen=True, slots=True)
class Option:
    """A product that can cover a kind. `score` and `fame` are from 0 to 100. `tiers` are (first
    quantity, price of a unit), by quantity.
    """

    key: int
    kind: int
    price: int
    pieces: int
    minimum: int
    step: int
    stock: int
    brand: int
    score: float
    fame: float
    tiers: tuple[tuple[int, int], ...] = ()

    def compute_cost(self, quantity: int) -> int:
        """Return the price of the quantity in 分."""
        price = self.price
        for first, tier_price in self.tiers:
            if quantity >= first:
                price = tier_price
        return price * quantity

    @property
    def max_quantity(self) -> int:
        """The greatest legal quantity in stock. 0 if the stock is below the minimum quantity."""
        return get_last_legal_quantity(
            min(self.stock, MAX_QUANTITY), minimum=self.minimum, step=self.step
        )

    def find_enough_quantity(self, pieces: int) -> int:
        """Return the smallest legal quantity that contains the number of pieces, limited by the
        stock.
        """
        return min(
            self.max_quantity,
            get_next_legal_quantity(
                -(-pieces // self.pieces), minimum=self.minimum, step=self.step
            ),
        )


@dataclass(frozen=True, slots=True)
class Basket:
    """Quantities by option key."""

    quantities: Mapping[int, int]
    amount: int


def group_by_kind(options: Sequence[Option]) -> dict[int, list[Option]]:
    """Return the options of each kind, without options that cannot be bought."""
    options_by_kind: dict[int, list[Option]] = {}
    for option in options:
        if option.max_quantity:
            options_by_kind.setdefault(option.kind, []).append(option)
    return options_by_kind


def max_coverable_pieces(options: Sequence[Option]) -> int:
    """Return the maximum number of pieces of one kind, from at most MAX_PRODUCTS_OF_A_KIND
    products.
    """
    return sum(
        sorted((option.max_quantity * option.pieces for option in options), reverse=True)[
            :MAX_PRODUCTS_OF_A_KIND
        ]
    )


def select_usable_options(need: Need, options: Sequence[Option]) -> tuple[list[Option], int]:
    """Return the options to choose from, and the maximum number of products for the kind: one,
    if any option alone has enough stock.
    """
    alone = [option for option in options if option.max_quantity * option.pieces >= need.pieces]
    return (alone, 1) if alone else (list(options), MAX_PRODUCTS_OF_A_KIND)


def list_faults(
    *, needs: Sequence[Need], options: Sequence[Option], basket: Basket, budget: int | None
) -> list[str]:
    """Return the errors of a basket, computed with integers and independently of the solver. A
    correct basket has none.
    """
    by_key = {option.key: option for option in options}
    errors = []
    amount, covered = 0, dict.fromkeys((need.kind for need in needs), 0)
    for key, quantity in basket.quantities.items():
        option = by_key[key]
        amount += option.compute_cost(quantity)
        covered[option.kind] = covered.get(option.kind, 0) + option.pieces * quantity
        if (
            not option.minimum <= quantity <= MAX_QUANTITY
            or (quantity - option.minimum) % option.step
        ):
            errors.append(f"{key}: {quantity} is no legal quantity")
        if quantity > option.stock:
            errors.append(f"{key}: {quantity} of {option.stock} in stock")
    errors += [
        f"kind {need.kind}: {covered[need.kind]} of {need.pieces}"
        for need in needs
        if covered[need.kind] < need.pieces
    ]
    if amount != basket.amount:
        errors.append(f"amount {basket.amount} should be {amount}")
    if budget is not None and amount > budget:
        errors.append(f"{amount} is over the budget of {budget}")
    return errors


NAMES = {
    Goal.BALANCED: "推荐方案",
    Goal.CHEAPEST: "更省",
    Goal.KNOWN: "更知名",
    Goal.FEW_BRANDS: "品牌更少",
}
AIMS = {
    Goal.BALANCED: "综合历史采购、协议价、库存、销量与预算",
    Goal.CHEAPEST: "满足全部需求的最低总价",
    Goal.KNOWN: "优先销量领先的品牌",
    Goal.FEW_BRANDS: "用尽可能少的品牌，便于收货与对账",
}
SAME = {
    Goal.CHEAPEST: "与推荐方案相同：推荐方案已是最低总价",
    Goal.KNOWN: "与推荐方案相同：预算内没有更知名的组合",
    Goal.FEW_BRANDS: "与推荐方案相同：品牌数已经最少",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures for the comparison of two baskets: total in 元, brand names, products by kind,
    fame of the brands (0 to 100).
    """

    total: Decimal
    brands: frozenset[str]
    products: Mapping[str, frozenset[int]]
    fame: float


def list_changed_kinds(best: Figures, changed_figures: Figures) -> list[str]:
    """Return the kinds with different products in the other basket."""
    return [
        kind
        for kind, products in changed_figures.products.items()
        if best.products.get(kind) != products
    ]


def describe_difference(goal: Goal, best: Figures, changed_figures: Figures) -> str:
    """Return the sentence that explains the other basket."""
    changed_kinds = list_changed_kinds(best, changed_figures)
    if not changed_kinds:
        return SAME.get(goal, "")
    sentences = [_format_total_difference(best.total, changed_figures.total)]
    if len(best.brands) != len(changed_figures.brands):
        sentences.append(f"品牌 {len(best.brands)} → {len(changed_figures.brands)} 个")
    if goal == Goal.KNOWN:
        sentences.append(f"品牌知名度 {best.fame:.0f} → {changed_figures.fame:.0f} 分")
    more = "等" if len(changed_kinds) > 4 else ""
    sentences.append(f"换了 {len(changed_kinds)} 种：{'、'.join(changed_kinds[:4])}{more}")
    return "；".join(sentences)


def _format_total_difference(recommended: Decimal, other: Decimal) -> str:
    """Return how much more or less another total costs than the recommended one (元)."""
    if recommended == other:
        return "总价相同"
    share = (
        f"（{(other - recommended) / recommended:+.0%}）"
        if recommended and abs(other - recommended) * 200 >= recommended
        else ""
    )
    return (
        f"比推荐方案{'省' if other < recommended else '多'} ¥{abs(other - recommended):,.2f}"
        f"{share.replace('-', '−')}"
    )
