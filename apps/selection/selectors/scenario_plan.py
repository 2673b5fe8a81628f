"""场景方案: a recommended basket for a number of people within a budget, its variants, and the
reason if there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.catalog.indexing.dictionary import dictionary_refresh
from apps.common.money import ZERO
from apps.org.selectors.purchasing import require_prices
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.search.keyword import get_lexicon
from apps.search.sql.on_sale import list_best_ids
from apps.selection.errors import NoKindChosen, ScenarioUnknown
from apps.selection.models import SelectionScenario
from apps.selection.selectors.products import Candidate, get_selection_products, limit_candidates
from apps.selection.selectors.scenario_baskets import (
    Baskets,
    KindOptions,
    ScoredOptions,
    compute_baskets,
    list_kind_options,
    score_options,
)
from apps.selection.selectors.scenarios import (
    Kind,
    KindRequest,
    list_active_scenarios,
    resolve_kinds,
)
from apps.selection.selectors.sources import (
    FreightTier,
    get_freight_for,
    get_purchases,
    list_freight_tiers,
)
from apps.selection.solver.model import (
    Basket,
    Figures,
    Goal,
    Need,
    describe_difference,
    list_changed_kinds,
)

if TYPE_CHECKING:
    from apps.org.models import Account

CANDIDATES_PER_LINE = 24
# The budget if the request has no limit: the maximum of an amount field.
UNLIMITED = Decimal("9999999999.99")


@dataclass(frozen=True, slots=True)
class ScenarioRequest:
    """A request: scenario, number of people, budget (元, 含税), kinds and exclusions. Without a
    budget there is no limit, and the scores aim at usual prices.
    """

    heads: int
    budget: Decimal | None
    code: str = ""
    kinds: tuple[KindRequest, ...] = ()
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanItem:
    """A kind: the required number of pieces, and candidates with their quantity. `problem` says
    why there are none.
    """

    kind: Kind
    needed: int
    candidates: tuple[Candidate, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """A basket: its lines by kind, its amounts (元, 含税), the rest of the budget (0 without a
    budget), and its differences from the recommended basket.
    """

    goal: Goal
    lines: tuple[tuple[int, Candidate], ...]
    goods: Decimal
    freight: Decimal
    left: Decimal
    brands: tuple[str, ...]
    changed: tuple[str, ...]
    explained: str

    @property
    def total(self) -> Decimal:
        """Goods plus freight, in 元 含税."""
        return self.goods + self.freight


@dataclass(frozen=True, slots=True)
class ScenarioPlan:
    """The answer. Without plans, `message` gives the reason, `needed_budget` a sufficient
    budget, and `drop` the kinds to leave out.
    """

    context: CatalogueContext
    scenario: SelectionScenario | None
    request: ScenarioRequest
    items: tuple[PlanItem, ...]
    plans: tuple[Plan, ...]
    message: str = ""
    needed_budget: Decimal | None = None
    drop: tuple[str, ...] = ()


def scenario_plan(*, actor: Account, request: ScenarioRequest) -> ScenarioPlan:
    """Return the baskets for a request. No basket costs more than the budget, including freight
    to the default address.

    At most eleven queries, whatever the number of kinds, and at most two seconds of computation.

    Raises:
        ScenarioUnknown: there is no active scenario with that code, or there are no scenarios and
            the request names no kind.
        PurchasingRefused: the actor's role shows no prices.
    """
    require_prices(actor=actor)
    context = get_catalogue_context(actor=actor)
    dictionary_refresh()
    lexicon = get_lexicon(context.agreements_token)
    scenarios = list_active_scenarios()
    scenario = _find_scenario(scenarios, request)
    kinds = resolve_kinds(scenario=scenario, scenarios=scenarios, requested=request.kinds)
    purchases = get_purchases(actor)
    ids = list_best_ids(
        context, [kind.build_query(lexicon) for kind in kinds], limit=CANDIDATES_PER_LINE
    )
    products = get_selection_products(
        context, [*(pk for kind_ids in ids for pk in kind_ids), *purchases], purchases
    )
    options = list_kind_options(
        kinds=kinds,
        ids_by_kind=ids,
        products=products,
        heads=request.heads,
        exclude=request.exclude,
        lexicon=lexicon,
    )
    tiers = list_freight_tiers(actor)
    scored_options = score_options(options=options, budget=request.budget)
    solvable_places = [
        place for place, kind_options in enumerate(options) if not kind_options.problem
    ]
    items = tuple(
        _build_plan_item(kind_options, place, scored_options)
        for place, kind_options in enumerate(options)
    )
    empty_plan = ScenarioPlan(context, scenario, request, items, ())
    if not solvable_places:
        return replace(empty_plan, message="没有可以配齐的品类，请调整品类或排除条件")
    needs = [Need(place, options[place].needed) for place in solvable_places]
    baskets = compute_baskets(
        needs=needs,
        options=scored_options.options,
        budget=UNLIMITED if request.budget is None else request.budget,
        tiers=tiers,
    )
    if not baskets.by_goal:
        return replace(
            empty_plan,
            message=_explain_no_basket(baskets),
            needed_budget=baskets.needed,
            drop=tuple(kinds[place].name for place in baskets.drop),
        )
    return replace(empty_plan, plans=_build_plans(baskets, options, scored_options, request, tiers))


def _find_scenario(
    scenarios: Sequence[SelectionScenario], request: ScenarioRequest
) -> SelectionScenario | None:
    """Return the scenario of the request's code, the first one without a code, or None if the
    request names kinds.
    """
    if request.code:
        requested = next(
            (scenario for scenario in scenarios if scenario.code == request.code), None
        )
        if requested is None:
            raise ScenarioUnknown
        return requested
    if request.kinds:
        return None
    if not scenarios:
        raise NoKindChosen
    return scenarios[0]


def _explain_no_basket(baskets: Baskets) -> str:
    if baskets.needed is None:
        return "没有在时限内算出方案，请减少品类后重试"
    return f"这些品类最低需要 ¥{baskets.needed:,.2f}（含运费），超出预算"


def _build_plan_item(
    options: KindOptions, kind_index: int, scored_options: ScoredOptions
) -> PlanItem:
    """Return a kind of the scenario with its candidates, the best first."""
    scored_of_kind = sorted(
        scored_options.list_of_kind(kind_index),
        key=lambda scored_option: (-scored_option.option.score, scored_option.option.key),
    )
    candidates = tuple(
        scored_option.build_candidate(options.needed) for scored_option in scored_of_kind
    )
    return PlanItem(options.kind, options.needed, limit_candidates(candidates), options.problem)


def _build_plans(
    baskets: Baskets,
    options: Sequence[KindOptions],
    scored_options: ScoredOptions,
    request: ScenarioRequest,
    tiers: Sequence[FreightTier],
) -> tuple[Plan, ...]:
    """Return a plan for each goal with its amounts in 元, and how it differs from the balanced
    one.
    """
    balanced_figures = _compute_basket_figures(
        baskets.by_goal[Goal.BALANCED], options, scored_options, tiers
    )
    plans = []
    for goal, basket in baskets.by_goal.items():
        figures = _compute_basket_figures(basket, options, scored_options, tiers)
        goods = Decimal(basket.amount) / 100
        freight = get_freight_for(tiers, goods)
        lines = [
            (
                scored_options.by_key[key].option.kind,
                scored_options.by_key[key].build_candidate_of_quantity(quantity),
            )
            for key, quantity in basket.quantities.items()
        ]
        plans.append(
            Plan(
                goal=goal,
                lines=tuple(sorted(lines, key=lambda line: line[0])),
                goods=goods,
                freight=freight,
                left=ZERO if request.budget is None else request.budget - goods - freight,
                brands=tuple(sorted(figures.brands)),
                changed=tuple(list_changed_kinds(balanced_figures, figures))
                if goal != Goal.BALANCED
                else (),
                explained=describe_difference(goal, balanced_figures, figures)
                if goal != Goal.BALANCED
                else "",
            )
        )
    return tuple(plans)


def _compute_basket_figures(
    basket: Basket,
    options: Sequence[KindOptions],
    scored_options: ScoredOptions,
    tiers: Sequence[FreightTier],
) -> Figures:
    """Return what two baskets are compared by: total with freight in 元, brands, products by name
    of their kind, and average fame of the brands.
    """
    basket_options = [scored_options.by_key[key] for key in basket.quantities]
    products: dict[str, frozenset[int]] = {}
    for scored_option in basket_options:
        name = options[scored_option.option.kind].kind.name
        products[name] = products.get(name, frozenset()) | {scored_option.option.key}
    goods = Decimal(basket.amount) / 100
    return Figures(
        total=goods + get_freight_for(tiers, goods),
        brands=frozenset(
            scored_option.product.offer.product.brand.name for scored_option in basket_options
        ),
        products=products,
        fame=sum(scored_option.option.fame for scored_option in basket_options)
        / len(basket_options),
    )
