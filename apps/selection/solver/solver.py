"""Computes a basket by integer programming with HiGHS, on one thread and within a time limit.
The result is verified independently.

Each option has a variable `y` for whether it is bought. If several products may share a kind, it
also has `n`, the number of steps above its minimum. So all quantities are legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from apps.selection.solver.model import (
    Basket,
    Goal,
    Need,
    Option,
    group_by_kind,
    list_faults,
    select_usable_options,
)

# The budget is scaled to this figure, because the solver's tolerance is absolute. HAIR allows for
# rounding errors of the sum; `list_faults` verifies the exact amount.
SCALE = 10_000.0
HAIR = 1e-6
INFINITY = float("inf")
PER_BRAND = 1_000.0
GAP = 1e-6


@dataclass(slots=True)
class _Programme:
    """Columns and rows in the form of the solver."""

    cost: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    rows: list[tuple[float, float, list[int], list[float]]] = field(default_factory=list)

    def add_column(self, cost: float, upper: float) -> int:
        """Add an integer variable from 0 to `upper` and return its index."""
        self.cost.append(cost)
        self.upper.append(upper)
        return len(self.cost) - 1

    def add_row(self, lower: float, upper: float, terms: Sequence[tuple[int, float]]) -> None:
        """Add the constraint lower ≤ sum of terms ≤ upper."""
        self.rows.append(
            (lower, upper, [place for place, _ in terms], [factor for _, factor in terms])
        )


def solve_basket(
    *,
    needs: Sequence[Need],
    options: Sequence[Option],
    budget: int | None,
    goal: Goal = Goal.BALANCED,
    seconds: float = 0.5,
) -> Basket | None:
    """Return the best basket for the goal that meets every need within the budget (分, None
    without a limit), or None.

    The same input gives the same result, unless the time limit stops the search.
    """
    groups = group_by_kind(options)
    choices: list[tuple[Need, list[Option], int]] = []
    for need in needs:
        candidates, share = select_usable_options(need, groups.get(need.kind, []))
        if not candidates:
            return None
        choices.append((need, candidates, share))
    programme = _Programme()
    places = _add_columns(programme, choices, goal)
    _add_budget_row(programme, places, budget)
    values = _solve_programme(programme, seconds)
    basket = _read_basket(places, values) if values is not None else None
    if basket is None or list_faults(needs=needs, options=options, basket=basket, budget=budget):
        basket = _build_cheapest_basket(choices)
        return (
            None
            if basket is None
            or list_faults(needs=needs, options=options, basket=basket, budget=budget)
            else basket
        )
    return basket


@dataclass(frozen=True, slots=True)
class _Place:
    """The columns of an option. Without a column of steps, its quantity is either 0 or `first`."""

    option: Option
    bought: int
    steps: int | None
    first: int

    def read_quantity(self, values: Sequence[float]) -> int:
        """Return the legal quantity of the solver's values."""
        if round(values[self.bought]) == 0:
            return 0
        return (
            self.first
            if self.steps is None
            else self.option.minimum + self.option.step * round(values[self.steps])
        )


def _add_columns(
    programme: _Programme, choices: Sequence[tuple[Need, list[Option], int]], goal: Goal
) -> list[_Place]:
    """Add the variables and constraints of all kinds. `choices` are (need, options, most options of
    the kind).
    """
    dearest = (
        max(
            option.compute_cost(option.find_enough_quantity(need.pieces))
            for need, options, _ in choices
            for option in options
        )
        or 1
    )
    price_of = _choose_price_function(goal, dearest)
    brands: dict[int, int] = {}
    places: list[_Place] = []
    for need, options, share in choices:
        own = [_add_option(programme, need, option, share, price_of) for option in options]
        programme.add_row(1, share, [(place.bought, 1.0) for place in own])
        if share > 1:
            programme.add_row(
                1, INFINITY, [term for place in own for term in _list_supply_terms(place, need)]
            )
        for place in own if goal == Goal.FEW_BRANDS else ():
            brand = place.option.brand
            if brand not in brands:
                brands[brand] = programme.add_column(PER_BRAND, 1)
            programme.add_row(-1, 0, [(place.bought, 1.0), (brands[brand], -1.0)])
        places += own
    return places


def _add_option(
    programme: _Programme,
    need: Need,
    option: Option,
    max_options: int,
    price_of: Callable[[Option, int], float],
) -> _Place:
    """Add the variables of an option: whether it is bought and, if a kind may take several options,
    the number of steps above the minimum. The cost of steps is linear, so it has no tiers: such a
    basket costs at most what the programme assumes.
    """
    enough_quantity = option.find_enough_quantity(need.pieces)
    if max_options == 1:
        return _Place(
            option,
            programme.add_column(price_of(option, enough_quantity), 1),
            None,
            enough_quantity,
        )
    max_steps = (enough_quantity - option.minimum) // option.step
    untiered_option = replace(option, tiers=())
    bought_column = programme.add_column(price_of(untiered_option, option.minimum), 1)
    cost_per_step = price_of(untiered_option, option.minimum + option.step) - price_of(
        untiered_option, option.minimum
    )
    steps_column = programme.add_column(cost_per_step, max_steps)
    programme.add_row(-INFINITY, 0, [(steps_column, 1.0), (bought_column, -float(max_steps))])
    return _Place(option, bought_column, steps_column, enough_quantity)


