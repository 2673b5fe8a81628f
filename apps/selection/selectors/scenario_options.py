"""The products that can cover the kinds of a scenario, scored against the budget, and the
reason if a kind has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from statistics import median

from apps.catalog.indexing.text import normalise
from apps.search.keyword import Lexicon
from apps.selection.selectors.scenarios import Kind
from apps.selection.selectors.selection_products import Candidate, Weighed, facts_of, field_of
from apps.selection.solver.model import Option, coverable
from apps.selection.solver.scoring import Score, price_fit, scenario_score, share_of_sales

# The recommended basket aims at this share of the budget. The rest leaves room for changes.
AIM = 0.92
# If the budget is far from the usual cost of such a basket, the target stays within these multiples
# of the usual cost.
CHEAPEST_AIM, DEAREST_AIM = 0.4, 2.0
BRAND_WEIGHT = 0.8
PIECE = "个"


@dataclass(frozen=True, slots=True)
class KindOptions:
    """A kind with the products that can cover it. `problem` is set if they cannot cover it."""

    kind: Kind
    needed: int
    options: tuple[tuple[Weighed, Option], ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A product of a kind with its score."""

    product: Weighed
    option: Option
    score: Score
    unit: str

    def candidate(self, pieces: int) -> Candidate:
        """Return the product as a candidate for a number of pieces."""
        return self.bought(self.option.enough_for(pieces))

    def bought(self, quantity: int) -> Candidate:
        """Return the product as a candidate with a quantity."""
        sold = self.product.offer.product.unit
        pieces = self.option.pieces
        note = (
            f"{quantity} {sold}共 {quantity * pieces} {self.unit or '件'}"
            if pieces > 1 and quantity
            else ""
        )
        return Candidate(
            self.product.offer, round(self.score.points), self.score.reasons, quantity, pieces, note
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """All options of all kinds. `by_key` has their products and scores."""

    by_key: Mapping[int, Chosen]

    @property
    def options(self) -> list[Option]:
        return [chosen.option for chosen in self.by_key.values()]

    def of_kind(self, kind: int) -> list[Chosen]:
        """Return the options of the kind at that position."""
        return [chosen for chosen in self.by_key.values() if chosen.option.kind == kind]


def kind_options(
    *,
    kinds: Sequence[Kind],
    found: Sequence[Sequence[int]],
    products: Mapping[int, Weighed],
    heads: int,
    exclude: Sequence[str],
    lexicon: Lexicon,
) -> list[KindOptions]:
    """Return the options of each kind. If a product fits several kinds, the first kind takes
    it, so that its stock counts once.
    """
    excluded = tuple(word for word in (normalise(one) for one in exclude) if word)
    taken: set[int] = set()
    answer = []
    for place, (kind, ids) in enumerate(zip(kinds, found, strict=True)):
        needed = kind.pieces(heads)
        of_kind = [
            product
            for pk, product in products.items()
            if pk not in taken
            and (pk in set(ids) or product.bought.house)
            and kind.holds(product, lexicon)
        ]
        if any(word in normalise(kind.name) for word in excluded):
            answer.append(KindOptions(kind, needed, (), "已按您的要求排除"))
            continue
        allowed = [product for product in of_kind if not _is_excluded(product, excluded)]
        options = tuple(
            (product, option)
            for product in allowed
            if (option := _option(product, place, kind.unit)) is not None
        )
        problem = _problem(kind, needed, heads, of_kind, allowed, [option for _, option in options])
        taken.update(product.pk for product, _ in options)
        answer.append(
            KindOptions(kind, needed, () if problem and not options else options, problem)
        )
    return answer


def _option(product: Weighed, place: int, unit: str) -> Option | None:
    """Return the product as an option. A kind without a unit is counted in pieces, or in units
    of sale if the pack size is unknown.
    """
    return product.option(kind=place, wanted_unit=unit or PIECE) or (
        None if unit else product.by_unit(kind=place)
    )


def _is_excluded(product: Weighed, words: Sequence[str]) -> bool:
    brand = normalise(product.offer.product.brand.name)
    return any(
        word == brand or word in product.name_key or word in normalise(product.category)
        for word in words
    )


def _problem(
    kind: Kind,
    needed: int,
    heads: int,
    of_kind: Sequence[Weighed],
    allowed: Sequence[Weighed],
    options: Sequence[Option],
) -> str:
    if not of_kind:
        return f"您的采购目录中没有“{kind.name}”"
    if not allowed:
        return "该品类的商品都在排除条件内"
    most = coverable([option for option in options if option.most])
    if not most:
        return "该品类的商品都缺货"
    if most >= needed:
        return ""
    people = int((most - kind.fixed) / kind.per_head) if kind.per_head else 0
    return (
        f"库存最多够 {people} 人，请减少人数或分批采购"
        if 0 < people < heads
        else f"库存最多 {most}{kind.unit.split('/')[0]}，不足 {needed}"
    )


def scored(*, options: Sequence[KindOptions], budget: Decimal | None) -> Scored:
    """Return the options with score and fame. The target cost of a kind is its share of the
    budget, in proportion to its usual cost. Without a budget it is the usual cost.
    """
    usual = [
        median(option.price * option.enough_for(one.needed) for _, option in one.options)
        if one.options
        else 0
        for one in options
    ]
    whole = sum(usual)
    aim = (
        1.0
        if budget is None or not whole
        else min(DEAREST_AIM, max(CHEAPEST_AIM, AIM * float(budget * 100) / whole))
    )
    fame = _fame(options)
    found: dict[int, Chosen] = {}
    for place, one in enumerate(options):
        if not one.options:
            continue
        field = field_of([product for product, _ in one.options])
        for product, option in one.options:
            enough = option.enough_for(one.needed)
            facts = facts_of(
                product, field=field, stock_share=min(1.0, enough * option.pieces / one.needed)
            )
            score = scenario_score(facts, fit=price_fit(option.price * enough, aim * usual[place]))
            known = 100 * (
                BRAND_WEIGHT * fame[option.brand] + (1 - BRAND_WEIGHT) * facts.sales_share
            )
            found[option.key] = Chosen(
                product,
                replace(option, score=score.points, fame=known),
                score,
                one.kind.unit.split("/")[0],
            )
    return Scored(found)


def _fame(options: Sequence[KindOptions]) -> dict[int, float]:
    """Return the fame of each brand, from 0 to 1, by the sales of its products among the
    options.
    """
    sold: dict[int, int] = {}
    for one in options:
        for product, option in one.options:
            sold[option.brand] = sold.get(option.brand, 0) + product.offer.product.sales_count
    most = max(sold.values(), default=0)
    return {brand: share_of_sales(sales, most) for brand, sales in sold.items()}
