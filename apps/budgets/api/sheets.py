"""/api/Budget/Import and /Template: import budgets from a sheet, with a preview."""

from __future__ import annotations

import io

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.budgets.services.budget_import import HEADER, MORE, budgets_import, budgets_preview
from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.uploads import only_upload
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files import file_take
from apps.common.files.kinds import TABLES, XLSX_TYPE
from apps.documents.api.sheets import (
    SheetRowSerializer,
    SheetTakenSerializer,
    import_result,
    is_sheet_confirmed,
    sheet_preview,
    sheet_response,
    upload_body,
)
from apps.org.menus import MenuCode

KEEPERS = Access.menu(MenuCode.ASSET_BUDGET)


class BudgetPlanRowSerializer(SheetRowSerializer):
    EnterpriseCode = serializers.CharField(source="named.enterprise")
    DepartmentCode = serializers.CharField(source="named.department")
    UserName = serializers.CharField(source="named.account")
    Name = serializers.CharField(source="named.name")
    Day = serializers.CharField(source="named.day")
    Amount = serializers.CharField(source="named.amount")


class BudgetPlanSerializer(SheetTakenSerializer):
    Rows = BudgetPlanRowSerializer(many=True)


class BudgetSheetViewSet(MallViewSet):
    """Importing needs the same rights as creating a budget."""

    access = KEEPERS
    action_access = {"import_rows": KEEPERS.in_person()}
    serializer_class = BudgetPlanSerializer
    pagination_class = None

    @extend_schema(request=upload_body(), responses=BudgetPlanSerializer)
    @action(detail=False, methods=["post"], url_path="Import", parser_classes=[MultiPartParser])
    def import_rows(self, request: AuthedRequest) -> Response:
        """Preview the sheet. With `Confirm` = true, import all rows or none."""
        upload = only_upload(request, missing="请选择一个表格文件")
        file = io.BytesIO(file_take(upload, kinds=TABLES, max_mb=5).content)
        if not is_sheet_confirmed(request):
            return Response(
                sheet_preview(
                    budgets_preview(actor=request.user, file=file), BudgetPlanRowSerializer
                )
            )
        done = budgets_import(actor=request.user, file=file)
        return Ok(import_result(done), message=f"已导入 {done} 个预算")

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="Template")
    def template(self, request: AuthedRequest) -> HttpResponse:
        """Return an empty sheet with two example rows."""
        code = request.user.enterprise.code if request.user.enterprise else ""
        rows = [
            (
                code,
                "ADM",
                "",
                "行政部办公用品预算（示例，请改写）",
                "月度",
                "2027-01",
                "5000.00",
                "超出禁止下单",
                "限额结转",
                "1000.00",
            ),
            (
                code,
                "",
                "zhang.san",
                "个人零星采购（示例，请改写）",
                "季度",
                "2027Q1",
                "800.00",
                "超出提醒",
                "不结转",
                "",
            ),
        ]
        return sheet_response("预算导入模板.xlsx", header=(*HEADER, *MORE), rows=rows, sheet="预算")