def _choose_price_function(goal: Goal, dearest: int) -> Callable[[Option, int], float]:
    """Return the function for the cost of a quantity under the goal. Every purchase has a
    positive cost, so that the solver buys no unnecessary product.
    """

    def money(option: Option, quantity: int) -> float:
        return option.compute_cost(quantity) / dearest

    if goal == Goal.CHEAPEST:
        return lambda option, quantity: (
            SCALE * money(option, quantity) + (101 - option.score) / SCALE
        )
    if goal == Goal.KNOWN:
        return lambda option, quantity: (
            (101 - option.fame) + (100 - option.score) / 10 + money(option, quantity)
        )
    return lambda option, quantity: (101 - option.score) + money(option, quantity)


def _list_supply_terms(place: _Place, need: Need) -> list[tuple[int, float]]:
    """Return pairs of the solver's column and coefficient: the part of the need (0 to 1) that one
    unit of the column supplies.
    """
    option, pieces_needed = place.option, float(need.pieces)
    terms = [(place.bought, option.minimum * option.pieces / pieces_needed)]
    return (
        terms
        if place.steps is None
        else [*terms, (place.steps, option.step * option.pieces / pieces_needed)]
    )


def _add_budget_row(programme: _Programme, places: Sequence[_Place], budget: int | None) -> None:
    """Add the row "the basket costs at most `budget`" (分, None for no limit). A budget of 0 is
    scaled like one of 1 分.
    """
    if budget is None:
        return
    scaled_budget = max(budget, 1) / SCALE
    terms: list[tuple[int, float]] = []
    for place in places:
        if place.steps is None:
            terms.append((place.bought, place.option.compute_cost(place.first) / scaled_budget))
        else:
            terms.append((place.bought, place.option.price * place.option.minimum / scaled_budget))
            terms.append((place.steps, place.option.price * place.option.step / scaled_budget))
    programme.add_row(-INFINITY, SCALE * (budget / max(budget, 1)) + HAIR, terms)


def _solve_programme(programme: _Programme, seconds: float) -> list[float] | None:
    """Return the value of each variable, or None without a solution within `seconds`."""
    import highspy
    import numpy as np

    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(programme.cost), len(programme.rows)
    lp.col_cost_ = np.array(programme.cost)
    lp.col_lower_, lp.col_upper_ = np.zeros(lp.num_col_), np.array(programme.upper)
    lp.row_lower_ = np.array([lower for lower, *_ in programme.rows])
    lp.row_upper_ = np.array([upper for _, upper, *_ in programme.rows])
    lp.integrality_ = [highspy.HighsVarType.kInteger] * lp.num_col_
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(places) for _, _, places, _ in programme.rows)])
    lp.a_matrix_.index_ = np.array(
        [place for _, _, places, _ in programme.rows for place in places]
    )
    lp.a_matrix_.value_ = np.array([factor for *_, factors in programme.rows for factor in factors])
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in (
        ("output_flag", False),
        ("threads", 1),
        ("random_seed", 1),
        ("time_limit", seconds),
        ("mip_rel_gap", GAP),
    ):
        solver.setOptionValue(name, value)
    solver.passModel(lp)
    solver.run()
    solution = solver.getSolution()
    return (
        list(solution.col_value)
        if solution.value_valid and solver.getInfo().primal_solution_status == 2
        else None
    )


def _read_basket(places: Sequence[_Place], values: Sequence[float]) -> Basket:
    """Return the basket that the solver's values stand for: quantities by option key, amount in
    分.
    """
    all_quantities = {place.option.key: place.read_quantity(values) for place in places}
    quantities = {key: quantity for key, quantity in all_quantities.items() if quantity}
    option_by_key = {place.option.key: place.option for place in places}
    amount = sum(option_by_key[key].compute_cost(quantity) for key, quantity in quantities.items())
    return Basket(quantities, amount)


def _build_cheapest_basket(choices: Sequence[tuple[Need, list[Option], int]]) -> Basket | None:
    """Return the fallback basket without the solver: the cheapest option of each kind. None if
    a kind needs several products.
    """
    quantities: dict[int, int] = {}
    amount = 0
    for need, options, share in choices:
        if share > 1:
            return None
        best = min(
            options,
            key=lambda option: (
                option.compute_cost(option.find_enough_quantity(need.pieces)),
                -option.score,
                option.key,
            ),
        )
        quantities[best.key] = best.find_enough_quantity(need.pieces)
        amount += best.compute_cost(quantities[best.key])
    return Basket(quantities, amount)
