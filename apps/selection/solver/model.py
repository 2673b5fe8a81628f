"""Input and output of the integer programme. Money is in whole 分, quantities are in units of
sale, needs are in pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from apps.common.quantity import MAX_QUANTITY, last_legal, next_legal

# Maximum number of products for a kind, if no single product has enough stock.
MOST_PRODUCTS_OF_A_KIND = 3


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
    """A product that can cover a kind. `score` and `fame` are from 0 to 100."""

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
        """The greatest legal quantity in stock. 0 if the stock is below the minimum quantity."""
        return last_legal(min(self.stock, MAX_QUANTITY), minimum=self.minimum, step=self.step)

    def enough_for(self, pieces: int) -> int:
        """Return the smallest legal quantity that contains the number of pieces, limited by the
        stock.
        """
        return min(
            self.most, next_legal(-(-pieces // self.pieces), minimum=self.minimum, step=self.step)
        )


@dataclass(frozen=True, slots=True)
class Basket:
    """Quantities by option key."""

    quantities: Mapping[int, int]
    amount: int


def kinds_of(options: Sequence[Option]) -> dict[int, list[Option]]:
    """Return the options of each kind, without options that cannot be bought."""
    found: dict[int, list[Option]] = {}
    for option in options:
        if option.most:
            found.setdefault(option.kind, []).append(option)
    return found


def coverable(options: Sequence[Option]) -> int:
    """Return the maximum number of pieces of one kind, from at most MOST_PRODUCTS_OF_A_KIND
    products.
    """
    return sum(
        sorted((option.most * option.pieces for option in options), reverse=True)[
            :MOST_PRODUCTS_OF_A_KIND
        ]
    )


def usable(need: Need, options: Sequence[Option]) -> tuple[list[Option], int]:
    """Return the options to choose from, and the maximum number of products for the kind: one,
    if any option alone has enough stock.
    """
    alone = [option for option in options if option.most * option.pieces >= need.pieces]
    return (alone, 1) if alone else (list(options), MOST_PRODUCTS_OF_A_KIND)


def faults(
    *, needs: Sequence[Need], options: Sequence[Option], basket: Basket, budget: int | None
) -> list[str]:
    """Return the errors of a basket, computed with integers and independently of the solver. A
    correct basket has none.
    """
    by_key = {option.key: option for option in options}
    wrong = []
    amount, covered = 0, dict.fromkeys((need.kind for need in needs), 0)
    for key, quantity in basket.quantities.items():
        option = by_key[key]
        amount += option.price * quantity
        covered[option.kind] = covered.get(option.kind, 0) + option.pieces * quantity
        if (
            not option.minimum <= quantity <= MAX_QUANTITY
            or (quantity - option.minimum) % option.step
        ):
            wrong.append(f"{key}: {quantity} is no legal quantity")
        if quantity > option.stock:
            wrong.append(f"{key}: {quantity} of {option.stock} in stock")
    wrong += [
        f"kind {need.kind}: {covered[need.kind]} of {need.pieces}"
        for need in needs
        if covered[need.kind] < need.pieces
    ]
    if amount != basket.amount:
        wrong.append(f"amount {basket.amount} should be {amount}")
    if budget is not None and amount > budget:
        wrong.append(f"{amount} is over the budget of {budget}")
    return wrong
