"""Exports of a report as an Excel file: /api/Report/{Name}/Export returns a small file directly,
/api/ExportJob lets a worker write a large one.
"""

from __future__ import annotations

import io
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.files import file_response
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.errors import ValidationFailed
from apps.common.files.kinds import XLSX_TYPE, ZIP_TYPE
from apps.documents.api import build_attachment_response
from apps.invoices.shared_serializers import InvoiceFilterFields
from apps.org.menus import MenuCode
from apps.reports.api.filters import SORTS, ReportFilterSerializer
from apps.reports.api.reports import REPORT_ACCESS
from apps.reports.enums import EXPORT_KINDS, ExportState, ReportName
from apps.reports.models import ExportJob
from apps.reports.selectors.exports import export_file, get_export, list_exports
from apps.reports.selectors.sheets import get_report_sheet, sheet_write
from apps.reports.services.exports import (
    export_cancel,
    export_retry,
    export_start,
    invoice_archive_start,
)

R = ReportName
# Limit of rows for a direct download. A worker writes larger exports (jobs.py).
MAX_DIRECT_ROWS = 5_000


class ReportExportSerializer(ReportFilterSerializer, BodySerializer):
    """The filters and the sort order of the page."""

    Sort = serializers.ChoiceField(SORTS, required=False, allow_blank=True, default="")


ANSWER = {(200, XLSX_TYPE): OpenApiTypes.BINARY}


