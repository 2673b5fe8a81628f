"""POST /api/Report/{Name}/Export: a report as an Excel file, with its filters on the cover
sheet.
"""

from __future__ import annotations

import io

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action

from apps.common.api.access import Access
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.errors import ValidationFailed
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api.sheets import attachment_response
from apps.reports.api.bodies import SORTS, ReportFilterSerializer
from apps.reports.api.rights import RIGHTS
from apps.reports.enums import ReportName
from apps.reports.selectors.sheets import report_sheet
from apps.reports.services.sheet_write import sheet_write

R = ReportName
# Limit of rows for a direct download. A worker writes larger exports (jobs.py).
MOST_ROWS = 5_000


class ReportExportSerializer(ReportFilterSerializer, BodySerializer):
    """The filters and the sort order of the page."""

    Sort = serializers.ChoiceField(SORTS, required=False, allow_blank=True, default="")


ANSWER = {(200, XLSX_TYPE): OpenApiTypes.BINARY}


class ReportExportViewSet(MallViewSet):
    """An Excel file of the actor's data scope: rows and totals, with the filters on a cover
    sheet.
    """

    access = Access.menu("report")
    action_access = RIGHTS
    serializer_class = ReportExportSerializer
    pagination_class = None

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Order/Export")
    def order(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 订单报表."""
        return _sheet(request, R.ORDER)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="OrderDetail/Export")
    def order_detail(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 订单明细报表."""
        return _sheet(request, R.ORDER_DETAIL)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Product/Export")
    def product(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 商品报表."""
        return _sheet(request, R.PRODUCT)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Department/Export")
    def department(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 部门报表."""
        return _sheet(request, R.DEPARTMENT)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Purchaser/Export")
    def purchaser(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 采购人报表."""
        return _sheet(request, R.PURCHASER)


def _sheet(request: AuthedRequest, name: str) -> HttpResponse:
    body = ReportExportSerializer.parse(request)
    sheet = report_sheet(
        actor=request.user,
        name=name,
        question=ReportExportSerializer.question(body),
        sort=body["Sort"],
    )
    if sheet.total > MOST_ROWS:
        advice = "请改用导出任务（POST /api/ExportJob）或增加筛选条件"
        raise ValidationFailed(
            {"From": [f"共 {sheet.total:,} 行，即时导出最多 {MOST_ROWS:,} 行，{advice}"]}
        )
    file = io.BytesIO()
    sheet_write(sheet, file)
    return attachment_response(sheet.file_name, content=file.getvalue(), content_type=XLSX_TYPE)
