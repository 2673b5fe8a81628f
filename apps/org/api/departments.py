"""/api/Department: the list for selection fields, and the tree of 部门管理."""

from __future__ import annotations

import io
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.renderers import Ok
from apps.common.api.stale import serialize_stale
from apps.common.api.uploads import only_upload
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files import file_take
from apps.common.files.kinds import TABLES, XLSX_TYPE
from apps.documents.api.sheets import (
    import_result,
    is_sheet_confirmed,
    sheet_preview,
    sheet_response,
    upload_body,
)
from apps.org.api import department_serializers as s
from apps.org.api.serializers import DepartmentSerializer
from apps.org.menus import MenuCode
from apps.org.models import Account, Department
from apps.org.selectors.departments import (
    can_manage_departments,
    can_manage_top_level,
    get_department,
    list_department_enterprises,
    list_head_candidates,
    list_managed_departments,
    list_visible_departments,
)
from apps.org.services.department import (
    department_create,
    department_delete,
    department_move,
    department_update,
)
from apps.org.services.department_import import HEADER, departments_import, departments_preview
from apps.org.services.department_merge import department_disable, department_merge

MANAGERS = Access.menu(MenuCode.MANAGEMENT_DEPARTMENT)
WRITES = ("create", "partial_update", "destroy", "move", "merge", "disable", "import_rows")


class DepartmentViewSet(MallViewSet):
    """Every account may read the list for selection fields. The tree of 部门管理 includes disabled
    departments.
    """

    access = MANAGERS
    action_access = {"list": Access.login(), **{name: MANAGERS.in_person() for name in WRITES}}
    serializer_class = DepartmentSerializer

    def list(self, request: AuthedRequest) -> Response:
        """Return the enabled departments that the caller may see. Rows contain their parent's
        id.
        """
        page = self.paginate_queryset(list_visible_departments(actor=request.user))
        return self.get_paginated_response(DepartmentSerializer(page, many=True).data)

    @extend_schema(responses=s.DepartmentTreeSerializer)
    @action(detail=False, methods=["get"], url_path="Tree")
    def tree(self, request: AuthedRequest) -> Response:
        """Return all departments of the caller's data scope and their enterprises."""
        actor = request.user
        enterprises = [
            {
                "Id": str(row.pk),
                "Name": row.name,
                "Code": row.code,
                "CanKeepRoots": can_manage_top_level(actor, row.pk),
            }
            for row in list_department_enterprises(actor=actor)
        ]
        departments = [
            s.tree_row(row) for row in list_managed_departments(actor=actor).values(*s.TREE_VALUES)
        ]
        return Response(
            {
                "Enterprises": enterprises,
                "Departments": departments,
                "CanKeep": can_manage_departments(actor) and actor.impersonator is None,
            }
        )

    @extend_schema(responses=s.ManagedDepartmentSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_row(get_department(actor=request.user, pk=pk)))

    @extend_schema(request=s.DepartmentBodySerializer, responses=s.ManagedDepartmentSerializer)
    def create(self, request: AuthedRequest) -> Response:
        department = department_create(
            actor=request.user, fields=s.DepartmentBodySerializer.parse(request)
        )
        return Ok(_row(department), message="部门已新增")

    @extend_schema(
        request=s.DepartmentChangeSerializer(partial=True), responses=s.ManagedDepartmentSerializer
    )
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = s.DepartmentChangeSerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(_row):
            department = department_update(
                actor=request.user, pk=pk, changes=changes, seen_at=seen_at
            )
        return Ok(_row(department), message="部门已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        department_delete(actor=request.user, pk=pk)
        return Ok(None, message="部门已删除")

    @extend_schema(request=s.MoveSerializer, responses=s.ManagedDepartmentSerializer)
    @action(detail=True, methods=["post"], url_path="Move")
    def move(self, request: AuthedRequest, pk: str) -> Response:
        body = s.MoveSerializer.parse(request)
        department = department_move(
            actor=request.user, pk=pk, parent_id=body["ParentId"], before_id=body.get("BeforeId")
        )
        return Ok(_row(department), message="部门已移动")

    @extend_schema(request=s.MergeSerializer, responses=s.ManagedDepartmentSerializer)
    @action(detail=True, methods=["post"], url_path="Merge")
    def merge(self, request: AuthedRequest, pk: str) -> Response:
        department = department_merge(
            actor=request.user, pk=pk, target_id=s.MergeSerializer.parse(request)["TargetId"]
        )
        return Ok(_row(department), message="部门已合并")

    @extend_schema(request=s.DisableSerializer, responses=s.ManagedDepartmentSerializer)
    @action(detail=True, methods=["post"], url_path="Disable")
    def disable(self, request: AuthedRequest, pk: str) -> Response:
        department = department_disable(
            actor=request.user, pk=pk, target_id=s.DisableSerializer.parse(request).get("TargetId")
        )
        return Ok(_row(department), message="部门已停用")

    @extend_schema(request=upload_body(), responses=s.DepartmentImportSerializer)
    @action(detail=False, methods=["post"], url_path="Import", parser_classes=[MultiPartParser])
    def import_rows(self, request: AuthedRequest) -> Response:
        """Check the sheet. With `Confirm` = true, write all rows or none."""
        upload = only_upload(request, missing="请选择一个表格文件")
        file = io.BytesIO(file_take(upload, kinds=TABLES, max_mb=5).content)
        if not is_sheet_confirmed(request):
            return Response(
                sheet_preview(
                    departments_preview(actor=request.user, file=file),
                    s.DepartmentImportRowSerializer,
                )
            )
        done = len(departments_import(actor=request.user, file=file))
        return Ok(import_result(done), message=f"已导入 {done} 个部门")

    @extend_schema(parameters=[s.PeopleQuerySerializer], responses=s.HeadSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="People", pagination_class=None)
    def people(self, request: AuthedRequest) -> Response:
        """Return the first 20 enabled people who may be head of a department and whose name,
        account or mobile contains the keyword.
        """
        keyword = s.PeopleQuerySerializer.parse(request)["Keyword"].strip()
        return Response(
            s.HeadSerializer.answers(list_head_candidates(actor=request.user, keyword=keyword))
        )

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="Export")
    def export(self, request: AuthedRequest) -> HttpResponse:
        """Return the enabled departments with the columns of the import."""
        rows = (
            list_managed_departments(actor=request.user)
            .filter(is_active=True)
            .select_related("parent", "head", "enterprise")
        )
        return sheet_response("部门.xlsx", header=HEADER, rows=map(_cells, rows), sheet="部门")

    @extend_schema(responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="Template")
    def template(self, request: AuthedRequest) -> HttpResponse:
        """Return an empty sheet with one example row."""
        enterprise = request.user.enterprise
        example = (
            enterprise.code if enterprise else "",
            "ADM",
            "行政部（示例，请改写）",
            "",
            "",
            "CC-1001",
        )
        return sheet_response("部门导入模板.xlsx", header=HEADER, rows=[example], sheet="部门")


def _row(department: Department) -> dict[str, Any]:
    if not hasattr(department, "account_count"):
        department.account_count = Account.objects.filter(  # type: ignore[attr-defined]
            department=department, is_active=True
        ).count()
    return s.ManagedDepartmentSerializer.answer(department)


def _cells(row: Department) -> tuple[str, ...]:
    above, head = row.parent.code if row.parent else "", row.head.username if row.head else ""
    return (row.enterprise.code, row.code, row.name, above, head, row.cost_center)