class ReportExportViewSet(MallViewSet):
    """An Excel file of the actor's data scope: rows and totals, with the filters on a cover
    sheet.
    """

    access = Access.menu("report")
    action_access = REPORT_ACCESS
    serializer_class = ReportExportSerializer
    pagination_class = None

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Order/Export")
    def order(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 订单报表."""
        return _answer_sheet(request, R.ORDER)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="OrderDetail/Export")
    def order_detail(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 订单明细报表."""
        return _answer_sheet(request, R.ORDER_DETAIL)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Product/Export")
    def product(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 商品报表."""
        return _answer_sheet(request, R.PRODUCT)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Department/Export")
    def department(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 部门报表."""
        return _answer_sheet(request, R.DEPARTMENT)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Purchaser/Export")
    def purchaser(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 采购人报表."""
        return _answer_sheet(request, R.PURCHASER)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Brand/Export")
    def brand(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 品牌报表."""
        return _answer_sheet(request, R.BRAND)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Savings/Export")
    def savings(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 节约与合规报表."""
        return _answer_sheet(request, R.SAVINGS)

    @extend_schema(request=ReportExportSerializer, responses=ANSWER)
    @action(detail=False, methods=["post"], url_path="Budget/Export")
    def budget(self, request: AuthedRequest) -> HttpResponse:
        """Return the Excel file of 预算执行报表."""
        return _answer_sheet(request, R.BUDGET)


def _answer_sheet(request: AuthedRequest, name: str) -> HttpResponse:
    body = ReportExportSerializer.parse(request)
    sheet = get_report_sheet(
        actor=request.user,
        name=name,
        question=ReportExportSerializer.build_question(body),
        sort=body["Sort"],
    )
    if sheet.row_count > MAX_DIRECT_ROWS:
        advice = "请改用导出任务（POST /api/ExportJob）或增加筛选条件"
        raise ValidationFailed(
            {"From": [f"共 {sheet.row_count:,} 行，即时导出最多 {MAX_DIRECT_ROWS:,} 行，{advice}"]}
        )
    file = io.BytesIO()
    sheet_write(sheet, file)
    return build_attachment_response(
        sheet.file_name, content=file.getvalue(), content_type=XLSX_TYPE
    )


ACTIONS: dict[str, list[str]] = {
    ExportState.QUEUED: ["cancel"],
    ExportState.RUNNING: ["cancel"],
    ExportState.DONE: ["download"],
    ExportState.FAILED: ["retry"],
    ExportState.CANCELLED: ["retry"],
    ExportState.EXPIRED: ["retry"],
}


class ExportJobBodySerializer(BodySerializer):
    """The report, its filters and its sort order."""

    Report = serializers.ChoiceField(ReportName.choices)
    Filters = ReportExportSerializer(required=False)


class InvoiceArchiveBodySerializer(InvoiceFilterFields, BodySerializer):
    """The filters of the list of invoices."""


class ExportJobSerializer(serializers.Serializer[ExportJob]):
    """An export and its progress. Actions contains `cancel`, `download` or `retry`."""

    Id = serializers.CharField(source="pk")
    Report = serializers.ChoiceField(EXPORT_KINDS, source="report")
    Title = serializers.CharField(source="title")
    State = serializers.ChoiceField(ExportState.choices, source="state")
    StateText = serializers.CharField(source="get_state_display")
    RowsDone = serializers.IntegerField(source="rows_done")
    RowsTotal = serializers.IntegerField(source="rows_total", help_text="0：尚未开始")
    Attempts = serializers.IntegerField(source="attempts")
    Error = serializers.CharField(source="error")
    FileName = serializers.CharField(source="file.name", default="")
    Size = serializers.IntegerField(source="file.size", default=0, help_text="字节")
    CreatedAt = serializers.DateTimeField(source="created_at")
    EndedAt = serializers.DateTimeField(source="ended_at", allow_null=True)
    ExpiresAt = serializers.DateTimeField(source="expires_at", allow_null=True)
    Actions = serializers.SerializerMethodField()

    def get_Actions(self, job: ExportJob) -> list[str]:
        return ACTIONS[job.state]


class ExportJobViewSet(MallViewSet):
    """The caller's own exports. An export of another person answers 404."""

    access = Access.menu("report", MenuCode.INVOICE_LIST)
    action_access = {
        "create": Access.menu("report"),
        "invoices": Access.menu(MenuCode.INVOICE_LIST),
    }
    serializer_class = ExportJobSerializer

    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(list_exports(actor=request.user))
        return self.get_paginated_response(ExportJobSerializer(page, many=True).data)

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(ExportJobSerializer(get_export(actor=request.user, pk=pk)).data)

    @extend_schema(request=ExportJobBodySerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        """Queue an export. A person can have at most three unfinished exports."""
        body = ExportJobBodySerializer.parse(request)
        filters = body.get("Filters") or {}
        question = ReportExportSerializer.build_question(filters)
        job = export_start(
            actor=request.user,
            report=body["Report"],
            question=question,
            sort=filters.get("Sort", ""),
        )
        return Ok(ExportJobSerializer(job).data, message="已开始导出，完成后会通知您")

    @extend_schema(request=InvoiceArchiveBodySerializer, responses=ExportJobSerializer)
    @action(detail=False, methods=["post"], url_path="Invoices", pagination_class=None)
    @idempotent
    def invoices(self, request: AuthedRequest) -> Response:
        """Queue an archive of the files of all invoices that match the filter of the list."""
        body = InvoiceArchiveBodySerializer.parse(request)
        job = invoice_archive_start(
            actor=request.user, filters=InvoiceArchiveBodySerializer.build_filter(body)
        )
        return Ok(ExportJobSerializer(job).data, message="已开始打包，完成后会通知您")

    @extend_schema(
        responses={
            (200, XLSX_TYPE): OpenApiTypes.BINARY,
            (200, ZIP_TYPE): OpenApiTypes.BINARY,
        }
    )
    @action(detail=True, methods=["get"], url_path="File")
    def file(self, request: AuthedRequest, pk: str) -> HttpResponseBase:
        """Return the Excel file, or the ZIP of an archive. It is available for seven days, as long
        as the owner has the menu code and the same data scope as at export time.
        """
        answer = file_response(export_file(actor=request.user, pk=pk))
        answer["Cache-Control"] = "no-store"
        return answer

    @extend_schema(request=None)
    @action(detail=True, methods=["post"], url_path="Cancel")
    @idempotent
    def cancel(self, request: AuthedRequest, pk: str) -> Response:
        """Cancel a queued or running export."""
        return Ok(
            ExportJobSerializer(export_cancel(actor=request.user, pk=pk)).data, message="已取消导出"
        )

    @extend_schema(request=None)
    @action(detail=True, methods=["post"], url_path="Retry")
    @idempotent
    def retry(self, request: AuthedRequest, pk: str) -> Response:
        """Queue a failed, cancelled or expired export again, with its original filters and
        days.
        """
        return Ok(
            ExportJobSerializer(export_retry(actor=request.user, pk=pk)).data,
            message="已重新开始导出",
        )
