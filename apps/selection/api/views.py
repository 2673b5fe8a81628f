"""/api/Product/Select: 一键选品 by wish list or by scenario. It only reads; AddToCart adds to the
cart.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.files import only_upload
from apps.common.api.parsers import BoundedJSONParser
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api import build_sheet_response
from apps.pricing.shared_serializers import CatalogueAnswer
from apps.selection.api import serializers as s
from apps.selection.api.serializers import CandidateSerializer
from apps.selection.selectors.products import Candidate
from apps.selection.selectors.scenario_plan import (
    Plan,
    PlanItem,
    ScenarioPlan,
    ScenarioRequest,
    scenario_plan,
)
from apps.selection.selectors.scenarios import list_offered_scenarios
from apps.selection.selectors.sheets import (
    HEADER,
    SheetLine,
    iterate_selection_rows,
    parse_wishes_of_file,
    parse_wishes_of_text,
)
from apps.selection.selectors.wish_list import WishAnswer, WishList, wish_list
from apps.selection.solver.model import AIMS, NAMES

BODIES = {
    "application/json": s.SelectBodySerializer,
    "multipart/form-data": {
        "type": "object",
        "properties": {"file": {"type": "string", "format": "binary"}},
    },
}


class ProductSelectViewSet(MallViewSet):
    """Select products for a wish list or for a scenario."""

    access = Access.login()
    serializer_class = s.SelectionSerializer
    pagination_class = None
    parser_classes = [BoundedJSONParser, MultiPartParser]

    @extend_schema(request=BODIES, responses=s.SelectionSerializer)
    @action(detail=False, methods=["post"], url_path="Select")
    def select(self, request: AuthedRequest) -> Response:
        """Return candidates for every line of a text or sheet, or baskets within the budget for
        a Scenario.
        """
        if request.FILES:
            return self._answer_wishes(request, parse_wishes_of_file(_parse_only_file(request)))
        body = s.SelectBodySerializer.parse(request)
        if "Text" in body:
            return self._answer_wishes(request, parse_wishes_of_text(body["Text"]))
        plan = scenario_plan(actor=request.user, request=build_scenario_request(body["Scenario"]))
        return CatalogueAnswer(build_scenario_body(plan), context=plan.context)

    @extend_schema(request=None, responses=s.SelectScenarioSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="SelectScenario")
    def scenarios(self, request: AuthedRequest) -> Response:
        """Return the scenarios of the form."""
        context, offered = list_offered_scenarios(actor=request.user)
        return CatalogueAnswer(s.SelectScenarioSerializer.serialize_all(offered), context=context)

    @extend_schema(
        request=s.SelectExportSerializer, responses={(200, XLSX_TYPE): OpenApiTypes.BINARY}
    )
    @action(detail=False, methods=["post"], url_path="Select/Export")
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return the lines as a sheet with current prices."""
        body = s.SelectExportSerializer.parse(request)
        lines = [
            SheetLine(line["Text"], line["ProductCode"], line.get("Quantity", 0))
            for line in body["Lines"]
        ]
        rows = iterate_selection_rows(actor=request.user, lines=lines)
        return build_sheet_response(
            f"一键选品-{timezone.localdate():%Y%m%d}.xlsx",
            header=HEADER,
            rows=rows,
            sheet="一键选品",
        )

    @staticmethod
    def _answer_wishes(request: AuthedRequest, wishes: Any) -> Response:
        answer = wish_list(actor=request.user, wishes=wishes)
        return CatalogueAnswer(build_wish_list_body(answer), context=answer.context)


def _parse_only_file(request: AuthedRequest) -> Any:
    upload = only_upload(request)
    if set(request.data) - set(request.FILES):
        raise serializers.ValidationError(
            {name: ["不支持的字段"] for name in sorted(set(request.data) - set(request.FILES))[:20]}
        )
    return upload


def build_scenario_request(body: dict[str, Any]) -> ScenarioRequest:
    """Return the request of a validated Scenario."""
    exclude = tuple(word.strip() for word in body["Exclude"] if word.strip())
    return ScenarioRequest(
        body["HeadCount"], body["Budget"], body["Code"].strip(), tuple(body["Kinds"]), exclude
    )


def build_wish_list_body(result: WishList) -> dict[str, Any]:
    """Return the answers to a wish list as JSON, with the amount of the chosen products in 元."""
    items = [
        _serialize_wish_item(number, answer) for number, answer in enumerate(result.answers, 1)
    ]
    return _answer_body(items, amount=f"{result.amount:.2f}")


def build_scenario_body(result: ScenarioPlan) -> dict[str, Any]:
    """Return the serialized baskets of a scenario. The selected lines of its items are those of
    the recommended basket.
    """
    plans = [_serialize_plan(plan) for plan in result.plans]
    best = plans[0] if plans else None
    main = {line["Item"]: line for line in reversed(best["Lines"])} if best else {}
    items = [
        _serialize_kind_item(number, item, main.get(number))
        for number, item in enumerate(result.items, 1)
    ]
    needed = None if result.needed_budget is None else f"{result.needed_budget:.2f}"
    body = _answer_body(items, amount=best["Goods"] if best else "0.00")
    return body | {
        "Plans": plans,
        "Message": result.message,
        "NeededBudget": needed,
        "Drop": list(result.drop),
    }


def _answer_body(items: list[dict[str, Any]], *, amount: str) -> dict[str, Any]:
    """Return the fields that a wish list and a scenario share. `amount` is in 元."""
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


def _serialize_wish_item(number: int, answer: WishAnswer) -> dict[str, Any]:
    """Return a line of the wish list with its candidates and the chosen one."""
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
        "Candidates": [_serialize_candidate(one) for one in answer.candidates],
        "Chosen": _serialize_choice(answer.chosen) if answer.chosen else None,
    }


def _serialize_kind_item(
    number: int, item: PlanItem, chosen: dict[str, Any] | None
) -> dict[str, Any]:
    """Return a kind of the scenario in the same fields as a line of a wish list."""
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
        "Candidates": [_serialize_candidate(one) for one in item.candidates],
        "Chosen": {key: chosen[key] for key in ("ProductCode", "Quantity", "Amount")}
        if chosen
        else None,
    }


def _serialize_plan(plan: Plan) -> dict[str, Any]:
    """Return a basket with its lines, its amounts in 元, and how it differs from the recommended
    one.
    """
    return {
        "Goal": plan.goal.value,
        "Name": NAMES[plan.goal],
        "Aim": AIMS[plan.goal],
        "Lines": [
            {
                "Item": kind_index + 1,
                **_serialize_choice(line),
                "Product": _serialize_candidate(line),
            }
            for kind_index, line in plan.lines
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


def _serialize_choice(candidate: Candidate) -> dict[str, Any]:
    return {
        "ProductCode": candidate.offer.product.code,
        "Quantity": candidate.quantity,
        "Amount": f"{candidate.amount:.2f}",
    }


def _serialize_candidate(candidate: Candidate) -> dict[str, Any]:
    return CandidateSerializer().to_representation(candidate)
