"""/api/Department: the list for selection fields, and the tree of 部门管理, with their request and
response bodies.
"""

from __future__ import annotations

import io
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.files import only_upload
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    QuerySerializer,
    SeenAtField,
    build_labelled_text_field,
)
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.files import file_take
from apps.common.files.kinds import TABLES, XLSX_TYPE
from apps.documents.api import (
    SheetRowSerializer,
    SheetTakenSerializer,
    build_sheet_response,
    build_wrong_rows_response,
    import_answer,
    import_body,
    read_sheet_options,
    sheet_preview,
)
from apps.documents.excel import find_sheet_mapping
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
from apps.org.selectors.own_departments import get_own_departments
from apps.org.services.department import (
    department_create,
    department_delete,
    department_move,
    department_update,
)
from apps.org.services.department_import import (
    COLUMNS,
    WRITER,
    departments_build_wrong_sheet,
    departments_import,
    departments_preview,
    require_department_import,
)
from apps.org.services.department_merge import department_disable, department_merge

TREE_VALUES = (
    *(
        "pk",
        "parent_id",
        "enterprise_id",
        "code",
        "name",
        "head_id",
        "head__nickname",
        "cost_center",
        "is_active",
    ),
    *("account_count", "updated_at"),
)
MANAGERS = Access.menu(MenuCode.MANAGEMENT_DEPARTMENT)
WRITES = ("create", "partial_update", "destroy", "move", "merge", "disable", "import_rows")


def build_key_field(**kwargs: Any) -> serializers.CharField:
    """Return a serializer field for an opaque id that may be null."""
    return serializers.CharField(max_length=20, allow_null=True, required=False, **kwargs)


class DepartmentBodySerializer(BodySerializer):
    """A new department. `EnterpriseId` is used only without `ParentId`."""

    EnterpriseId = build_key_field(source="enterprise_id")
    ParentId = build_key_field(source="parent_id")
    Code = build_labelled_text_field(30, "部门编码", source="code")
    Name = build_labelled_text_field(60, "部门名称", source="name")
    HeadId = build_key_field(source="head_id")
    CostCenter = build_labelled_text_field(
        40, "成本中心", source="cost_center", required=False, allow_blank=True
    )


class DepartmentChangeSerializer(DepartmentBodySerializer):
    """Any field except the position in the tree. `IsActive` true enables the department again."""

    EnterpriseId = None  # type: ignore[assignment]
    ParentId = None  # type: ignore[assignment]
    UpdatedAt = SeenAtField(required=False)
    IsActive = serializers.BooleanField(source="is_active", required=False)


class MoveSerializer(BodySerializer):
    """The new position: under `ParentId` (null: the top level), before the sibling `BeforeId`,
    or last.
    """

    ParentId = serializers.CharField(max_length=20, allow_null=True)
    BeforeId = build_key_field()


class MergeSerializer(BodySerializer):
    TargetId = serializers.CharField(max_length=20, error_messages={"required": "请选择接收的部门"})


class DisableSerializer(BodySerializer):
    TargetId = build_key_field()


class ManagedDepartmentSerializer(AnswerSerializer):
    """A row of the tree. Siblings are in order. `ParentId` null is a root of its enterprise."""

    Id = serializers.CharField(source="pk")
    ParentId = serializers.CharField(source="parent_id", allow_null=True)
    EnterpriseId = serializers.CharField(source="enterprise_id")
    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    HeadId = serializers.CharField(source="head_id", allow_null=True)
    HeadName = serializers.CharField(source="head.nickname", default=None, allow_null=True)
    CostCenter = serializers.CharField(source="cost_center")
    IsActive = serializers.BooleanField(source="is_active")
    AccountCount = serializers.IntegerField(source="account_count")
    UpdatedAt = serializers.DateTimeField(source="updated_at")


