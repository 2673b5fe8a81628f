"""/api/SavedView: the filters of a report, saved under a name."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.reports.api.view_bodies import (
    SavedViewSerializer,
    ViewBodySerializer,
    ViewChangeSerializer,
    ViewQuerySerializer,
)
from apps.reports.models import SavedView
from apps.reports.selectors.views import view_get, views_of
from apps.reports.services.view_save import view_create, view_delete, view_update


class SavedViewViewSet(MallViewSet):
    """The caller's own views and the shared ones, for the reports that the caller may open.
    Subscriptions send views by mail.
    """

    access = Access.menu("report")
    action_access = dict.fromkeys(("partial_update", "destroy"), access.in_person())
    serializer_class = SavedViewSerializer

    @extend_schema(parameters=[ViewQuerySerializer], responses=SavedViewSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        rows = views_of(actor=request.user, report=ViewQuerySerializer.parse(request)["Report"])
        page: Any = self.paginate_queryset(rows)
        return self.get_paginated_response(
            SavedViewSerializer(page, many=True, context={"actor": request.user}).data
        )

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_told(request, view_get(actor=request.user, pk=pk)))

    @extend_schema(request=ViewBodySerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        view = view_create(actor=request.user, fields=ViewBodySerializer.parse(request))
        return Ok(_told(request, view), message="视图已保存")

    @extend_schema(request=ViewChangeSerializer(partial=True))
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        view = view_update(
            actor=request.user, pk=pk, changes=ViewChangeSerializer.parse(request, partial=True)
        )
        return Ok(_told(request, view), message="视图已更新")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        view_delete(actor=request.user, pk=pk)
        return Ok(None, message="视图已删除")


def _told(request: AuthedRequest, view: SavedView) -> dict[str, Any]:
    return dict(SavedViewSerializer(view, context={"actor": request.user}).data)
