"""Request and response bodies of /api/Role."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import (
    BodySerializer,
    PartialSerializer,
    QuerySerializer,
    SeenAtField,
)
from apps.org.enums import DataScope as Scope
from apps.org.menus import ALL_CODES, ENTRY_NAMES, with_groups
from apps.org.models import Role
from apps.org.selectors.rights import list_excess_rights
from apps.org.services.role import RoleForm

NAME_ERRORS: dict[str, Any] = {
    "required": "请填写角色名称",
    "blank": "请填写角色名称",
    "null": "请填写角色名称",
    "max_length": "角色名称最多 60 个字",
}


class RoleQuerySerializer(QuerySerializer):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    DataScope = serializers.ChoiceField(
        choices=Scope.choices, required=False, allow_blank=True, default=""
    )


class RoleBodySerializer(BodySerializer):
    """`MenuCodes` uses the codes of the menu tree. The code of a menu group means all its
    entries. `UpdatedAt` is the value that the client read.
    """

    Name = serializers.CharField(max_length=60, error_messages=NAME_ERRORS)
    Code = serializers.RegexField(
        r"^[0-9A-Za-z_-]{1,30}$",
        required=False,
        allow_blank=True,
        error_messages={"invalid": "角色编码为 1 至 30 位字母、数字、- 或 _"},
    )
    DataScope = serializers.ChoiceField(
        choices=Scope.choices, error_messages={"required": "请选择数据范围"}
    )
    MenuCodes = serializers.ListField(
        child=serializers.ChoiceField(
            choices=ALL_CODES, error_messages={"invalid_choice": "没有这项菜单权限"}
        ),
        max_length=len(ALL_CODES),
    )
    UpdatedAt = SeenAtField(required=False, allow_null=True, default=None)

    @staticmethod
    def form(body: dict[str, Any]) -> RoleForm:
        """Return the body as a RoleForm for the service."""
        return RoleForm(**RoleBodySerializer.fields_of(body))

    @staticmethod
    def fields_of(body: dict[str, Any]) -> dict[str, Any]:
        """Return the RoleForm fields that the body contains."""
        found = {field: body[key] for key, field in FORM_FIELDS.items() if key in body}
        if "menu_codes" in found:
            found["menu_codes"] = tuple(found["menu_codes"])
        return found


FORM_FIELDS = {"Name": "name", "Code": "code", "DataScope": "data_scope", "MenuCodes": "menu_codes"}


class RoleChangeSerializer(PartialSerializer, RoleBodySerializer):
    """The changed fields of a role. `UpdatedAt` is the value that the client read. Without it,
    there is no check for concurrent changes.
    """


class RoleCopySerializer(BodySerializer):
    Name = serializers.CharField(max_length=60, error_messages=NAME_ERRORS)


class RoleSerializer(serializers.Serializer[Any]):
    """A role and its number of holders. `Grantable` is true if the caller (`actor` in the
    context) has all the rights that the role grants.
    """

    Id = serializers.CharField(source="pk")
    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    DataScope = serializers.ChoiceField(choices=Scope.choices, source="data_scope")
    DataScopeText = serializers.CharField(source="get_data_scope_display")
    MenuCodes = serializers.SerializerMethodField()
    HolderCount = serializers.IntegerField(source="holder_count")
    DisabledHolderCount = serializers.IntegerField(source="disabled_count")
    Grantable = serializers.SerializerMethodField()
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    def get_MenuCodes(self, role: Role) -> list[str]:
        """The menu entries without the menu groups, in menu order."""
        return [code for code in with_groups(set(role.menu_codes)) if code in ENTRY_NAMES]

    def get_Grantable(self, role: Role) -> bool:
        return not list_excess_rights(
            actor=self.context["actor"], codes=role.menu_codes, scope=role.data_scope
        )


class HolderSerializer(serializers.Serializer[Any]):
    """An account that has the role."""

    Id = serializers.CharField(source="pk")
    UserName = serializers.CharField(source="username")
    Name = serializers.CharField(source="nickname")
    Enterprise = serializers.CharField(source="enterprise.name", default="")
    Department = serializers.CharField(source="department.name", default="")
    IsActive = serializers.BooleanField(source="is_active")
