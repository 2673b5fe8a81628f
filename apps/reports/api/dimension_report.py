"""/api/Report/Dimension: orders by cost centre, project or accounting subject."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.serializers import AnswerSerializer, MoneyField, PeriodFields, QuerySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.dimensions.enums import DimensionKind
from apps.documents.api import sheet_response
from apps.org.menus import MenuCode
from apps.reports.selectors.dimension_report import DimensionReport, get_dimension_report


class DimensionReportQuerySerializer(PeriodFields, QuerySerializer):
    Kind = serializers.ChoiceField(
        choices=DimensionKind.choices, required=False, default=DimensionKind.COST_CENTER
    )


class DimensionReportRowSerializer(AnswerSerializer):
    Code = serializers.CharField(source="code", help_text="空为没有该类核算项的金额")
    Name = serializers.CharField(source="name")
    Orders = serializers.IntegerField(source="orders")
    Amount = MoneyField(source="amount", max_digits=20)


class DimensionReportSerializer(AnswerSerializer):
    Kind = serializers.ChoiceField(choices=DimensionKind.choices, source="kind")
    Rows = DimensionReportRowSerializer(source="rows", many=True)
    Orders = serializers.IntegerField(source="orders", help_text="期间内的订单数")
    Total = MoneyField(source="total", max_digits=20, help_text="期间内的订单金额，等于各行之和")


class DimensionReportViewSet(MallViewSet):
    """核算报表 of the actor's data scope of 部门报表."""

    access = Access.menu(MenuCode.REPORT_DEPARTMENT)
    serializer_class = DimensionReportSerializer
    pagination_class = None

    @extend_schema(parameters=[DimensionReportQuerySerializer], responses=DimensionReportSerializer)
    @action(detail=False, methods=["get"], url_path="Dimension")
    def dimension(self, request: AuthedRequest) -> Response:
        """Return one row per dimension."""
        return Response(DimensionReportSerializer.answer(_report(request)))

    @extend_schema(
        parameters=[DimensionReportQuerySerializer],
        responses={(200, XLSX_TYPE): OpenApiTypes.BINARY},
    )
    @action(detail=False, methods=["get"], url_path="Dimension/Export")
    def dimension_export(self, request: AuthedRequest) -> HttpResponse:
        """Return the rows as a spreadsheet, with the total as the last row."""
        report = _report(request)
        label = str(DimensionKind(report.kind).label)
        rows: list[tuple[Any, ...]] = [
            (row.code, row.name, row.orders, row.amount) for row in report.rows
        ]
        rows.append(("合计", "", report.orders, report.total))
        header = (f"{label}编码", f"{label}名称", "订单数", "金额（含税）")
        return sheet_response(f"核算报表-{label}.xlsx", header=header, rows=rows, sheet=label)


def _report(request: AuthedRequest) -> DimensionReport:
    query = DimensionReportQuerySerializer.parse(request)
    return get_dimension_report(
        actor=request.user, kind=query["Kind"], since=query["From"], until=query["To"]
    )
