"""GET /api/Change: the change history of a subject."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.serializers import (
    QuerySerializer,
    RecordedPersonSerializer,
    WholeField,
)
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.org.enums import ChangeAction
from apps.org.models import OrganisationChange
from apps.org.selectors.changes import list_changes

ACTIONS = dict(ChangeAction.choices)


class ChangeQuerySerializer(QuerySerializer):
    """`SubjectType` is for example `department`. Without `SubjectId`, the answer covers all
    subjects that the caller may see.
    """

    SubjectType = serializers.CharField(
        max_length=30, error_messages={"required": "请说明对象类型"}
    )
    SubjectId = WholeField(required=False, min_value=1)


class ChangedFieldSerializer(serializers.Serializer[Any]):
    Field = serializers.CharField(source="field")
    Label = serializers.CharField(source="label")
    Before = serializers.CharField(source="before")
    After = serializers.CharField(source="after")


class ChangeSerializer(serializers.Serializer[OrganisationChange]):
    """`By` is null for an automatic change. `ActingFor` is the customer as whom staff acted."""

    Id = serializers.CharField(source="pk")
    At = serializers.DateTimeField(source="created_at")
    By = RecordedPersonSerializer(source="actor", allow_null=True)
    ActingFor = RecordedPersonSerializer(source="acting_for", allow_null=True)
    SubjectType = serializers.CharField(source="subject_type")
    SubjectId = serializers.CharField(source="subject_id")
    SubjectName = serializers.CharField(source="subject_name")
    Action = serializers.CharField(source="action")
    ActionText = serializers.SerializerMethodField()
    Changes = ChangedFieldSerializer(source="changes", many=True)
    Note = serializers.CharField(source="note")

    def get_ActionText(self, row: OrganisationChange) -> str:
        return str(ACTIONS.get(row.action, row.action))


class ChangeViewSet(MallViewSet):
    """The change history. Each kind of subject has its own menu code and data scope."""

    access = Access.login()
    serializer_class = ChangeSerializer

    @extend_schema(parameters=[ChangeQuerySerializer])
    def list(self, request: AuthedRequest) -> Response:
        query = ChangeQuerySerializer.parse(request)
        page: Any = self.paginate_queryset(
            list_changes(actor=request.user, kind=query["SubjectType"], pk=query.get("SubjectId"))
        )
        return self.get_paginated_response(ChangeSerializer(page, many=True).data)
