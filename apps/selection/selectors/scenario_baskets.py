"""The baskets of a scenario within its budget, including freight.

Each kind has the products that can cover it, scored against the budget, or the reason if it has
none. The baskets are computed in less than two seconds. Without a basket, the answer is the
budget that is needed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from statistics import median

from apps.catalog.indexing.text import normalise
from apps.common.money import ZERO
from apps.search.keyword import Lexicon
from apps.selection.selectors.products import (
    Candidate,
    SelectionProduct,
    get_price_and_sales_range,
    score_inputs_of,
)
from apps.selection.selectors.scenarios import Kind
from apps.selection.selectors.sources import FreightTier, get_freight_for
from apps.selection.solver.model import Basket, Goal, Need, Option, max_coverable_pieces
from apps.selection.solver.scoring import (
    Score,
    compute_price_fit,
    compute_scenario_score,
    scale_sales,
)
from apps.selection.solver.solver import solve_basket

# The recommended basket aims at this share of the budget. The rest leaves room for changes.
AIM = 0.92
# If the budget is far from the usual cost of such a basket, the target stays within these multiples
# of the usual cost.
CHEAPEST_AIM, DEAREST_AIM = 0.4, 2.0
BRAND_WEIGHT = 0.8
PIECE = "个"
# Time limits in seconds: all baskets of a request, one basket, and the minimum for one basket.
ALL_SECONDS, BASKET_SECONDS, MIN_SECONDS = 1.8, 0.5, 0.05


@dataclass(frozen=True, slots=True)
class KindOptions:
    """A kind with the products that can cover it. `problem` is set if they cannot cover it."""

    kind: Kind
    needed: int
    options: tuple[tuple[SelectionProduct, Option], ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ScoredOption:
    """A product of a kind with its score."""

    product: SelectionProduct
    option: Option
    score: Score
    unit: str

    def build_candidate(self, pieces: int) -> Candidate:
        """Return the product as a candidate for a number of pieces."""
        return self.build_candidate_of_quantity(self.option.find_enough_quantity(pieces))

    def build_candidate_of_quantity(self, quantity: int) -> Candidate:
        """Return the product as a candidate with a quantity."""
        sale_unit = self.product.offer.product.unit
        pieces = self.option.pieces
        note = (
            f"{quantity} {sale_unit}共 {quantity * pieces} {self.unit or '件'}"
            if pieces > 1 and quantity
            else ""
        )
        return Candidate(
            self.product.offer, round(self.score.points), self.score.reasons, quantity, pieces, note
        )


@dataclass(frozen=True, slots=True)
class ScoredOptions:
    """All options of all kinds. `by_key` has their products and scores."""

    by_key: Mapping[int, ScoredOption]

    @property
    def options(self) -> list[Option]:
        return [scored_option.option for scored_option in self.by_key.values()]

    def list_of_kind(self, kind: int) -> list[ScoredOption]:
        """Return the options of the kind at that position."""
        return [
            scored_option
            for scored_option in self.by_key.values()
            if scored_option.option.kind == kind
        ]


def list_kind_options(
    *,
    kinds: Sequence[Kind],
    ids_by_kind: Sequence[Sequence[int]],
    products: Mapping[int, SelectionProduct],
    heads: int,
    exclude: Sequence[str],
    lexicon: Lexicon,
) -> list[KindOptions]:
    """Return the options of each kind. If a product fits several kinds, the first kind takes
    it, so that its stock counts once.
    """
    excluded = tuple(word for word in (normalise(text) for text in exclude) if word)
    used_products: set[int] = set()
    kind_options = []
    for place, (kind, ids) in enumerate(zip(kinds, ids_by_kind, strict=True)):
        needed = kind.count_pieces(heads)
        products_of_kind = [
            product
            for pk, product in products.items()
            if pk not in used_products
            and (pk in set(ids) or product.bought.house)
            and kind.holds(product, lexicon)
        ]
        if any(word in normalise(kind.name) for word in excluded):
            kind_options.append(KindOptions(kind, needed, (), "已按您的要求排除"))
            continue
        fitting = [product for product in products_of_kind if not _is_excluded(product, excluded)]
        options = tuple(
            (product, option)
            for product in fitting
            if (option := _build_option(product, place, kind.unit)) is not None
        )
        problem = _find_kind_problem(
            kind, needed, heads, products_of_kind, fitting, [option for _, option in options]
        )
        used_products.update(product.pk for product, _ in options)
        kind_options.append(
            KindOptions(kind, needed, () if problem and not options else options, problem)
        )
    return kind_options


def _build_option(product: SelectionProduct, place: int, unit: str) -> Option | None:
    """Return the product as an option. A kind without a unit is counted in pieces, or in units
    of sale if the pack size is unknown.
    """
    return product.build_option(kind=place, wanted_unit=unit or PIECE) or (
        None if unit else product.build_option_by_unit(kind=place)
    )


def _is_excluded(product: SelectionProduct, words: Sequence[str]) -> bool:
    brand = normalise(product.offer.product.brand.name)
    return any(
        word == brand or word in product.name_key or word in normalise(product.category)
        for word in words
    )


def _find_kind_problem(
    kind: Kind,
    needed: int,
    head_count: int,
    products_of_kind: Sequence[SelectionProduct],
    fitting_products: Sequence[SelectionProduct],
    options: Sequence[Option],
) -> str:
    """Return in Chinese why the kind cannot cover the need: no product, all excluded, out of stock,
    too few. "" if it can.
    """
    if not products_of_kind:
        return f"您的采购目录中没有“{kind.name}”"
    if not fitting_products:
        return "该品类的商品都在排除条件内"
    max_pieces = max_coverable_pieces([option for option in options if option.max_quantity])
    if not max_pieces:
        return "该品类的商品都缺货"
    if max_pieces >= needed:
        return ""
    coverable_people = int((max_pieces - kind.fixed) / kind.per_head) if kind.per_head else 0
    return (
        f"库存最多够 {coverable_people} 人，请减少人数或分批采购"
        if 0 < coverable_people < head_count
        else f"库存最多 {max_pieces}{kind.unit.split('/')[0]}，不足 {needed}"
    )


def score_options(*, options: Sequence[KindOptions], budget: Decimal | None) -> ScoredOptions:
    """Return the options with score and fame. The target cost of a kind is its share of the
    budget, in proportion to its usual cost. Without a budget it is the usual cost.
    """
    usual_costs = [
        median(
            option.compute_cost(option.find_enough_quantity(kind_options.needed))
            for _, option in kind_options.options
        )
        if kind_options.options
        else 0
        for kind_options in options
    ]
    total_usual_cost = sum(usual_costs)
    target_factor = (
        1.0
        if budget is None or not total_usual_cost
        else min(DEAREST_AIM, max(CHEAPEST_AIM, AIM * float(budget * 100) / total_usual_cost))
    )
    fame = _compute_brand_fame(options)
    options_by_key: dict[int, ScoredOption] = {}
    for place, kind_options in enumerate(options):
        if not kind_options.options:
            continue
        ranges = get_price_and_sales_range([product for product, _ in kind_options.options])
        for product, option in kind_options.options:
            quantity = option.find_enough_quantity(kind_options.needed)
            facts = score_inputs_of(
                product,
                ranges=ranges,
                stock_share=min(1.0, quantity * option.pieces / kind_options.needed),
            )
            score = compute_scenario_score(
                facts,
                fit=compute_price_fit(
                    option.compute_cost(quantity), target_factor * usual_costs[place]
                ),
            )
            brand_score = 100 * (
                BRAND_WEIGHT * fame[option.brand] + (1 - BRAND_WEIGHT) * facts.sales_level
            )
            options_by_key[option.key] = ScoredOption(
                product,
                replace(option, score=score.points, fame=brand_score),
                score,
                kind_options.kind.unit.split("/")[0],
            )
    return ScoredOptions(options_by_key)


def _compute_brand_fame(options: Sequence[KindOptions]) -> dict[int, float]:
    """Return the fame of each brand, from 0 to 1, by the sales of its products among the
    options.
    """
    sales_by_brand: dict[int, int] = {}
    for kind_options in options:
        for product, option in kind_options.options:
            sales_by_brand[option.brand] = (
                sales_by_brand.get(option.brand, 0) + product.offer.product.sales_count
            )
    highest = max(sales_by_brand.values(), default=0)
    return {brand: scale_sales(sales, highest) for brand, sales in sales_by_brand.items()}


@dataclass(frozen=True, slots=True)
class Baskets:
    """The basket of each goal, BALANCED first. If there is none: the sufficient budget in 元 含税,
    and the positions of the kinds to leave out.
    """

    by_goal: Mapping[Goal, Basket]
    needed: Decimal | None = None
    drop: tuple[int, ...] = ()


@dataclass(slots=True)
class _Search:
    needs: Sequence[Need]
    options: Sequence[Option]
    tiers: Sequence[FreightTier]
    ends: float = field(default_factory=lambda: time.monotonic() + ALL_SECONDS)

    def list_chosen(self, basket: Basket) -> list[Option]:
        return [option for option in self.options if option.key in basket.quantities]

    def compute_fame(self, basket: Basket) -> float:
        return sum(option.fame for option in self.list_chosen(basket)) / len(basket.quantities)

    def count_brands(self, basket: Basket) -> int:
        return len({option.brand for option in self.list_chosen(basket)})

    def solve(self, goal: Goal, budget: int | None) -> Basket | None:
        """Return the cheapest basket for the goal within the budget in 分, or None. The time left
        for the whole search limits it.
        """
        seconds = min(BASKET_SECONDS, max(MIN_SECONDS, self.ends - time.monotonic()))
        return solve_basket(
            needs=self.needs, options=self.options, budget=budget, goal=goal, seconds=seconds
        )

    def add_freight(self, basket: Basket) -> int:
        """Return goods plus freight, in 分."""
        return basket.amount + int(get_freight_for(self.tiers, Decimal(basket.amount) / 100) * 100)

    def solve_within_budget(self, goal: Goal, budget: int) -> Basket | None:
        """Return the best basket whose goods and freight fit into the budget. If the first
        result does not fit, search again with the highest freight deducted from the budget.
        """
        basket = self.solve(goal, budget)
        if basket is None or self.add_freight(basket) <= budget:
            return basket
        dearest = max((tier.fee for tier in self.tiers), default=ZERO)
        basket = self.solve(goal, max(0, budget - int(dearest * 100)))
        return basket if basket is not None and self.add_freight(basket) <= budget else None


def compute_baskets(
    *,
    needs: Sequence[Need],
    options: Sequence[Option],
    budget: Decimal,
    tiers: Sequence[FreightTier],
) -> Baskets:
    """Return the baskets for needs that the options can cover. `budget` is in 元 含税 and includes
    freight.
    """
    search = _Search(needs, options, tiers)
    fen = int(budget * 100)
    cheapest = search.solve(Goal.CHEAPEST, None)
    if cheapest is None:
        return Baskets({}, needed=None)
    if search.add_freight(cheapest) > fen:
        return Baskets(
            {},
            needed=Decimal(search.add_freight(cheapest)) / 100,
            drop=tuple(_list_kinds_to_drop(search, cheapest, fen)),
        )
    best = search.solve_within_budget(Goal.BALANCED, fen) or cheapest
    well_known = search.solve_within_budget(Goal.KNOWN, fen) or best
    fewer = search.solve_within_budget(Goal.FEW_BRANDS, fen) or best
    return Baskets(
        {
            Goal.BALANCED: best,
            Goal.CHEAPEST: cheapest if cheapest.amount < best.amount else best,
            Goal.KNOWN: well_known
            if search.compute_fame(well_known) > search.compute_fame(best)
            else best,
            Goal.FEW_BRANDS: fewer
            if search.count_brands(fewer) < search.count_brands(best)
            else best,
        }
    )


def _list_kinds_to_drop(search: _Search, cheapest: Basket, budget: int) -> list[int]:
    """Return a small set of kinds to leave out, so that the cheapest basket fits into the
    budget: the cheapest single kind that is enough, otherwise the most expensive ones first.
    Empty if nothing would remain.
    """
    cost: dict[int, int] = {}
    by_key = {option.key: option for option in search.options}
    for key, quantity in cheapest.quantities.items():
        option = by_key[key]
        cost[option.kind] = cost.get(option.kind, 0) + option.compute_cost(quantity)
    dearest = int(max((tier.fee for tier in search.tiers), default=ZERO) * 100)
    over = sum(cost.values()) + dearest - budget
    kinds_to_drop: list[int] = []
    remaining = sorted(cost, key=lambda kind: (cost[kind], kind))
    while over > 0 and remaining:
        enough = next((kind for kind in remaining if cost[kind] >= over), remaining[-1])
        remaining.remove(enough)
        kinds_to_drop.append(enough)
        over -= cost[enough]
    return sorted(kinds_to_drop) if remaining else []