def serialize_tree_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return TREE_VALUES of a department in the format of ManagedDepartmentSerializer. A plain
    function is faster for a tree with a thousand rows.
    """
    return {
        "Id": str(row["pk"]),
        "ParentId": str(row["parent_id"]) if row["parent_id"] else None,
        "EnterpriseId": str(row["enterprise_id"]),
        "Code": row["code"],
        "Name": row["name"],
        "HeadId": str(row["head_id"]) if row["head_id"] else None,
        "HeadName": row["head__nickname"],
        "CostCenter": row["cost_center"],
        "IsActive": row["is_active"],
        "AccountCount": row["account_count"],
        "UpdatedAt": timezone.localtime(row["updated_at"]).isoformat(),
    }


class TreeEnterpriseSerializer(AnswerSerializer):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    Code = serializers.CharField(source="code")
    CanKeepRoots = serializers.BooleanField()


class DepartmentTreeSerializer(serializers.Serializer[Any]):
    Enterprises = TreeEnterpriseSerializer(many=True)
    Departments = ManagedDepartmentSerializer(many=True)
    CanKeep = serializers.BooleanField()
    ContainingIds = serializers.ListField(
        child=serializers.CharField(),
        help_text="Departments that contain the caller. He changes neither their head nor their "
        "parent, merges none of them and brings no other department to them. Empty for a group "
        "admin.",
    )
    HeadedIds = serializers.ListField(
        child=serializers.CharField(),
        help_text="Departments whose head the caller is. He brings no other department below "
        "them. Empty for a group admin.",
    )


class DepartmentImportRowSerializer(SheetRowSerializer):
    """A row of the sheet. `Action` is `create`, `update` or `same`."""

    EnterpriseCode = serializers.CharField(source="named.enterprise")
    Code = serializers.CharField(source="named.code")
    Name = serializers.CharField(source="named.name")
    ParentCode = serializers.CharField(source="named.parent")
    Head = serializers.CharField(source="named.head")
    CostCenter = serializers.CharField(source="named.cost_center")
    Action = serializers.CharField(source="action")


class DepartmentImportSerializer(SheetTakenSerializer):
    Rows = DepartmentImportRowSerializer(many=True)


class PeopleQuerySerializer(QuerySerializer):
    Keyword = serializers.CharField(required=False, allow_blank=True, max_length=60, default="")


class HeadSerializer(AnswerSerializer):
    """A person who may be the head of a department."""

    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="nickname")
    UserName = serializers.CharField(source="username")
    Department = serializers.CharField(source="department.name", default=None, allow_null=True)


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

    @extend_schema(responses=DepartmentTreeSerializer)
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
        rows = list(list_managed_departments(actor=actor).values(*TREE_VALUES))
        own = get_own_departments(
            account=actor,
            parents={row["pk"]: row["parent_id"] for row in rows},
            department_id=actor.department_id,
            headed=frozenset(row["pk"] for row in rows if row["head_id"] == actor.pk),
        )
        return Response(
            {
                "Enterprises": enterprises,
                "Departments": [serialize_tree_row(row) for row in rows],
                "CanKeep": can_manage_departments(actor) and actor.impersonator is None,
                "ContainingIds": sorted(map(str, own.containing)),
                "HeadedIds": sorted(map(str, own.headed)),
            }
        )

    @extend_schema(responses=ManagedDepartmentSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_serialize_row(get_department(actor=request.user, pk=pk)))

    @extend_schema(request=DepartmentBodySerializer, responses=ManagedDepartmentSerializer)
    def create(self, request: AuthedRequest) -> Response:
        department = department_create(
            actor=request.user, fields=DepartmentBodySerializer.parse(request)
        )
        return Ok(_serialize_row(department), message="部门已新增")

    @extend_schema(
        request=DepartmentChangeSerializer(partial=True), responses=ManagedDepartmentSerializer
    )
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = DepartmentChangeSerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(_serialize_row):
            department = department_update(
                actor=request.user, pk=pk, changes=changes, seen_at=seen_at
            )
        return Ok(_serialize_row(department), message="部门已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        department_delete(actor=request.user, pk=pk)
        return Ok(None, message="部门已删除")

    @extend_schema(request=MoveSerializer, responses=ManagedDepartmentSerializer)
    @action(detail=True, methods=["post"], url_path="Move")
    def move(self, request: AuthedRequest, pk: str) -> Response:
        body = MoveSerializer.parse(request)
        department = department_move(
            actor=request.user, pk=pk, parent_id=body["ParentId"], before_id=body.get("BeforeId")
        )
        return Ok(_serialize_row(department), message="部门已移动")

    @extend_schema(request=MergeSerializer, responses=ManagedDepartmentSerializer)
    @action(detail=True, methods=["post"], url_path="Merge")
    def merge(self, request: AuthedRequest, pk: str) -> Response:
        department = department_merge(
            actor=request.user, pk=pk, target_id=MergeSerializer.parse(request)["TargetId"]
        )
        return Ok(_serialize_row(department), message="部门已合并")

    @extend_schema(request=DisableSerializer, responses=ManagedDepartmentSerializer)
    @action(detail=True, methods=["post"], url_path="Disable")
    def disable(self, request: AuthedRequest, pk: str) -> Response:
        department = department_disable(
            actor=request.user, pk=pk, target_id=DisableSerializer.parse(request).get("TargetId")
        )
        return Ok(_serialize_row(department), message="部门已停用")

    @extend_schema(request=import_body(), responses=DepartmentImportSerializer)
    @action(detail=False, methods=["post"], url_path="Import", parser_classes=[MultiPartParser])
    def import_rows(self, request: AuthedRequest) -> HttpResponseBase:
        """Check the sheet. With `Confirm`, write all rows, with `GoodOnly` the valid ones."""
        upload = only_upload(request, missing_message="请选择一个表格文件")
        file = io.BytesIO(file_take(upload, kinds=TABLES, max_mb=5).content)
        require_department_import(request.user)
        options = read_sheet_options(request, kind=WRITER, columns=COLUMNS)
        if options.is_confirmed:
            run = departments_import(
                actor=request.user, file=file, is_good_only=options.is_good_only
            )
            return import_answer(run, noun="个部门")
        rows = departments_preview(actor=request.user, file=file)
        if options.wants_wrong_rows:
            return build_wrong_rows_response(departments_build_wrong_sheet(rows))
        mapping = find_sheet_mapping(file, kind=WRITER, columns=COLUMNS)
        return Response(sheet_preview(rows, DepartmentImportRowSerializer, mapping=mapping))

    @extend_schema(parameters=[PeopleQuerySerializer], responses=HeadSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="People", pagination_class=None)
    def people(self, request: AuthedRequest) -> Response:
        """Return the first 20 enabled people who may be head of a department and whose name,
        account or mobile contains the keyword.
        """
        keyword = PeopleQuerySerializer.parse(request)["Keyword"].strip()
        return Response(
            HeadSerializer.serialize_all(list_head_candidates(actor=request.user, keyword=keyword))
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
        return build_sheet_response(
            "部门.xlsx", header=tuple(COLUMNS), rows=map(_build_cells, rows), sheet="部门"
        )

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
        return build_sheet_response(
            "部门导入模板.xlsx", header=tuple(COLUMNS), rows=[example], sheet="部门"
        )


def _serialize_row(department: Department) -> dict[str, Any]:
    if not hasattr(department, "account_count"):
        department.account_count = Account.objects.filter(  # type: ignore[attr-defined]
            department=department, is_active=True
        ).count()
    return ManagedDepartmentSerializer.answer(department)


def _build_cells(row: Department) -> tuple[str, ...]:
    above, head = row.parent.code if row.parent else "", row.head.username if row.head else ""
    return (row.enterprise.code, row.code, row.name, above, head, row.cost_center)
