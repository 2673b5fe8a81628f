"""Replies with the quick list of a scenario, and its changes in later turns. No reply adds to the
cart.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from apps.assistant.answers import Delta, Event, Link, Links, Proposal, Remember, Working
from apps.assistant.embedded.question import Question
from apps.assistant.embedded.reading import WAYS, previous_list
from apps.assistant.embedded.replies.buying import CONSENT
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.tools.lists import PEOPLE, QuickList, quick_list
from apps.assistant.tools.scenarios import scenario_of
from apps.common.money import yuan_text
from apps.selection.solver.model import Goal

LIST = "quick_list"
SELECT = Link("一键选品", "/product/select")
MOST_PEOPLE = 5000


def make_list(question: Question) -> Iterator[Event]:
    """Propose the list of the named scenario. Values that the question leaves open are taken from
    the previous list.
    """
    reading = question.reading
    yield Working(LIST, "正在按人数和预算配清单")
    named = scenario_of(reading.text)
    before = {} if named else previous_list(question.turns)
    scenario = named or scenario_of(before.get("scenario", ""))
    if scenario is None:
        return
    people = min(reading.people or before.get("people") or PEOPLE, MOST_PEOPLE)
    budget = reading.limit(people) if reading.limit(people) is not None else _kept_budget(before)
    excluded = [*before.get("excluded", []), *reading.excluded]
    goal = (
        next((goal for said, goal in WAYS if said.search(reading.text)), Goal.BALANCED)
        if before
        else Goal.BALANCED
    )
    made = quick_list(
        actor=question.actor,
        scenario=scenario,
        people=people,
        budget=budget,
        exclude=excluded,
        goal=goal,
    )
    yield Delta("\n\n".join(_told(made, is_guess=not (reading.people or before))))
    if made.proposable.lines:
        yield Proposal(made.proposable.lines)
    kept = {
        "scenario": scenario.name,
        "people": people,
        "budget": None if budget is None else str(budget),
        "excluded": excluded,
    }
    yield Remember({"list": kept})
    yield Links((SELECT,))


def _kept_budget(before: dict[str, Any]) -> Decimal | None:
    return Decimal(before["budget"]) if before.get("budget") else None


def _told(made: QuickList, *, is_guess: bool) -> list[str]:
    """Return the description of a list: number of people, cost, missing kinds, alternatives."""
    left_out = (
        "没有列入："
        + "；".join(
            f"{escape_markdown(one.kind)}（{escape_markdown(one.why)}）" for one in made.left_out
        )
        + "。"
        if made.left_out
        else ""
    )
    if not made.proposable.lines:
        least = f"最低需要 {yuan_text(made.needed)}（含运费），" if made.needed is not None else ""
        parts = [
            f"在您的采购目录和这个预算里配不出“{made.scenario}”。{least}请提高预算或减少人数再试。",
            left_out,
        ]
        return [part for part in parts if part]
    way = f"（{made.way}）" if made.way else ""
    within = f"，预算 {yuan_text(made.budget)}" if made.budget is not None else ""
    left = f"，余 {yuan_text(made.budget - made.total)}" if made.budget is not None else ""
    freight = f"含运费 {yuan_text(made.freight)}" if made.freight else "免运费"
    parts = [
        f"{made.people} 人“{made.scenario}”{way}{within}：",
        (
            f"为您列出 {len(made.proposable.lines)} 种商品，合计 **{yuan_text(made.total)}"
            f"**（{freight}）{left}。"
        ),
        f"您没有说人数，先按 {made.people} 人配，可以接着说“按 20 人配”。" if is_guess else "",
        left_out,
        _ways(made),
        CONSENT,
    ]
    return [part for part in parts if part]


def _ways(made: QuickList) -> str:
    if not made.other_ways:
        return ""
    rows = [
        f"- **{way.name}**：合计 {yuan_text(way.total)}，{escape_markdown(way.explained)}"
        for way in made.other_ways
    ]
    return "\n".join([f"也可以换一种配法，说“{made.other_ways[0].name}的方案”即可：", "", *rows])
