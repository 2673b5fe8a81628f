"""Quick lists (meeting, welcome kit, tea room), computed by the solver of 一键选品, never above the
budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.assistant.tools.cart import Proposable, cart_proposable
from apps.assistant.tools.scenarios import Scenario
from apps.common.money import ZERO
from apps.selection.errors import ScenarioUnknown
from apps.selection.selectors.scenario_plan import (
    Plan,
    PlanItem,
    ScenarioPlan,
    ScenarioRequest,
    scenario_plan,
)
from apps.selection.selectors.scenarios import KindRequest
from apps.selection.solver.model import NAMES, Goal

if TYPE_CHECKING:
    from apps.org.models import Account

PEOPLE = 10
OVER_BUDGET = "超出预算"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A kind that is missing in the list, and the reason."""

    kind: str
    why: str


@dataclass(frozen=True, slots=True)
class OtherWay:
    """An alternative basket, and how it differs."""

    name: str
    total: Decimal
    explained: str


@dataclass(frozen=True, slots=True)
class QuickList:
    """The lines of a scenario for a number of people. `way` is set if it is not the recommended
    basket. Without lines, `needed` is the cost of the cheapest basket, if money is what is
    missing.
    """

    scenario: str
    way: str
    people: int
    budget: Decimal | None
    proposable: Proposable
    freight: Decimal
    left_out: tuple[LeftOut, ...]
    other_ways: tuple[OtherWay, ...]
    needed: Decimal | None

    @property
    def total(self) -> Decimal:
        """Goods and freight to the default address, in 元, 含税."""
        return self.proposable.total + self.freight


def quick_list(
    *,
    actor: Account,
    scenario: Scenario,
    people: int = PEOPLE,
    budget: Decimal | None = None,
    exclude: Sequence[str] = (),
    goal: Goal = Goal.BALANCED,
) -> QuickList:
    """Return the best basket for `goal` from the actor's catalogue. Kinds that exceed the budget
    are left out and named.
    """
    found = _planned(
        actor, scenario, ScenarioRequest(people, budget, code=scenario.code, exclude=tuple(exclude))
    )
    left_out = [LeftOut(item.kind.name, item.problem) for item in found.items if item.problem]
    if not found.plans and found.drop:
        left_out += [LeftOut(name, OVER_BUDGET) for name in found.drop]
        kept = tuple(
            _again(item)
            for item in found.items
            if not item.problem and item.kind.name not in found.drop
        )
        code = found.scenario.code if found.scenario else ""
        found = scenario_plan(
            actor=actor,
            request=ScenarioRequest(people, budget, code=code, kinds=kept, exclude=tuple(exclude)),
        )
    best = next((plan for plan in found.plans if plan.goal == goal), None)
    others = found.plans if goal == Goal.BALANCED else ()
    return QuickList(
        scenario=scenario.name,
        way="" if goal == Goal.BALANCED else NAMES[goal],
        people=people,
        budget=budget,
        proposable=cart_proposable(
            wishes=[(line.offer, line.quantity) for _, line in best.lines] if best else []
        ),
        freight=best.freight if best else ZERO,
        left_out=tuple(left_out),
        other_ways=tuple(_way(plan) for plan in others if plan.changed),
        needed=found.needed_budget,
    )


def _planned(actor: Account, scenario: Scenario, asked: ScenarioRequest) -> ScenarioPlan:
    """Return the plan of the staff's scenario, or of our own kinds if staff have none."""
    kinds = tuple(kind.asked(asked.heads) for kind in scenario.kinds)
    own = ScenarioRequest(asked.heads, asked.budget, kinds=kinds, exclude=asked.exclude)
    if not asked.code:
        return scenario_plan(actor=actor, request=own)
    try:
        return scenario_plan(actor=actor, request=asked)
    except ScenarioUnknown:
        return scenario_plan(actor=actor, request=own)


def _again(item: PlanItem) -> KindRequest:
    return KindRequest(
        item.kind.name, per_head=item.kind.per_head, fixed=item.kind.fixed, unit=item.kind.unit
    )


def _way(plan: Plan) -> OtherWay:
    return OtherWay(NAMES[plan.goal], plan.total, plan.explained)
