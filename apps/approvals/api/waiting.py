"""/api/ApprovalWaiting: waiting and processing time of each approver, for administrators."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.approvals.selectors.waiting import ApproverFigures, list_approver_figures
from apps.common.api.access import Access
from apps.common.api.serializers import AnswerSerializer, QuerySerializer, RecordedPersonSerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files.kinds import XLSX_TYPE
from apps.documents.api import build_sheet_response
from apps.org.menus import MenuCode

HEADER = (
    "审批人",
    "部门",
    "待审批",
    "已超时",
    "最长已等（工作小时）",
    "近 30 天已审批",
    "平均用时（工作小时）",
    "90% 用时不超过（工作小时）",
)


class WaitingQuery(QuerySerializer):
    Keyword = serializers.CharField(required=False, allow_blank=True, max_length=40, default="")


class ApproverFiguresSerializer(AnswerSerializer):
    """Hours are working hours; null: nothing to measure. `SlowHours` is the 90th percentile."""

    Approver = RecordedPersonSerializer(source="account")
    Department = serializers.CharField(source="account.department.name", default="")
    Open = serializers.IntegerField(source="open_count")
    Overdue = serializers.IntegerField(source="overdue_count")
    OldestAt = serializers.DateTimeField(source="oldest_at", allow_null=True)
    OldestHours = serializers.FloatField(source="oldest_hours", allow_null=True)
    Decided = serializers.IntegerField(source="decided_count")
    AverageHours = serializers.FloatField(source="average_hours", allow_null=True)
    SlowHours = serializers.FloatField(source="slow_hours", allow_null=True)


class ApprovalWaitingViewSet(MallViewSet):
    """The approvers in the caller's data scope of 审批规则, the most overdue first."""

    access = Access.menu(MenuCode.MANAGEMENT_APPROVAL)
    serializer_class = ApproverFiguresSerializer

    @extend_schema(parameters=[WaitingQuery], responses=ApproverFiguresSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        rows: Any = list_approver_figures(
            actor=request.user, keyword=WaitingQuery.parse(request)["Keyword"].strip()
        )
        page: Any = self.paginate_queryset(rows)
        return self.get_paginated_response(ApproverFiguresSerializer.serialize_all(page))

    @extend_schema(
        parameters=[WaitingQuery], responses={(200, XLSX_TYPE): OpenApiTypes.BINARY}, filters=False
    )
    @action(detail=False, methods=["get"], url_path="Export", pagination_class=None)
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return all rows as an Excel sheet."""
        rows = list_approver_figures(
            actor=request.user, keyword=WaitingQuery.parse(request)["Keyword"].strip()
        )
        return build_sheet_response(
            "审批时效.xlsx", header=HEADER, rows=map(_build_cells, rows), sheet="审批时效"
        )


def _build_cells(row: ApproverFigures) -> tuple[str | int | float | None, ...]:
    department = row.account.department.name if row.account.department else ""
    hours = (row.oldest_hours, row.decided_count, row.average_hours, row.slow_hours)
    return (row.account.name_with_full_name, department, row.open_count, row.overdue_count, *hours)
