"""/api/Report: the reports, the values of their filters, and /api/Report/Dimension: orders by cost
centre, project or accounting subject.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.pagination import parse_page
from apps.common.api.serializers import AnswerSerializer, MoneyField, PeriodFields, QuerySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.dimensions.enums import DimensionKind
from apps.documents.api import build_sheet_response
from apps.org.menus import MenuCode
from apps.reports.api.filters import ReportNameSerializer, ReportQuerySerializer
from apps.reports.api.report_answers import ReportChoicesSerializer, build_page_schema, page_answer
from apps.reports.enums import ReportName
from apps.reports.selectors.dimension_report import DimensionReport, get_dimension_report
from apps.reports.selectors.names import get_choices
from apps.reports.selectors.question import MENU_OF, allow_report
from apps.reports.selectors.reports import get_report

# Keys are the actions of the viewset: order, order_detail …
REPORT_ACCESS: dict[str, Access] = {
    name.name.lower(): Access.menu(MENU_OF[name]) for name in ReportName
}


R = ReportName
PAGES = {name: build_page_schema(name) for name in R.values}


class ReportViewSet(MallViewSet):
    """Reports of the actor's data scope. Each report has its own menu code."""

    access = Access.menu("report")
    action_access = REPORT_ACCESS
    serializer_class = ReportQuerySerializer

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.ORDER])
    @action(detail=False, methods=["get"], url_path="Order")
    def order(self, request: AuthedRequest) -> Response:
        """订单报表: one row per order."""
        return _answer_page(request, R.ORDER)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.ORDER_DETAIL])
    @action(detail=False, methods=["get"], url_path="OrderDetail")
    def order_detail(self, request: AuthedRequest) -> Response:
        """订单明细报表: one row per dated fact of an order line."""
        return _answer_page(request, R.ORDER_DETAIL)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.PRODUCT])
    @action(detail=False, methods=["get"], url_path="Product")
    def product(self, request: AuthedRequest) -> Response:
        """商品报表: one row per product, and one row for freight."""
        return _answer_page(request, R.PRODUCT)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.DEPARTMENT])
    @action(detail=False, methods=["get"], url_path="Department")
    def department(self, request: AuthedRequest) -> Response:
        """部门报表: one row per department."""
        return _answer_page(request, R.DEPARTMENT)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.PURCHASER])
    @action(detail=False, methods=["get"], url_path="Purchaser")
    def purchaser(self, request: AuthedRequest) -> Response:
        """采购人报表: one row per person."""
        return _answer_page(request, R.PURCHASER)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.BRAND])
    @action(detail=False, methods=["get"], url_path="Brand")
    def brand(self, request: AuthedRequest) -> Response:
        """品牌报表: one row per brand, and one row for freight."""
        return _answer_page(request, R.BRAND)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.SAVINGS])
    @action(detail=False, methods=["get"], url_path="Savings")
    def savings(self, request: AuthedRequest) -> Response:
        """节约与合规报表: one row per first-level category."""
        return _answer_page(request, R.SAVINGS)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.BUDGET])
    @action(detail=False, methods=["get"], url_path="Budget")
    def budget(self, request: AuthedRequest) -> Response:
        """预算执行报表: one row per budget, and one row for purchases without a budget."""
        return _answer_page(request, R.BUDGET)

    @extend_schema(parameters=[ReportNameSerializer], responses=ReportChoicesSerializer)
    @action(detail=False, methods=["get"], url_path="Filters", pagination_class=None)
    def filters(self, request: AuthedRequest) -> Response:
        """Return the values that the filters of one report offer."""
        name = ReportNameSerializer.parse(request)["Report"]
        allow_report(request.user, name)
        return Response(
            ReportChoicesSerializer.answer(get_choices(actor=request.user, report=name))
        )


def _answer_page(request: AuthedRequest, name: str) -> Response:
    query = ReportQuerySerializer.parse(request)
    index, size = parse_page(request)
    report = get_report(
        actor=request.user,
        name=name,
        question=ReportQuerySerializer.build_question(query),
        sort=query["Sort"],
        page=slice((index - 1) * size, index * size),
        with_charts=query["Charts"],
    )
    return Response(page_answer(report, index=index, size=size))


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
        return Response(DimensionReportSerializer.answer(_load_dimension_report(request)))

    @extend_schema(
        parameters=[DimensionReportQuerySerializer],
        responses={(200, XLSX_TYPE): OpenApiTypes.BINARY},
    )
    @action(detail=False, methods=["get"], url_path="Dimension/Export")
    def dimension_export(self, request: AuthedRequest) -> HttpResponse:
        """Return the rows as a spreadsheet, with the total as the last row."""
        report = _load_dimension_report(request)
        label = str(DimensionKind(report.kind).label)
        rows: list[tuple[Any, ...]] = [
            (row.code, row.name, row.orders, row.amount) for row in report.rows
        ]
        rows.append(("合计", "", report.orders, report.total))
        header = (f"{label}编码", f"{label}名称", "订单数", "金额（含税）")
        return build_sheet_response(f"核算报表-{label}.xlsx", header=header, rows=rows, sheet=label)


def _load_dimension_report(request: AuthedRequest) -> DimensionReport:
    query = DimensionReportQuerySerializer.parse(request)
    return get_dimension_report(
        actor=request.user, kind=query["Kind"], since=query["From"], until=query["To"]
    )
