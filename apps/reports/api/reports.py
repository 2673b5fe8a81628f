"""/api/Report: the reports and the values of their filters."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.pagination import page_of
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.reports.api.filters import ReportNameSerializer, ReportQuerySerializer
from apps.reports.api.report_answers import ReportChoicesSerializer, page_answer, page_schema
from apps.reports.enums import ReportName
from apps.reports.selectors.choices import get_choices
from apps.reports.selectors.question import MENU_OF, allow_report
from apps.reports.selectors.reports import get_report

# Keys are the actions of the viewset: order, order_detail …
REPORT_ACCESS: dict[str, Access] = {
    name.name.lower(): Access.menu(MENU_OF[name]) for name in ReportName
}


R = ReportName
PAGES = {name: page_schema(name) for name in R.values}


class ReportViewSet(MallViewSet):
    """Reports of the actor's data scope. Each report has its own menu code."""

    access = Access.menu("report")
    action_access = REPORT_ACCESS
    serializer_class = ReportQuerySerializer

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.ORDER])
    @action(detail=False, methods=["get"], url_path="Order")
    def order(self, request: AuthedRequest) -> Response:
        """订单报表: one row per order."""
        return _page(request, R.ORDER)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.ORDER_DETAIL])
    @action(detail=False, methods=["get"], url_path="OrderDetail")
    def order_detail(self, request: AuthedRequest) -> Response:
        """订单明细报表: one row per dated fact of an order line."""
        return _page(request, R.ORDER_DETAIL)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.PRODUCT])
    @action(detail=False, methods=["get"], url_path="Product")
    def product(self, request: AuthedRequest) -> Response:
        """商品报表: one row per product, and one row for freight."""
        return _page(request, R.PRODUCT)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.DEPARTMENT])
    @action(detail=False, methods=["get"], url_path="Department")
    def department(self, request: AuthedRequest) -> Response:
        """部门报表: one row per department."""
        return _page(request, R.DEPARTMENT)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.PURCHASER])
    @action(detail=False, methods=["get"], url_path="Purchaser")
    def purchaser(self, request: AuthedRequest) -> Response:
        """采购人报表: one row per person."""
        return _page(request, R.PURCHASER)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.BRAND])
    @action(detail=False, methods=["get"], url_path="Brand")
    def brand(self, request: AuthedRequest) -> Response:
        """品牌报表: one row per brand, and one row for freight."""
        return _page(request, R.BRAND)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.SAVINGS])
    @action(detail=False, methods=["get"], url_path="Savings")
    def savings(self, request: AuthedRequest) -> Response:
        """节约与合规报表: one row per first-level category."""
        return _page(request, R.SAVINGS)

    @extend_schema(parameters=[ReportQuerySerializer], responses=PAGES[R.BUDGET])
    @action(detail=False, methods=["get"], url_path="Budget")
    def budget(self, request: AuthedRequest) -> Response:
        """预算执行报表: one row per budget, and one row for purchases without a budget."""
        return _page(request, R.BUDGET)

    @extend_schema(parameters=[ReportNameSerializer], responses=ReportChoicesSerializer)
    @action(detail=False, methods=["get"], url_path="Filters", pagination_class=None)
    def filters(self, request: AuthedRequest) -> Response:
        """Return the values that the filters of one report offer."""
        name = ReportNameSerializer.parse(request)["Report"]
        allow_report(request.user, name)
        return Response(
            ReportChoicesSerializer.answer(get_choices(actor=request.user, report=name))
        )


def _page(request: AuthedRequest, name: str) -> Response:
    query = ReportQuerySerializer.parse(request)
    index, size = page_of(request)
    report = get_report(
        actor=request.user,
        name=name,
        question=ReportQuerySerializer.question(query),
        sort=query["Sort"],
        page=slice((index - 1) * size, index * size),
        with_charts=query["Charts"],
    )
    return Response(page_answer(report, index=index, size=size))
