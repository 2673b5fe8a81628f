"""Property tests of the solver with random catalogues, budgets and needs. No basket exceeds the
budget or has an illegal quantity, and the solver finds a basket whenever one exists.
"""

from __future__ import annotations

from itertools import product as combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.selection.solver.model import (
    Basket,
    Goal,
    Need,
    Option,
    group_by_kind,
    list_faults,
    max_coverable_pieces,
    select_usable_options,
)
from apps.selection.solver.solver import solve_basket

SECONDS = 2.0


@st.composite
def build_markets(draw: st.DrawFn) -> tuple[list[Need], list[Option], int]:
    """Generate up to five kinds with up to six products each, with any price, pack, minimum,
    step and stock. The budget is close to the cost.
    """
    kinds = draw(st.integers(1, 5))
    needs = [
        Need(kind, draw(st.sampled_from([1, 3, 12, 24, 100, 1000, 100_000])))
        for kind in range(kinds)
    ]
    options = [
        Option(
            key=kind * 100 + place,
            kind=kind,
            price=(price := draw(st.integers(0, 50_000))),
            pieces=draw(st.sampled_from([1, 1, 1, 5, 12, 100])),
            minimum=draw(st.sampled_from([1, 1, 2, 5, 10])),
            step=draw(st.sampled_from([1, 1, 2, 3, 10])),
            stock=draw(st.sampled_from([0, 1, 9, 10, 50, 1000, 2_000_000])),
            brand=draw(st.integers(1, 4)),
            score=draw(st.floats(0, 100)),
            fame=draw(st.floats(0, 100)),
            tiers=draw(
                st.sampled_from([(), ((2, price * 9 // 10),), ((5, price // 2), (50, price // 5))])
            ),
        )
        for kind in range(kinds)
        for place in range(draw(st.integers(1, 6)))
    ]
    return needs, options, draw(st.sampled_from([0, 1, 1_000, 50_000, 1_000_000, 10**9, 10**12]))


def alone(needs: list[Need], options: list[Option]) -> list[list[tuple[Option, int, int]]] | None:
    """Return for each need the products that cover it alone, as (option, quantity, cost).
    Return None if a need must be shared between products.
    """
    groups = group_by_kind(options)
    rows = []
    for need in needs:
        candidates, share = select_usable_options(need, groups.get(need.kind, []))
        if share > 1:
            return None
        rows.append(
            [
                (
                    option,
                    option.find_enough_quantity(need.pieces),
                    option.compute_cost(option.find_enough_quantity(need.pieces)),
                )
                for option in candidates
            ]
        )
    return rows


@settings(max_examples=150)
@given(market=build_markets(), goal=st.sampled_from(list(Goal)))
def test_a_basket_is_never_over_the_budget_nor_illegal_nor_short(
    market: tuple[list[Need], list[Option], int], goal: Goal
) -> None:
    needs, options, budget = market

    basket = solve_basket(needs=needs, options=options, budget=budget, goal=goal, seconds=SECONDS)

    if basket is not None:
        assert list_faults(needs=needs, options=options, basket=basket, budget=budget) == []


@settings(max_examples=100)
@given(market=build_markets())
def test_the_cheapest_basket_is_found_wherever_there_is_one(
    market: tuple[list[Need], list[Option], int],
) -> None:
    needs, options, budget = market
    ways = alone(needs, options)
    if ways is None:
        return
    least = sum(min(cost for _, _, cost in way) for way in ways)

    basket = solve_basket(
        needs=needs, options=options, budget=budget, goal=Goal.CHEAPEST, seconds=SECONDS
    )

    assert (basket.amount if basket else None) == (least if least <= budget else None)


@settings(max_examples=60)
@given(market=build_markets())
def test_the_recommended_basket_has_the_best_score_of_all_that_fit(
    market: tuple[list[Need], list[Option], int],
) -> None:
    needs, options, budget = market
    ways = alone(needs[:3], options)
    if ways is None:
        return
    fitting = [
        sum(option.score for option, _, _ in way)
        for way in combinations(*ways)
        if sum(cost for *_, cost in way) <= budget
    ]

    basket = solve_basket(needs=needs[:3], options=options, budget=budget, seconds=SECONDS)

    score = sum(option.score for option in options if basket and option.key in basket.quantities)
    # The cost decides between equal scores. It weighs less than one point per product.
    assert (basket is None) == (not fitting)
    assert not fitting or score >= max(fitting) - len(ways)


@settings(max_examples=30)
@given(market=build_markets())
def test_the_same_question_has_the_same_answer(
    market: tuple[list[Need], list[Option], int],
) -> None:
    needs, options, budget = market

    assert solve_basket(needs=needs, options=options, budget=budget) == solve_basket(
        needs=needs, options=options, budget=budget
    )


def build_option(key: int, **given: Any) -> Option:
    figures: dict[str, Any] = {
        "kind": 1,
        "price": 100,
        "pieces": 1,
        "minimum": 1,
        "step": 1,
        "stock": 100,
        "brand": 1,
        "score": 50.0,
        "fame": 50.0,
    }
    return Option(key=key, **{**figures, **given})


def test_the_quantity_of_the_need_decides_the_price() -> None:
    options = [build_option(1, price=100, tiers=((10, 70),)), build_option(2, price=80)]

    few = solve_basket(needs=[Need(1, 9)], options=options, budget=None, goal=Goal.CHEAPEST)
    many = solve_basket(needs=[Need(1, 10)], options=options, budget=700, goal=Goal.CHEAPEST)

    assert (few, many) == (Basket({2: 9}, 720), Basket({1: 10}, 700))


def test_a_kind_that_no_product_has_enough_of_is_shared_by_several() -> None:
    options = [build_option(1, stock=60), build_option(2, stock=50, minimum=10, step=10)]

    basket = solve_basket(needs=[Need(1, 100)], options=options, budget=None)

    assert basket is not None
    assert sum(basket.quantities.values()) >= 100
    assert list_faults(needs=[Need(1, 100)], options=options, basket=basket, budget=None) == []


def test_four_products_never_share_a_kind() -> None:
    options = [build_option(key, stock=30) for key in range(1, 5)]

    assert max_coverable_pieces(options) == 90
    assert solve_basket(needs=[Need(1, 100)], options=options, budget=None) is None


def test_fewer_brands_are_worth_more_than_better_scores() -> None:
    options = [
        build_option(1, brand=1, score=90),
        build_option(2, kind=2, brand=2, score=90),
        build_option(3, kind=2, brand=1, score=10),
    ]
    needs = [Need(1, 1), Need(2, 1)]

    best = solve_basket(needs=needs, options=options, budget=None)
    fewer = solve_basket(needs=needs, options=options, budget=None, goal=Goal.FEW_BRANDS)

    assert best is not None
    assert fewer is not None
    assert (set(best.quantities), set(fewer.quantities)) == ({1, 2}, {1, 3})


def test_the_check_sees_every_fault() -> None:
    basket = Basket({1: 5}, 1)
    options = [build_option(1, minimum=2, step=2, stock=4)]

    assert len(list_faults(needs=[Need(1, 6)], options=options, basket=basket, budget=0)) == 5
