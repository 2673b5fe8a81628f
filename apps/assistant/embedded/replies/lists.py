"""Replies with the basket list of a scenario, and its changes in later turns. No reply adds to the
cart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from apps.assistant.answers import Delta, Event, Link, Links, Proposal, Remember, Working
from apps.assistant.embedded.question import Question, get_previous_list
from apps.assistant.embedded.replies.proposals import CONSENT
from apps.assistant.embedded.replies.wording import escape_markdown
from apps.assistant.tools.cart import DEFAULT_PEOPLE, QuickList, find_scenario, quick_list
from apps.common.money import format_yuan
from apps.selection.solver.model import Goal

LIST = "quick_list"
SELECT = Link("一键选品", "/product/select")
MAX_PEOPLE = 5000
GOALS = (
    (re.compile(r"更省|便宜|省钱|最省"), Goal.CHEAPEST),
    (re.compile(r"更?知名|大牌|名牌"), Goal.KNOWN),
    (re.compile(r"品牌更?少"), Goal.FEW_BRANDS),
)


def propose_list(question: Question) -> Iterator[Event]:
    """Propose the list of the named scenario. Values that the question leaves open are taken from
    the previous list.
    """
    slots = question.slots
    yield Working(LIST, "正在按人数和预算配清单")
    named_scenario = find_scenario(slots.text)
    previous_list = {} if named_scenario else get_previous_list(question.turns)
    scenario = named_scenario or find_scenario(previous_list.get("scenario", ""))
    if scenario is None:
        return
    people = min(slots.heads or previous_list.get("people") or DEFAULT_PEOPLE, MAX_PEOPLE)
    budget = (
        slots.get_spending_limit(people)
        if slots.get_spending_limit(people) is not None
        else _get_previous_budget(previous_list)
    )
    excluded = [*previous_list.get("excluded", []), *slots.excluded]
    goal = next((goal for pattern, goal in GOALS if pattern.search(slots.text)), Goal.BALANCED)
    basket = quick_list(
        actor=question.actor,
        scenario=scenario,
        people=people,
        budget=budget,
        exclude=excluded,
        goal=goal,
    )
    yield Delta("\n\n".join(_list_texts(basket, is_guess=not (slots.heads or previous_list))))
    if basket.proposable.lines:
        yield Proposal(basket.proposable.lines)
    list_facts = {
        "scenario": scenario.name,
        "people": people,
        "budget": None if budget is None else str(budget),
        "excluded": excluded,
    }
    yield Remember({"list": list_facts})
    yield Links((SELECT,))


def _get_previous_budget(previous_list: dict[str, Any]) -> Decimal | None:
    return Decimal(previous_list["budget"]) if previous_list.get("budget") else None


def _list_texts(basket: QuickList, *, is_guess: bool) -> list[str]:
    """Return the description of a list: number of people, cost, missing kinds, alternatives."""
    omitted_text = (
        "没有列入："
        + "；".join(
            f"{escape_markdown(omission.kind)}（{escape_markdown(omission.reason)}）"
            for omission in basket.omitted
        )
        + "。"
        if basket.omitted
        else ""
    )
    if not basket.proposable.lines:
        minimum_text = (
            f"最低需要 {format_yuan(basket.minimum_budget)}（含运费），"
            if basket.minimum_budget is not None
            else ""
        )
        parts = [
            f"在您的采购目录和这个预算里配不出“{basket.scenario}”。{minimum_text}"
            "请提高预算或减少人数再试。",
            omitted_text,
        ]
        return [part for part in parts if part]
    goal_text = f"（{basket.goal_name}）" if basket.goal_name else ""
    budget_text = f"，预算 {format_yuan(basket.budget)}" if basket.budget is not None else ""
    rest_text = (
        f"，余 {format_yuan(basket.budget - basket.total)}" if basket.budget is not None else ""
    )
    freight = f"含运费 {format_yuan(basket.freight)}" if basket.freight else "免运费"
    parts = [
        f"{basket.people} 人“{basket.scenario}”{goal_text}{budget_text}：",
        (
            f"为您列出 {len(basket.proposable.lines)} 种商品，合计 **{format_yuan(basket.total)}"
            f"**（{freight}）{rest_text}。"
        ),
        f"您没有说人数，先按 {basket.people} 人配，可以接着说“按 20 人配”。" if is_guess else "",
        omitted_text,
        _format_alternatives(basket),
        CONSENT,
    ]
    return [part for part in parts if part]


def _format_alternatives(basket: QuickList) -> str:
    """Return the other ways to fill the basket as a Markdown list, with their total in 元. ""
    without any.
    """
    if not basket.alternatives:
        return ""
    rows = [
        f"- **{alternative.name}**：合计 {format_yuan(alternative.total)}，"
        f"{escape_markdown(alternative.difference)}"
        for alternative in basket.alternatives
    ]
    return "\n".join(
        [f"也可以换一种配法，说“{basket.alternatives[0].name}的方案”即可：", "", *rows]
    )
