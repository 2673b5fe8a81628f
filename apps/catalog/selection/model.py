"""What the programme chooses from and what it answers. Money is whole 分, quantities are units of sale, needs are pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from apps.common.quantity import MAX_QUANTITY, last_legal, next_legal

# Where no single product has enough in stock for a kind, so many share it.
MOST_PRODUCTS_OF_A_KIND = 3


class Goal(StrEnum):
    """What a basket is best at, the budget and the needs being met."""

    BALANCED = "best"
    CHEAPEST = "cheaper"
    KNOWN = "known"
    FEW_BRANDS = "fewer"


@dataclass(frozen=True, slots=True)
class Need:
    """A kind of thing, and how many pieces of it the basket must have at least."""

    kind: int
    pieces: int


@dataclass(frozen=True, slots=True)
class Option:
    """A product that could cover a kind. `score` and `fame` go from 0 to 100."""

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

    @property
    def most(self) -> int:
        """The greatest legal quantity in stock; 0 where not even the minimum is."""
        return last_legal(min(self.stock, MAX_QUANTITY), minimum=self.minimum, step=self.step)

    def enough_for(self, pieces: int) -> int:
        """Return the smallest legal quantity that holds so many pieces, as far as the stock goes."""
        return min(self.most, next_legal(-(-pieces // self.pieces), minimum=self.minimum, step=self.step))


@dataclass(frozen=True, slots=True)
class Basket:
    """Quantities by the key of the option."""

    quantities: Mapping[int, int]
    amount: int


def kinds_of(options: Sequence[Option]) -> dict[int, list[Option]]:
    """Return the options of each kind, those of which nothing can be bought left out."""
    found: dict[int, list[Option]] = {}
    for option in options:
        if option.most:
            found.setdefault(option.kind, []).append(option)
    return found


def coverable(options: Sequence[Option]) -> int:
    """Return how many pieces of one kind can be had at most, by as many products as may share it."""
    return sum(sorted((option.most * option.pieces for option in options), reverse=True)[:MOST_PRODUCTS_OF_A_KIND])


def usable(need: Need, options: Sequence[Option]) -> tuple[list[Option], int]:
    """Return the options worth choosing from, and how many of them may share the kind: one wherever one has enough in stock."""
    alone = [option for option in options if option.most * option.pieces >= need.pieces]
    return (alone, 1) if alone else (list(options), MOST_PRODUCTS_OF_A_KIND)


def faults(*, needs: Sequence[Need], options: Sequence[Option], basket: Basket, budget: int | None) -> list[str]:
    """Return what is wrong with a basket, counted in whole numbers and without the programme: nothing may ever be."""
    by_key = {option.key: option for option in options}
    wrong = []
    amount, covered = 0, dict.fromkeys((need.kind for need in needs), 0)
    for key, quantity in basket.quantities.items():
        option = by_key[key]
        amount += option.price * quantity
        covered[option.kind] = covered.get(option.kind, 0) + option.pieces * quantity
        if not option.minimum <= quantity <= MAX_QUANTITY or (quantity - option.minimum) % option.step:
            wrong.append(f"{key}: {quantity} is no legal quantity")
        if quantity > option.stock:
            wrong.append(f"{key}: {quantity} of {option.stock} in stock")
    wrong += [f"kind {need.kind}: {covered[need.kind]} of {need.pieces}" for need in needs if covered[need.kind] < need.pieces]
    if amount != basket.amount:
        wrong.append(f"amount {basket.amount} should be {amount}")
    if budget is not None and amount > budget:
        wrong.append(f"{amount} is over the budget of {budget}")
    return wrong
