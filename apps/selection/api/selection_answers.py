"""Converts between the serializers of selection.py and the selectors of 一键选品."""

from __future__ import annotations

from typing import Any

from apps.selection.api.selection import CandidateSerializer
from apps.selection.selectors.scenario_plan import Plan, PlanItem, ScenarioAsked, ScenarioPlan
from apps.selection.selectors.selection_products import Candidate
from apps.selection.selectors.wish_list import WishAnswer, WishList
from apps.selection.solver.difference import AIMS, NAMES


def scenario_asked(body: dict[str, Any]) -> ScenarioAsked:
    """Return the request of a validated Scenario."""
    exclude = tuple(word.strip() for word in body["Exclude"] if word.strip())
    return ScenarioAsked(
        body["HeadCount"], body["Budget"], body["Code"].strip(), tuple(body["Kinds"]), exclude
    )


def wish_list_body(found: WishList) -> dict[str, Any]:
    """Return the serialized wish list."""
    items = [_wish_item(number, answer) for number, answer in enumerate(found.answers, 1)]
    return _body(items, amount=f"{found.amount:.2f}")


def scenario_body(found: ScenarioPlan) -> dict[str, Any]:
    """Return the serialized baskets of a scenario. The selected lines of its items are those of
    the recommended basket.
    """
    plans = [_plan(plan) for plan in found.plans]
    best = plans[0] if plans else None
    main = {line["Item"]: line for line in reversed(best["Lines"])} if best else {}
    items = [
        _kind_item(number, item, main.get(number)) for number, item in enumerate(found.items, 1)
    ]
    needed = None if found.needed_budget is None else f"{found.needed_budget:.2f}"
    body = _body(items, amount=best["Goods"] if best else "0.00")
    return body | {
        "Plans": plans,
        "Message": found.message,
        "NeededBudget": needed,
        "Drop": list(found.drop),
    }


def _body(items: list[dict[str, Any]], *, amount: str) -> dict[str, Any]:
    totals = {
        "Lines": len(items),
        "Chosen": sum(item["Chosen"] is not None for item in items),
        "Amount": amount,
    }
    return {
        "Items": items,
        "Totals": totals,
        "Plans": [],
        "Message": "",
        "NeededBudget": None,
        "Drop": [],
    }


def _wish_item(number: int, answer: WishAnswer) -> dict[str, Any]:
    wish = answer.wish
    return {
        "No": number,
        "Text": wish.text,
        "Words": wish.words,
        "Quantity": wish.quantity,
        "Unit": wish.unit,
        "MaxPrice": None if wish.max_price is None else f"{wish.max_price:.2f}",
        "Status": answer.status,
        "Message": answer.message,
        "Near": list(answer.near),
        "Candidates": [_candidate(one) for one in answer.candidates],
        "Chosen": _chosen(answer.chosen) if answer.chosen else None,
    }


def _kind_item(number: int, item: PlanItem, chosen: dict[str, Any] | None) -> dict[str, Any]:
    return {
        "No": number,
        "Text": item.kind.name,
        "Words": item.kind.name,
        "Quantity": item.needed,
        "Unit": item.kind.unit.split("/")[0],
        "MaxPrice": None,
        "Status": "none" if item.problem else "matched",
        "Message": item.problem,
        "Near": [],
        "Candidates": [_candidate(one) for one in item.candidates],
        "Chosen": {key: chosen[key] for key in ("ProductCode", "Quantity", "Amount")}
        if chosen
        else None,
    }


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "Goal": plan.goal.value,
        "Name": NAMES[plan.goal],
        "Aim": AIMS[plan.goal],
        "Lines": [
            {"Item": place + 1, **_chosen(line), "Product": _candidate(line)}
            for place, line in plan.lines
        ],
        "Goods": f"{plan.goods:.2f}",
        "Freight": f"{plan.freight:.2f}",
        "Total": f"{plan.total:.2f}",
        "Left": f"{plan.left:.2f}",
        "Brands": list(plan.brands),
        "IsSame": plan.goal.value != "best" and not plan.changed,
        "Difference": plan.explained,
        "Changed": list(plan.changed),
    }


def _chosen(candidate: Candidate) -> dict[str, Any]:
    return {
        "ProductCode": candidate.offer.product.code,
        "Quantity": candidate.quantity,
        "Amount": f"{candidate.amount:.2f}",
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return CandidateSerializer().to_representation(candidate)
