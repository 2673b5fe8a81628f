"""Serializers of dimensions."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    DayField,
    IdField,
    PersonSerializer,
    QuerySerializer,
    SeenAtField,
)
from apps.dimensions.enums import DimensionKind, DimensionState
from apps.dimensions.models import Dimension
from apps.dimensions.selectors.dimensions import DimensionFilter, KindChoices
from apps.documents.api import SheetRowSerializer, SheetTakenSerializer

MAX_DEPARTMENTS = 500
# {wire key: field of DimensionForm}
FORM_FIELDS = {
    "Kind": "kind",
    "Code": "code",
    "Name": "name",
    "OwnerId": "owner_id",
    "ValidFrom": "valid_from",
    "ValidTo": "valid_to",
    "IsActive": "is_active",
    "DepartmentIds": "department_ids",
    "DefaultIds": "default_ids",
}


class DimensionDepartmentSerializer(AnswerSerializer):
    Id = serializers.CharField(source="department_id")
    Name = serializers.CharField(source="department.name")
    Enterprise = serializers.CharField(source="department.enterprise.name")


class DimensionSerializer(AnswerSerializer):
    Id = serializers.CharField(source="pk")
    Kind = serializers.ChoiceField(choices=DimensionKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    Owner = PersonSerializer(source="owner", allow_null=True)
    ValidFrom = serializers.DateField(source="valid_from", allow_null=True)
    ValidTo = serializers.DateField(source="valid_to", allow_null=True)
    IsActive = serializers.BooleanField(source="is_active")
    State = serializers.SerializerMethodField()
    StateText = serializers.SerializerMethodField()
    Departments = DimensionDepartmentSerializer(
        source="departments.all", many=True, help_text="空为全部部门；含其下级部门"
    )
    Defaults = DimensionDepartmentSerializer(
        source="defaults.all", many=True, help_text="下单时默认使用该核算项的部门；含其下级部门"
    )
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    @extend_schema_field(serializers.ChoiceField(choices=DimensionState.choices))
    def get_State(self, row: Dimension) -> str:
        """Return the state of today."""
        return row.state_on(timezone.localdate())

    def get_StateText(self, row: Dimension) -> str:
        return str(row.state_on(timezone.localdate()).label)


class DimensionQuerySerializer(QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    Kind = serializers.ChoiceField(
        choices=DimensionKind.choices, required=False, allow_blank=True, default=""
    )
    State = serializers.ChoiceField(
        choices=DimensionState.choices, required=False, allow_blank=True, default=""
    )

    @classmethod
    def build_filters(cls, request: Any) -> DimensionFilter:
        """Return the query string as a DimensionFilter."""
        query = cls.parse(request)
        return DimensionFilter(
            keyword=query["Keyword"].strip(), kind=query["Kind"], state=query["State"]
        )


class DimensionBodySerializer(BodySerializer):
    """All fields of a dimension."""

    Kind = serializers.ChoiceField(choices=DimensionKind.choices)
    Code = serializers.CharField(max_length=40)
    Name = serializers.CharField(max_length=80)
    OwnerId = IdField(required=False, allow_null=True)
    ValidFrom = DayField(required=False, allow_null=True)
    ValidTo = DayField(required=False, allow_null=True)
    IsActive = serializers.BooleanField(default=True)
    DepartmentIds = serializers.ListField(
        child=IdField(),
        required=False,
        max_length=MAX_DEPARTMENTS,
        default=list,
        help_text="可以使用的部门，含其下级；不填为全部部门",
    )
    DefaultIds = serializers.ListField(
        child=IdField(),
        required=False,
        max_length=MAX_DEPARTMENTS,
        default=list,
        help_text="下单时默认使用的部门，替换它们原来的默认",
    )

    @staticmethod
    def read_values(body: dict[str, Any]) -> dict[str, Any]:
        """Return the sent fields under the names of DimensionForm."""
        values = {name: body[key] for key, name in FORM_FIELDS.items() if key in body}
        for name in ("code", "name"):
            if name in values:
                values[name] = values[name].strip()
        for name in ("department_ids", "default_ids"):
            if name in values:
                values[name] = tuple(dict.fromkeys(values[name]))
        return values


class DimensionChangeSerializer(DimensionBodySerializer):
    UpdatedAt = SeenAtField(required=False, help_text="读取时的 UpdatedAt；他人已修改则回答 stale")


class KindCountSerializer(AnswerSerializer):
    Kind = serializers.ChoiceField(choices=DimensionKind.choices, source="kind")
    KindText = serializers.CharField(source="text")
    Total = serializers.IntegerField(source="total")
    Usable = serializers.IntegerField(source="usable", help_text="今日可用于下单的数量")


class DimensionSummarySerializer(AnswerSerializer):
    CanManage = serializers.BooleanField(source="can_manage", help_text="本人能否维护核算项")
    Kinds = KindCountSerializer(source="kinds", many=True)


class DimensionChoiceSerializer(AnswerSerializer):
    Id = serializers.CharField(source="pk")
    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")


class KindChoicesSerializer(AnswerSerializer):
    """The choices of one kind for an order."""

    Kind = serializers.ChoiceField(choices=DimensionKind.choices, source="kind")
    KindText = serializers.SerializerMethodField()
    IsKept = serializers.BooleanField(
        source="is_kept", help_text="本集团是否维护该类别；维护时只能选择，不能自由填写"
    )
    Default = DimensionChoiceSerializer(source="default", allow_null=True)
    Items = DimensionChoiceSerializer(source="rows", many=True, help_text="最多 50 条")

    def get_KindText(self, choices: KindChoices) -> str:
        return str(DimensionKind(choices.kind).label)


class DimensionChoiceQuerySerializer(QuerySerializer):
    DepartmentId = IdField(required=False, help_text="不填为本人的部门")
    Kind = serializers.ChoiceField(
        choices=DimensionKind.choices, required=False, allow_blank=True, default=""
    )
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")


class DimensionPlanRowSerializer(SheetRowSerializer):
    Action = serializers.ChoiceField(
        choices=[("create", "新增"), ("update", "修改"), ("same", "不变")], source="action"
    )
    KindText = serializers.CharField(source="named.kind")
    Code = serializers.CharField(source="named.code")
    Name = serializers.CharField(source="named.name")
    Departments = serializers.CharField(source="named.departments")


class DimensionPlanSerializer(SheetTakenSerializer):
    Rows = DimensionPlanRowSerializer(many=True)
