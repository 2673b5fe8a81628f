"""Computes the baskets of a scenario within its budget, including freight, in less than two
seconds. Without a basket, it computes the budget that is needed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from apps.common.money import ZERO
from apps.selection.selectors.selection_sources import FreightTier, freight_for
from apps.selection.solver.model import Basket, Goal, Need, Option
from apps.selection.solver.solver import basket_of

# Time limits in seconds: all baskets of a request, one basket, and the minimum for one basket.
IN_ALL, EACH, LEAST = 1.8, 0.5, 0.05


@dataclass(frozen=True, slots=True)
class Baskets:
    """The basket of each goal, BALANCED first. If there is none: the sufficient budget in 元 含税,
    and the positions of the kinds to leave out.
    """

    found: Mapping[Goal, Basket]
    needed: Decimal | None = None
    drop: tuple[int, ...] = ()


@dataclass(slots=True)
class _Search:
    needs: Sequence[Need]
    options: Sequence[Option]
    tiers: Sequence[FreightTier]
    ends: float = field(default_factory=lambda: time.monotonic() + IN_ALL)

    def chosen(self, basket: Basket) -> list[Option]:
        return [option for option in self.options if option.key in basket.quantities]

    def fame(self, basket: Basket) -> float:
        return sum(option.fame for option in self.chosen(basket)) / len(basket.quantities)

    def brands(self, basket: Basket) -> int:
        return len({option.brand for option in self.chosen(basket)})

    def basket(self, goal: Goal, budget: int | None) -> Basket | None:
        seconds = min(EACH, max(LEAST, self.ends - time.monotonic()))
        return basket_of(
            needs=self.needs, options=self.options, budget=budget, goal=goal, seconds=seconds
        )

    def with_freight(self, basket: Basket) -> int:
        """Return goods plus freight, in 分."""
        return basket.amount + int(freight_for(self.tiers, Decimal(basket.amount) / 100) * 100)

    def within(self, goal: Goal, budget: int) -> Basket | None:
        """Return the best basket whose goods and freight fit into the budget. If the first
        result does not fit, search again with the highest freight deducted from the budget.
        """
        basket = self.basket(goal, budget)
        if basket is None or self.with_freight(basket) <= budget:
            return basket
        dearest = max((tier.fee for tier in self.tiers), default=ZERO)
        basket = self.basket(goal, max(0, budget - int(dearest * 100)))
        return basket if basket is not None and self.with_freight(basket) <= budget else None


def baskets_within(
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
    cheapest = search.basket(Goal.CHEAPEST, None)
    if cheapest is None:
        return Baskets({}, needed=None)
    if search.with_freight(cheapest) > fen:
        return Baskets(
            {},
            needed=Decimal(search.with_freight(cheapest)) / 100,
            drop=tuple(_dropped(search, cheapest, fen)),
        )
    best = search.within(Goal.BALANCED, fen) or cheapest
    known = search.within(Goal.KNOWN, fen) or best
    fewer = search.within(Goal.FEW_BRANDS, fen) or best
    return Baskets(
        {
            Goal.BALANCED: best,
            Goal.CHEAPEST: cheapest if cheapest.amount < best.amount else best,
            Goal.KNOWN: known if search.fame(known) > search.fame(best) else best,
            Goal.FEW_BRANDS: fewer if search.brands(fewer) < search.brands(best) else best,
        }
    )


def _dropped(search: _Search, cheapest: Basket, budget: int) -> list[int]:
    """Return a small set of kinds to leave out, so that the cheapest basket fits into the
    budget: the cheapest single kind that is enough, otherwise the most expensive ones first.
    Empty if nothing would remain.
    """
    cost: dict[int, int] = {}
    by_key = {option.key: option for option in search.options}
    for key, quantity in cheapest.quantities.items():
        option = by_key[key]
        cost[option.kind] = cost.get(option.kind, 0) + option.price * quantity
    dearest = int(max((tier.fee for tier in search.tiers), default=ZERO) * 100)
    over = sum(cost.values()) + dearest - budget
    dropped: list[int] = []
    left = sorted(cost, key=lambda kind: (cost[kind], kind))
    while over > 0 and left:
        enough = next((kind for kind in left if cost[kind] >= over), left[-1])
        left.remove(enough)
        dropped.append(enough)
        over -= cost[enough]
    return sorted(dropped) if left else []
