"""/api/ExportJob: exports that a worker writes. Each export is visible to its owner only."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.file_views import file_response
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.reports.api.exports import ReportExportSerializer
from apps.reports.enums import OPEN_EXPORTS, ExportState, ReportName
from apps.reports.models import ExportJob
from apps.reports.selectors.exports import export_file, export_get, exports_of
from apps.reports.services.export_start import export_cancel, export_retry, export_start

ACTIONS: dict[str, list[str]] = {
    state: ["cancel"] if state in OPEN_EXPORTS else ["retry"] for state in ExportState.values
}
ACTIONS[ExportState.DONE] = ["download"]


class ExportJobBodySerializer(BodySerializer):
    """The report, its filters and its sort order."""

    Report = serializers.ChoiceField(ReportName.choices)
    Filters = ReportExportSerializer(required=False)


class ExportJobSerializer(serializers.Serializer[ExportJob]):
    """An export and its progress. Actions contains `cancel`, `download` or `retry`."""

    Id = serializers.CharField(source="pk")
    Report = serializers.ChoiceField(ReportName.choices, source="report")
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

    access = Access.menu("report")
    serializer_class = ExportJobSerializer

    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(exports_of(actor=request.user))
        return self.get_paginated_response(ExportJobSerializer(page, many=True).data)

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(ExportJobSerializer(export_get(actor=request.user, pk=pk)).data)

    @extend_schema(request=ExportJobBodySerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        """Queue an export. A person can have at most three unfinished exports."""
        body = ExportJobBodySerializer.parse(request)
        asked = body.get("Filters") or {}
        question = ReportExportSerializer.question(asked)
        job = export_start(
            actor=request.user, report=body["Report"], question=question, sort=asked.get("Sort", "")
        )
        return Ok(ExportJobSerializer(job).data, message="已开始导出，完成后会通知您")

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=True, methods=["get"], url_path="File")
    def file(self, request: AuthedRequest, pk: str) -> HttpResponseBase:
        """Return the Excel file. It is available for seven days, as long as the owner has the
        report's menu code and the same data scope as at export time.
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
