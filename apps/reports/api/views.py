"""/api/Report: the five reports and the values of their filters."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.pagination import page_of
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.reports.api.answers import page_answer, page_schema
from apps.reports.api.bodies import ReportNameSerializer, ReportQuerySerializer
from apps.reports.api.choices import ReportChoicesSerializer
from apps.reports.api.rights import RIGHTS
from apps.reports.enums import ReportName
from apps.reports.selectors.choices import choices_of
from apps.reports.selectors.question import allow_report
from apps.reports.selectors.reports import report_of

R = ReportName
PAGES = {name: page_schema(name) for name in R.values}


class ReportViewSet(MallViewSet):
    """Reports of the actor's data scope. Each report has its own menu code."""

    access = Access.menu("report")
    action_access = RIGHTS
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

    @extend_schema(parameters=[ReportNameSerializer], responses=ReportChoicesSerializer)
    @action(detail=False, methods=["get"], url_path="Filters", pagination_class=None)
    def filters(self, request: AuthedRequest) -> Response:
        """Return the values that the filters of one report offer."""
        name = ReportNameSerializer.parse(request)["Report"]
        allow_report(request.user, name)
        return Response(ReportChoicesSerializer.answer(choices_of(actor=request.user, report=name)))


def _page(request: AuthedRequest, name: str) -> Response:
    asked = ReportQuerySerializer.parse(request)
    index, size = page_of(request)
    report = report_of(
        actor=request.user,
        name=name,
        question=ReportQuerySerializer.question(asked),
        sort=asked["Sort"],
        page=slice((index - 1) * size, index * size),
        with_charts=asked["Charts"],
    )
    return Response(page_answer(report, index=index, size=size))
