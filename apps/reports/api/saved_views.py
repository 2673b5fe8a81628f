"""/api/SavedView: the filters of a report, saved under a name."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import BodySerializer, PersonSerializer, QuerySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.errors import ValidationFailed
from apps.reports.api.filters import SORTS, ReportFilterSerializer
from apps.reports.enums import ReportName
from apps.reports.models import SavedView
from apps.reports.selectors.saved_views import get_view, list_views
from apps.reports.services.saved_views import view_create, view_delete, view_update


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
        fields = super().to_internal_value(data)
        try:
            self.build_question(fields).get_windows()
        except ValidationFailed as refused:
            raise serializers.ValidationError(refused.body["Errors"]) from refused
        values = {name: fields.get(str(field.source)) for name, field in self.fields.items()}
        return {
            name: self.fields[name].to_representation(value)
            for name, value in values.items()
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


class SavedViewViewSet(MallViewSet):
    """The caller's own views and the shared ones, for the reports that the caller may open.
    Subscriptions send views by mail.
    """

    access = Access.menu("report")
    action_access = dict.fromkeys(("partial_update", "destroy"), access.in_person())
    serializer_class = SavedViewSerializer

    @extend_schema(parameters=[ViewQuerySerializer], responses=SavedViewSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        rows = list_views(actor=request.user, report=ViewQuerySerializer.parse(request)["Report"])
        page: Any = self.paginate_queryset(rows)
        return self.get_paginated_response(
            SavedViewSerializer(page, many=True, context={"actor": request.user}).data
        )

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_serialize_view(request, get_view(actor=request.user, pk=pk)))

    @extend_schema(request=ViewBodySerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        view = view_create(actor=request.user, fields=ViewBodySerializer.parse(request))
        return Ok(_serialize_view(request, view), message="视图已保存")

    @extend_schema(request=ViewChangeSerializer(partial=True))
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        view = view_update(
            actor=request.user, pk=pk, changes=ViewChangeSerializer.parse(request, partial=True)
        )
        return Ok(_serialize_view(request, view), message="视图已更新")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        view_delete(actor=request.user, pk=pk)
        return Ok(None, message="视图已删除")


def _serialize_view(request: AuthedRequest, view: SavedView) -> dict[str, Any]:
    return dict(SavedViewSerializer(view, context={"actor": request.user}).data)
