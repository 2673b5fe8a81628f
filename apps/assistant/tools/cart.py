"""Tools that read the cart and prepare proposals. No tool adds to the cart; only the person's
click does (services/conversation).

Quick lists (meeting, welcome kit, tea room) are proposals that the solver of 一键选品 computes,
never above the budget. The scenarios are the words that name a list, and its kinds of products if
staff have no scenario with that code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.assistant.answers import ProposedLine
from apps.cart.selectors.cart import CartView, get_cart
from apps.cart.selectors.problems import find_line_problem
from apps.common.money import ZERO
from apps.common.quantity import MAX_QUANTITY, get_last_legal_quantity, get_next_legal_quantity
from apps.pricing.selectors.offers import Offer
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


@dataclass(frozen=True, slots=True)
class ProposableLines:
    """Lines that can be bought, and remarks about changed or omitted lines."""

    lines: tuple[ProposedLine, ...]
    remarks: tuple[str, ...]

    @property
    def total(self) -> Decimal:
        """The cost of the lines in 元, 含税, without freight."""
        return sum(
            (line.offer.get_price_for(line.quantity) * line.quantity for line in self.lines),
            Decimal("0.00"),
        )


def cart_lookup(*, actor: Account) -> CartView:
    """Return the actor's cart at today's prices."""
    return get_cart(actor=actor)


def proposal_prepare(*, wishes: Iterable[tuple[Offer, int]]) -> ProposableLines:
    """Return the wishes as lines with legal quantities within the stock, and a remark for each
    change.
    """
    lines: list[ProposedLine] = []
    remarks: list[str] = []
    for offer, requested in wishes:
        product = offer.product
        bounds = {"minimum": product.min_quantity, "step": product.step_quantity}
        quantity = get_next_legal_quantity(max(1, requested), **bounds)
        if offer.available < quantity:
            quantity = get_last_legal_quantity(max(offer.available, 0), **bounds)
        problem = find_line_problem(offer, quantity)
        if problem is not None:
            remarks.append(f"**{offer.name}** {problem.message}，没有列入")
            continue
        if quantity != requested:
            remarks.append(_find_quantity_remark(offer, requested, quantity))
        lines.append(ProposedLine(offer, quantity))
    return ProposableLines(tuple(lines), tuple(remarks))


def _find_quantity_remark(offer: Offer, requested_quantity: int, sale_quantity: int) -> str:
    """Return why the proposed quantity is not the requested one: the maximum, the stock, or the
    minimum and step.
    """
    name, unit = offer.name, offer.product.unit
    if requested_quantity > MAX_QUANTITY:
        return f"**{name}** 单次最多购买 {MAX_QUANTITY} {unit}，数量改为 {sale_quantity} {unit}"
    if sale_quantity < requested_quantity:
        return f"**{name}** 库存只有 {offer.available} {unit}，数量改为 {sale_quantity} {unit}"
    minimum, step = offer.product.min_quantity, offer.product.step_quantity
    return (
        f"**{name}** 的起订量 {minimum} {unit}、增量 {step} {unit}，"
        f"数量由 {requested_quantity} 调整为 {sale_quantity} {unit}"
    )


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of product: quantity per head, and a minimum in total. `unit` None means the unit that
    staff use for the kind.
    """

    name: str
    per_head: float
    minimum: int = 1
    unit: str | None = None

    def build_request(self, people: int) -> KindRequest:
        """Return the kind with the quantity for `people` people."""
        return KindRequest(
            self.name,
            per_head=Decimal(0),
            fixed=max(self.minimum, math.ceil(self.per_head * people)),
            unit=self.unit,
        )


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario: its name, the pattern that recognises it, its kinds, and the code of the staff's
    scenario (选品场景), if any.
    """

    name: str
    pattern: re.Pattern[str]
    kinds: tuple[Kind, ...]
    code: str = ""


PENS, BOOKS, NOTES = "中性笔", "笔记本", "便利贴"
SCENARIOS = (
    Scenario(
        "入职礼包",
        re.compile("入职|新员工|新同事|新人|迎新"),
        (
            Kind(BOOKS, 1),
            Kind(PENS, 2),
            Kind("马克杯", 1),
            Kind("文件袋", 1),
            Kind(NOTES, 1),
            Kind("鼠标垫", 1),
        ),
        "onboarding",
    ),
    Scenario(
        "节日福利",
        re.compile("福利|中秋|端午|春节|年货|节日|过节"),
        (
            Kind("坚果", 1, unit="罐/袋/盒/包"),
            Kind("糖果巧克力", 1, unit="袋/罐/盒"),
            Kind("毛巾", 2, unit="条"),
            Kind("抽纸", 10, unit="包"),
        ),
        "festival",
    ),
    Scenario(
        "培训用品",
        re.compile("培训|讲座|授课"),
        (
            Kind(BOOKS, 1),
            Kind(PENS, 1),
            Kind("白板笔", 0.2, 2),
            Kind(NOTES, 0.2, 2),
            Kind("饮用水", 2, unit="瓶"),
            Kind("文件袋", 1),
        ),
    ),
    Scenario(
        "会议用品",
        re.compile("会议|开会|研讨|年会|座谈"),
        (
            Kind(BOOKS, 1),
            Kind(PENS, 1),
            Kind("饮用水", 2, unit="瓶"),
            Kind("白板笔", 0.2, 2),
            Kind(NOTES, 0.2, 2),
            Kind("台卡台签", 1),
        ),
        "meeting",
    ),
    Scenario(
        "打印耗材",
        re.compile("耗材|打印用品|硒鼓.*墨盒|复印纸.*硒鼓"),
        (
            Kind("A4 复印纸", 1, 5, "包"),
            Kind("黑色硒鼓", 0.2, 2),
            Kind("墨盒", 0.2, 2),
            Kind("标签纸", 0.1, 1, "包"),
        ),
        "printing",
    ),
    Scenario(
        "清洁用品",
        re.compile("清洁|保洁|打扫|卫生间|洗手间"),
        (
            Kind("抽纸", 1, unit="包"),
            Kind("洗手液", 0.2, 2),
            Kind("擦手纸", 0.5, 4, "包"),
            Kind("抹布", 0.2, 2),
            Kind("垃圾袋", 0.5, 4, "卷/包"),
            Kind("消毒液", 0.1, 1),
        ),
    ),
    Scenario(
        "茶水间补货",
        re.compile("茶水间|茶歇|下午茶|零食补货|茶点"),
        (
            Kind("袋泡茶", 0.1, 2, "盒"),
            Kind("速溶咖啡", 0.1, 2, "盒"),
            Kind("饮用水", 2, 12, "瓶"),
            Kind("纸杯", 5, 50, "只"),
            Kind("饼干", 0.5, 4, "包"),
        ),
    ),
    Scenario(
        "办公文具",
        re.compile("文具|办公用品|办公室|开业|新店|新公司"),
        (
            Kind(PENS, 2),
            Kind(BOOKS, 1),
            Kind("订书机", 0.2, 1),
            Kind("订书钉", 0.2, 1, "盒"),
            Kind("单强力文件夹", 2),
            Kind("剪刀", 0.2, 1),
            Kind("透明胶带", 0.4, 2, "卷/个"),
            Kind(NOTES, 1),
        ),
    ),
)


def find_scenario(text: str) -> Scenario | None:
    """Return the scenario that a text names, or None."""
    return next((scenario for scenario in SCENARIOS if scenario.pattern.search(text)), None)


DEFAULT_PEOPLE = 10
OVER_BUDGET = "超出预算"


@dataclass(frozen=True, slots=True)
class OmittedKind:
    """A kind that is missing in the list, and the reason."""

    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Alternative:
    """An alternative basket, and how it differs."""

    name: str
    total: Decimal
    difference: str


@dataclass(frozen=True, slots=True)
class QuickList:
    """The lines of a scenario for a number of people. `goal_name` is "" for the recommended basket.

    If the budget is too small for any basket, there are no lines, and `minimum_budget` is the cost
    of the cheapest basket. Otherwise `minimum_budget` is None.
    """

    scenario: str
    goal_name: str
    people: int
    budget: Decimal | None
    proposable: ProposableLines
    freight: Decimal
    omitted: tuple[OmittedKind, ...]
    alternatives: tuple[Alternative, ...]
    minimum_budget: Decimal | None

    @property
    def total(self) -> Decimal:
        """Goods and freight to the default address, in 元, 含税."""
        return self.proposable.total + self.freight


def quick_list(
    *,
    actor: Account,
    scenario: Scenario,
    people: int = DEFAULT_PEOPLE,
    budget: Decimal | None = None,
    exclude: Sequence[str] = (),
    goal: Goal = Goal.BALANCED,
) -> QuickList:
    """Return the best basket for `goal` from the actor's catalogue. Kinds that exceed the budget
    are left out and named.
    """
    plan = _plan_scenario(
        actor, scenario, ScenarioRequest(people, budget, code=scenario.code, exclude=tuple(exclude))
    )
    omitted = [OmittedKind(item.kind.name, item.problem) for item in plan.items if item.problem]
    if not plan.plans and plan.drop:
        omitted += [OmittedKind(name, OVER_BUDGET) for name in plan.drop]
        kept_kinds = tuple(
            _build_kind_request(item)
            for item in plan.items
            if not item.problem and item.kind.name not in plan.drop
        )
        code = plan.scenario.code if plan.scenario else ""
        plan = scenario_plan(
            actor=actor,
            request=ScenarioRequest(
                people, budget, code=code, kinds=kept_kinds, exclude=tuple(exclude)
            ),
        )
    best = next((option for option in plan.plans if option.goal == goal), None)
    others = plan.plans if goal == Goal.BALANCED else ()
    return QuickList(
        scenario=scenario.name,
        goal_name="" if goal == Goal.BALANCED else NAMES[goal],
        people=people,
        budget=budget,
        proposable=proposal_prepare(
            wishes=[(line.offer, line.quantity) for _, line in best.lines] if best else []
        ),
        freight=best.freight if best else ZERO,
        omitted=tuple(omitted),
        alternatives=tuple(_build_alternative(other) for other in others if other.changed),
        minimum_budget=plan.needed_budget,
    )


def _plan_scenario(actor: Account, scenario: Scenario, request: ScenarioRequest) -> ScenarioPlan:
    """Return the plan of the staff's scenario, or of our own kinds if staff have none."""
    kinds = tuple(kind.build_request(request.heads) for kind in scenario.kinds)
    own = ScenarioRequest(request.heads, request.budget, kinds=kinds, exclude=request.exclude)
    if not request.code:
        return scenario_plan(actor=actor, request=own)
    try:
        return scenario_plan(actor=actor, request=request)
    except ScenarioUnknown:
        return scenario_plan(actor=actor, request=own)


def _build_kind_request(item: PlanItem) -> KindRequest:
    return KindRequest(
        item.kind.name, per_head=item.kind.per_head, fixed=item.kind.fixed, unit=item.kind.unit
    )


def _build_alternative(plan: Plan) -> Alternative:
    return Alternative(NAMES[plan.goal], plan.total, plan.explained)
