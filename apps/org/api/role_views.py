"""/api/Role: roles, the rights that they grant, and their holders."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.common.errors import Stale
from apps.org.api import role_serializers as r
from apps.org.api.serializers import MenuGroupSerializer
from apps.org.menus import MENU_TREE, MenuCode
from apps.org.models import Role
from apps.org.selectors.roles import get_role, list_role_holders, list_roles
from apps.org.services.role import role_copy, role_create, role_delete, role_update

WRITES = ("create", "partial_update", "destroy", "copy")


class RoleViewSet(MallViewSet):
    """角色管理. Accounts that assign roles or name a role in a rule may also read the list."""

    access = Access.menu(MenuCode.MANAGEMENT_ROLE)
    action_access = {
        "list": Access.menu(
            MenuCode.MANAGEMENT_ROLE, MenuCode.MANAGEMENT_ACCOUNT, MenuCode.MANAGEMENT_APPROVAL
        ),
        **dict.fromkeys(WRITES, Access.menu(MenuCode.MANAGEMENT_ROLE).in_person()),
    }
    serializer_class = r.RoleSerializer
    lookup_value_regex = DIGITS
    paged_actions = ("list", "accounts")

    def _shown(self, request: AuthedRequest, role: Role) -> dict[str, object]:
        return dict(r.RoleSerializer(get_role(pk=role.pk), context={"actor": request.user}).data)

    @extend_schema(parameters=[r.RoleQuerySerializer], responses=r.RoleSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        query = r.RoleQuerySerializer.parse(request)
        page = self.paginate_queryset(
            list_roles(keyword=query["Keyword"], scope=query["DataScope"])
        )
        return self.get_paginated_response(
            r.RoleSerializer(page, many=True, context={"actor": request.user}).data
        )

    @extend_schema(responses=r.RoleSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(self._shown(request, get_role(pk=int(pk))))

    @extend_schema(request=r.RoleBodySerializer, responses=r.RoleSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        role = role_create(
            actor=request.user, form=r.RoleBodySerializer.form(r.RoleBodySerializer.parse(request))
        )
        return Ok(self._shown(request, role), message="角色已新增")

    @extend_schema(request=r.RoleChangeSerializer, responses=r.RoleSerializer)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        get_role(pk=int(pk))
        body = r.RoleChangeSerializer.parse(request)
        changes = r.RoleChangeSerializer.fields_of(body)
        try:
            role = role_update(
                actor=request.user, pk=int(pk), changes=changes, seen_at=body.get("UpdatedAt")
            )
        except Stale as error:
            raise Stale(error.text, body=self._shown(request, get_role(pk=int(pk)))) from error
        return Ok(self._shown(request, role), message="角色已保存，即时生效")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        role_delete(actor=request.user, pk=int(pk))
        return Ok(None, message="角色已删除")

    @extend_schema(request=r.RoleCopySerializer, responses=r.RoleSerializer)
    @action(detail=True, methods=["post"], url_path="Copy")
    @idempotent
    def copy(self, request: AuthedRequest, pk: str) -> Response:
        get_role(pk=int(pk))
        role = role_copy(
            actor=request.user, pk=int(pk), name=r.RoleCopySerializer.parse(request)["Name"]
        )
        return Ok(self._shown(request, role), message="已复制为新角色")

    @extend_schema(responses=r.HolderSerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Accounts")
    def accounts(self, request: AuthedRequest, pk: str) -> Response:
        """Return the holders of the role within the caller's data scope."""
        page = self.paginate_queryset(
            list_role_holders(actor=request.user, role=get_role(pk=int(pk)))
        )
        return self.get_paginated_response(r.HolderSerializer(page, many=True).data)

    @extend_schema(responses=MenuGroupSerializer(many=True), filters=False)
    @action(detail=False, methods=["get"], url_path="MenuTree", pagination_class=None)
    def menu_tree(self, request: AuthedRequest) -> Response:
        tree = [
            {
                "Code": group,
                "Name": name,
                "Children": [{"Code": code, "Name": text} for code, text in entries],
            }
            for group, (name, entries) in MENU_TREE.items()
        ]
        return Response(MenuGroupSerializer(tree, many=True).data)
