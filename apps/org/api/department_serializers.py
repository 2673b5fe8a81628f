"""Request and response bodies of 部门管理."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    QuerySerializer,
    SeenAtField,
)
from apps.documents.api.sheets import SheetRowSerializer, SheetTakenSerializer
from apps.org.api.serializers import text


def key_field(**kwargs: Any) -> serializers.CharField:
    """Return a serializer field for an opaque id that may be null."""
    return serializers.CharField(max_length=20, allow_null=True, required=False, **kwargs)


class DepartmentBodySerializer(BodySerializer):
    """A new department. `EnterpriseId` is used only without `ParentId`."""

    EnterpriseId = key_field(source="enterprise_id")
    ParentId = key_field(source="parent_id")
    Code = text("code", 30, "部门编码")
    Name = text("name", 60, "部门名称")
    HeadId = key_field(source="head_id")
    CostCenter = text("cost_center", 40, "成本中心", required=False, allow_blank=True)


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
    BeforeId = key_field()


class MergeSerializer(BodySerializer):
    TargetId = serializers.CharField(max_length=20, error_messages={"required": "请选择接收的部门"})


class DisableSerializer(BodySerializer):
    TargetId = key_field()


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


def tree_row(row: dict[str, Any]) -> dict[str, Any]:
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
