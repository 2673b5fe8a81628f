"""/api/Group, and the management endpoints of /api/Enterprise (集团管理)."""

from __future__ import annotations

from typing import Any

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
from apps.org.api import group_serializers as s
from apps.org.api.serializers import EnterpriseSerializer
from apps.org.enums import DataScope
from apps.org.errors import GroupNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Group
from apps.org.selectors.enterprises import (
    get_enterprise,
    get_own_group,
    list_managed_enterprises,
    list_visible_enterprises,
)
from apps.org.services.enterprise import enterprise_create, enterprise_delete, enterprise_update
from apps.org.services.group import group_logo_set, group_update, refuse_group_change

MANAGERS = Access.menu(MenuCode.MANAGEMENT_GROUP)


class GroupViewSet(MallViewSet):
    """The caller's own group. Other groups are not visible."""

    access = MANAGERS
    action_access = {
        "partial_update": MANAGERS.in_person(),
        "logo": MANAGERS.in_person(),
        "logo_remove": MANAGERS.in_person(),
    }
    serializer_class = s.GroupSerializer

    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(get_own_group(actor=request.user))
        return self.get_paginated_response([_group(request.user, group) for group in page])

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        group = get_own_group(actor=request.user).first()
        if group is None or pk != str(group.pk):
            raise GroupNotFound
        return Response(_group(request.user, group))

    @extend_schema(request=s.GroupBodySerializer(partial=True))
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = s.GroupBodySerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: _group(request.user, row)):
            group = group_update(actor=request.user, pk=pk, changes=changes, seen_at=seen_at)
        return Ok(_group(request.user, group), message="集团资料已保存")

    @extend_schema(
        request={
            "multipart/form-data": {
                "type": "object",
                "properties": {"file": {"type": "string", "format": "binary"}},
            }
        },
        responses=s.GroupSerializer,
    )
    @action(detail=True, methods=["post"], url_path="Logo", parser_classes=[MultiPartParser])
    def logo(self, request: AuthedRequest, pk: str) -> Response:
        """Store the uploaded picture as the group's logo: PNG, JPEG or WebP up to 2MB."""
        refuse_group_change(actor=request.user, pk=pk)
        upload = only_upload(request, missing="请选择一张图片")
        return Ok(
            _group(request.user, group_logo_set(actor=request.user, pk=pk, upload=upload)),
            message="集团标识已更换",
        )

    @extend_schema(responses=s.GroupSerializer)
    @logo.mapping.delete
    def logo_remove(self, request: AuthedRequest, pk: str) -> Response:
        return Ok(
            _group(request.user, group_logo_set(actor=request.user, pk=pk, upload=None)),
            message="集团标识已移除",
        )


def _group(actor: Account, group: Group) -> dict[str, Any]:
    can_edit = (
        actor.data_scope_of(MenuCode.MANAGEMENT_GROUP) == DataScope.GROUP
        and actor.impersonator is None
    )
    return dict(s.GroupSerializer(group, context={"can_edit": can_edit}).data)


class EnterpriseViewSet(MallViewSet):
    """Every account may read the list for selection fields. The list of 集团管理 includes disabled
    enterprises.
    """

    access = MANAGERS
    action_access = {
        "list": Access.login(),
        **{name: MANAGERS.in_person() for name in ("create", "partial_update", "destroy")},
    }
    serializer_class = EnterpriseSerializer
    paged_actions = ("list", "managed")

    def list(self, request: AuthedRequest) -> Response:
        """Return the enabled enterprises that the caller may see."""
        page = self.paginate_queryset(list_visible_enterprises(actor=request.user))
        return self.get_paginated_response(EnterpriseSerializer(page, many=True).data)

    @extend_schema(
        parameters=[s.EnterpriseQuerySerializer], responses=s.ManagedEnterpriseSerializer(many=True)
    )
    @action(detail=False, methods=["get"], url_path="Managed")
    def managed(self, request: AuthedRequest) -> Response:
        wanted = s.EnterpriseQuerySerializer.parse(request)
        rows = list_managed_enterprises(
            actor=request.user, keyword=wanted["Keyword"].strip(), is_active=wanted["IsActive"]
        )
        page: Any = self.paginate_queryset(rows)
        return self.get_paginated_response(s.ManagedEnterpriseSerializer(page, many=True).data)

    @extend_schema(responses=s.ManagedEnterpriseSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(
            s.ManagedEnterpriseSerializer(get_enterprise(actor=request.user, pk=pk)).data
        )

    @extend_schema(request=s.EnterpriseBodySerializer, responses=s.ManagedEnterpriseSerializer)
    def create(self, request: AuthedRequest) -> Response:
        fields = s.EnterpriseBodySerializer.parse(request)
        fields.pop("UpdatedAt", None)
        enterprise = enterprise_create(actor=request.user, fields=fields)
        return Ok(s.ManagedEnterpriseSerializer(enterprise).data, message="企业已新增")

    @extend_schema(
        request=s.EnterpriseBodySerializer(partial=True), responses=s.ManagedEnterpriseSerializer
    )
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = s.EnterpriseBodySerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: s.ManagedEnterpriseSerializer(row).data):
            enterprise = enterprise_update(
                actor=request.user, pk=pk, changes=changes, seen_at=seen_at
            )
        return Ok(s.ManagedEnterpriseSerializer(enterprise).data, message="企业资料已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        enterprise_delete(actor=request.user, pk=pk)
        return Ok(None, message="企业已删除")
