"""Request and response serializers of saved views."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import BodySerializer, PersonSerializer, QuerySerializer
from apps.common.errors import ValidationFailed
from apps.reports.api.bodies import SORTS, ReportFilterSerializer
from apps.reports.enums import ReportName
from apps.reports.models import SavedView


class ViewFiltersSerializer(ReportFilterSerializer, BodySerializer):
    """The filters of the page, the sort order of its rows and its hidden columns."""

    Sort = serializers.ChoiceField(SORTS, required=False)
    Hide = serializers.ListField(
        child=serializers.CharField(max_length=20), required=False, max_length=20
    )

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the validated filters in their wire format. The mails of a view and the URL of
        its page then use the same filters.
        """
        asked = super().to_internal_value(data)
        try:
            self.question(asked).windows()
        except ValidationFailed as refused:
            raise serializers.ValidationError(refused.body["Errors"]) from refused
        kept = {name: asked.get(str(field.source)) for name, field in self.fields.items()}
        return {
            name: self.fields[name].to_representation(value)
            for name, value in kept.items()
            if value not in (None, "", [])
        }


class ViewQuerySerializer(QuerySerializer):
    Report = serializers.ChoiceField(ReportName.choices, required=False, default="")


class ViewBodySerializer(BodySerializer):
    Report = serializers.ChoiceField(
        ReportName.choices, source="report", error_messages={"required": "请选择报表"}
    )
    Name = serializers.CharField(
        source="name",
        max_length=30,
        error_messages={"required": "请填写视图名称", "blank": "请填写视图名称"},
    )
    Filters = ViewFiltersSerializer(source="filters")
    Shared = serializers.BooleanField(source="shared", required=False, default=False)


class ViewChangeSerializer(BodySerializer):
    Name = serializers.CharField(
        source="name", max_length=30, error_messages={"blank": "请填写视图名称"}
    )
    Filters = ViewFiltersSerializer(source="filters")
    Shared = serializers.BooleanField(source="shared")


class SavedViewSerializer(serializers.Serializer[SavedView]):
    """`IsMine` is true if the caller owns the view and may change and delete it."""

    Id = serializers.CharField(source="pk")
    Report = serializers.ChoiceField(ReportName.choices, source="report")
    Name = serializers.CharField(source="name")
    Filters = serializers.DictField(source="filters")
    Shared = serializers.BooleanField(source="shared")
    Owner = PersonSerializer(source="owner")
    IsMine = serializers.SerializerMethodField()
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    def get_IsMine(self, view: SavedView) -> bool:
        return bool(view.owner_id == self.context["actor"].pk)
