"""GET /api/Account/Sight: preview the rights of an account."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.serializers import IdField, QuerySerializer
from apps.common.api.views import AuthedRequest, MallViewSet
from apps.common.errors import ValidationFailed
from apps.orders.selectors.access_preview import AccessPreview, get_access_preview
from apps.org.enums import AccountType
from apps.org.enums import DataScope as Scope
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, Role
from apps.org.selectors.accounts import get_account, list_assignable_departments

MAX_ROLES = 20


class AccessPreviewQuerySerializer(QuerySerializer):
    """An existing account, optionally with other roles (`RoleIds`, comma separated, may be
    empty), department or kind. Without `AccountId`, a person who has no account yet.
    """

    AccountId = IdField(required=False)
    DepartmentId = IdField(required=False)
    RoleIds = serializers.RegexField(
        r"^([0-9]{1,18}(,[0-9]{1,18})*)?$", required=False, allow_blank=True, max_length=400
    )
    UserType = serializers.ChoiceField(choices=AccountType.choices, required=False)


class EntryAccessSerializer(serializers.Serializer[Any]):
    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    DataScope = serializers.ChoiceField(choices=Scope.choices, source="scope")
    ScopeText = serializers.CharField(source="scope_text")
    People = serializers.IntegerField(source="people")


class MenuGroupAccessSerializer(serializers.Serializer[Any]):
    Name = serializers.CharField()
    Entries = EntryAccessSerializer(many=True)


class AccessPreviewSerializer(serializers.Serializer[Any]):
    """`People` counts the widest data scope, `Orders` the order list (null without that entry).
    `Groups` are the entries of the left menu.
    """

    ScopeText = serializers.CharField()
    People = serializers.IntegerField()
    Orders = serializers.IntegerField(allow_null=True)
    Groups = MenuGroupAccessSerializer(many=True)


class AccessPreviewViewSet(MallViewSet):
    """Preview for a person who assigns roles."""

    access = Access.menu(MenuCode.MANAGEMENT_ACCOUNT)
    serializer_class = AccessPreviewSerializer

    @extend_schema(parameters=[AccessPreviewQuerySerializer], responses=AccessPreviewSerializer)
    @action(detail=False, methods=["get"], url_path="Sight")
    def preview(self, request: AuthedRequest) -> Response:
        query = AccessPreviewQuerySerializer.parse(request)
        account = (
            get_account(actor=request.user, pk=query["AccountId"]) if "AccountId" in query else None
        )
        preview = get_access_preview(
            group_id=request.user.group_id or 0,
            department=_get_department(request.user, query.get("DepartmentId"), account),
            roles=_list_roles(query.get("RoleIds"), account),
            kind=query.get("UserType") or (account.kind if account else AccountType.NORMAL),
            account=account,
        )
        return Response(_serialize_preview(preview))


def _get_department(actor: Account, pk: int | None, account: Account | None) -> Department | None:
    if pk is None:
        return account.department if account else None
    department = (
        list_assignable_departments(actor=actor).select_related("enterprise").filter(pk=pk).first()
    )
    if department is None:
        raise ValidationFailed({"DepartmentId": ["请选择您数据范围内的部门"]})
    return department


def _list_roles(keys: str | None, account: Account | None) -> list[Role]:
    if keys is None:
        return list(account.roles.all()) if account else []
    return list(
        Role.objects.filter(pk__in=[int(key) for key in keys.split(",")[:MAX_ROLES] if key])
    )


def _serialize_preview(preview: AccessPreview) -> dict[str, Any]:
    groups = [
        {"Name": name, "Entries": EntryAccessSerializer(entries, many=True).data}
        for name, entries in preview.groups
    ]
    return {
        "ScopeText": preview.scope_text,
        "People": preview.people,
        "Orders": preview.orders,
        "Groups": groups,
    }
