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
from apps.common.api.parsers import BoundedJSONParser
from apps.common.api.uploads import only_upload
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api.sheets import sheet_response
from apps.pricing.shared_serializers import CatalogueAnswer
from apps.selection.api import selection as s
from apps.selection.api import selection_answers as a
from apps.selection.selectors.scenario_plan import scenario_plan
from apps.selection.selectors.scenarios import scenarios_offered
from apps.selection.selectors.selection_sheet import HEADER, SheetLine, selection_rows
from apps.selection.selectors.wish_list import wish_list
from apps.selection.selectors.wish_sources import wishes_of_file, wishes_of_text

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
            return self._wishes(request, wishes_of_file(_only_file(request)))
        body = s.SelectBodySerializer.parse(request)
        if "Text" in body:
            return self._wishes(request, wishes_of_text(body["Text"]))
        found = scenario_plan(actor=request.user, asked=a.scenario_asked(body["Scenario"]))
        return CatalogueAnswer(a.scenario_body(found), context=found.context)

    @extend_schema(request=None, responses=s.SelectScenarioSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="SelectScenario")
    def scenarios(self, request: AuthedRequest) -> Response:
        """Return the scenarios of the form."""
        context, offered = scenarios_offered(actor=request.user)
        return CatalogueAnswer(s.SelectScenarioSerializer.answers(offered), context=context)

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
        rows = selection_rows(actor=request.user, lines=lines)
        return sheet_response(
            f"一键选品-{timezone.localdate():%Y%m%d}.xlsx",
            header=HEADER,
            rows=rows,
            sheet="一键选品",
        )

    @staticmethod
    def _wishes(request: AuthedRequest, wishes: Any) -> Response:
        found = wish_list(actor=request.user, wishes=wishes)
        return CatalogueAnswer(a.wish_list_body(found), context=found.context)


def _only_file(request: AuthedRequest) -> Any:
    upload = only_upload(request)
    if set(request.data) - set(request.FILES):
        raise serializers.ValidationError(
            {name: ["不支持的字段"] for name in sorted(set(request.data) - set(request.FILES))[:20]}
        )
    return upload
