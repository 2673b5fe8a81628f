"""GET /api/Report/{Name}/Filters: the values that a report's filters offer."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import AnswerSerializer
from apps.org.enums import DataScope


class ReportChoiceSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")


class ReportPlaceSerializer(ReportChoiceSerializer):
    """A department. ParentId names its parent if the list contains the parent."""

    ParentId = serializers.CharField(source="parent_id", allow_null=True)
    EnterpriseId = serializers.CharField(source="enterprise_id")


class ReportCategorySerializer(ReportChoiceSerializer):
    ParentId = serializers.CharField(source="parent_id", allow_null=True)


class ReportRequesterSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="nickname")
    UserName = serializers.CharField(source="username")


class ReportChoicesSerializer(AnswerSerializer):
    """The values of all filters. Scope is the data scope of the caller in this report."""

    Scope = serializers.ChoiceField(DataScope.choices, source="scope")
    ScopeText = serializers.CharField(source="scope.label")
    Enterprises = ReportChoiceSerializer(source="enterprises", many=True)
    Departments = ReportPlaceSerializer(source="departments", many=True)
    Categories = ReportCategorySerializer(source="categories", many=True)
    Requesters = ReportRequesterSerializer(source="requesters", many=True)
    Budgets = ReportChoiceSerializer(source="budgets", many=True)
