"""/api/Role: roles, the rights that they grant, and their holders, with their request and response
bodies. /api/Account/{id}/Limits: the purchase limits of one account, and its choices at the
checkout.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.idempotency import idempotent
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    BodySerializer,
    PartialSerializer,
    QuerySerializer,
    SeenAtField,
    list_of,
)
from apps.common.api.views import DIGITS, AuthedRequest, MallViewSet
from apps.common.errors import Stale
from apps.org.api.serializers import (
    MenuGroupSerializer,
    PurchaseLimitSerializer,
    build_limit_forms,
)
from apps.org.enums import AddressScope as AddressScopeChoices
from apps.org.enums import DataScope as Scope
from apps.org.enums import PaymentKind, PurchasingRight
from apps.org.menus import ALL_CODES, ENTRY_NAMES, MENU_TREE, MenuCode, with_groups
from apps.org.models import Account, Role
from apps.org.selectors.accounts import get_account
from apps.org.selectors.purchasing import list_purchase_limits
from apps.org.selectors.roles import can_grant, get_role, list_role_holders, list_roles
from apps.org.services.role import (
    MAX_LIMITS,
    AccountTermsForm,
    RoleForm,
    account_terms_set,
    list_limits,
    role_copy,
    role_create,
    role_delete,
    role_update,
)

NAME_ERRORS: dict[str, Any] = {
    "required": "请填写角色名称",
    "blank": "请填写角色名称",
    "null": "请填写角色名称",
    "max_length": "角色名称最多 60 个字",
}
FORM_FIELDS = {
    "Name": "name",
    "Code": "code",
    "DataScope": "data_scope",
    "Purchasing": "purchasing",
    "PaymentKinds": "payment_kinds",
    "AddressScope": "address_scope",
    "Limits": "limits",
    "MenuCodes": "menu_codes",
}
WRITES = ("create", "partial_update", "destroy", "copy")


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
    Purchasing = serializers.ChoiceField(
        choices=PurchasingRight.choices,
        required=False,
        help_text="采购权限，不填为 order（下单）",
    )
    PaymentKinds = serializers.MultipleChoiceField(
        choices=PaymentKind.choices,
        required=False,
        help_text="可用付款方式，空为不限；仅集团管理员可修改",
    )
    AddressScope = serializers.ChoiceField(
        choices=AddressScopeChoices.choices,
        required=False,
        help_text="可用收货地址；仅集团管理员可修改",
    )
    Limits = list_of(
        PurchaseLimitSerializer,
        max_length=MAX_LIMITS,
        required=False,
        help_text="采购限额，按人计算；仅集团管理员可修改，不填为不变",
    )
    MenuCodes = serializers.ListField(
        child=serializers.ChoiceField(
            choices=ALL_CODES, error_messages={"invalid_choice": "没有这项菜单权限"}
        ),
        max_length=len(ALL_CODES),
    )
    UpdatedAt = SeenAtField(required=False, allow_null=True, default=None)

    @staticmethod
    def build_form(body: dict[str, Any]) -> RoleForm:
        """Return the body as a RoleForm for the service."""
        return RoleForm(**RoleBodySerializer.build_form_fields(body))

    @staticmethod
    def build_form_fields(body: dict[str, Any]) -> dict[str, Any]:
        """Return the RoleForm fields that the body contains."""
        fields = {field: body[key] for key, field in FORM_FIELDS.items() if key in body}
        if "payment_kinds" in fields:
            fields["payment_kinds"] = tuple(fields["payment_kinds"])
        if "limits" in fields:
            fields["limits"] = build_limit_forms(fields["limits"])
        if "menu_codes" in fields:
            fields["menu_codes"] = tuple(fields["menu_codes"])
        return fields


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
    Purchasing = serializers.ChoiceField(choices=PurchasingRight.choices, source="purchasing")
    PurchasingText = serializers.CharField(source="get_purchasing_display")
    PaymentKinds = serializers.ListField(
        source="payment_kinds", child=serializers.ChoiceField(choices=PaymentKind.choices)
    )
    AddressScope = serializers.ChoiceField(
        choices=AddressScopeChoices.choices, source="address_scope"
    )
    Limits = serializers.SerializerMethodField()
    MenuCodes = serializers.SerializerMethodField()
    HolderCount = serializers.IntegerField(source="holder_count")
    DisabledHolderCount = serializers.IntegerField(source="disabled_count")
    Grantable = serializers.SerializerMethodField()
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    @extend_schema_field(PurchaseLimitSerializer(many=True))
    def get_Limits(self, role: Role) -> list[dict[str, Any]]:
        """The purchase limits of each person of the role."""
        return [dict(PurchaseLimitSerializer(limit).data) for limit in role.limits.all()]

    def get_MenuCodes(self, role: Role) -> list[str]:
        """The menu entries without the menu groups, in menu order."""
        return [code for code in with_groups(set(role.menu_codes)) if code in ENTRY_NAMES]

    def get_Grantable(self, role: Role) -> bool:
        return can_grant(actor=self.context["actor"], role=role)


class HolderSerializer(serializers.Serializer[Any]):
    """An account that has the role."""

    Id = serializers.CharField(source="pk")
    UserName = serializers.CharField(source="username")
    Name = serializers.CharField(source="nickname")
    Enterprise = serializers.CharField(source="enterprise.name", default="")
    Department = serializers.CharField(source="department.name", default="")
    IsActive = serializers.BooleanField(source="is_active")


class RoleViewSet(MallViewSet):
    """角色管理. Accounts that assign roles or name a role in a rule may also read the list."""

    access = Access.menu(MenuCode.MANAGEMENT_ROLE)
    action_access = {
        "list": Access.menu(
            MenuCode.MANAGEMENT_ROLE, MenuCode.MANAGEMENT_ACCOUNT, MenuCode.MANAGEMENT_APPROVAL
        ),
        **dict.fromkeys(WRITES, Access.menu(MenuCode.MANAGEMENT_ROLE).in_person()),
    }
    serializer_class = RoleSerializer
    lookup_value_regex = DIGITS
    paged_actions = ("list", "accounts")

    def _role_json(self, request: AuthedRequest, role: Role) -> dict[str, object]:
        return dict(RoleSerializer(get_role(pk=role.pk), context={"actor": request.user}).data)

    @extend_schema(parameters=[RoleQuerySerializer], responses=RoleSerializer(many=True))
    def list(self, request: AuthedRequest) -> Response:
        query = RoleQuerySerializer.parse(request)
        page = self.paginate_queryset(
            list_roles(keyword=query["Keyword"], scope=query["DataScope"])
        )
        return self.get_paginated_response(
            RoleSerializer(page, many=True, context={"actor": request.user}).data
        )

    @extend_schema(responses=RoleSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(self._role_json(request, get_role(pk=int(pk))))

    @extend_schema(request=RoleBodySerializer, responses=RoleSerializer)
    @idempotent
    def create(self, request: AuthedRequest) -> Response:
        role = role_create(
            actor=request.user,
            form=RoleBodySerializer.build_form(RoleBodySerializer.parse(request)),
        )
        return Ok(self._role_json(request, role), message="角色已新增")

    @extend_schema(request=RoleChangeSerializer, responses=RoleSerializer)
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        get_role(pk=int(pk))
        body = RoleChangeSerializer.parse(request)
        changes = RoleChangeSerializer.build_form_fields(body)
        try:
            role = role_update(
                actor=request.user, pk=int(pk), changes=changes, seen_at=body.get("UpdatedAt")
            )
        except Stale as error:
            raise Stale(error.text, body=self._role_json(request, get_role(pk=int(pk)))) from error
        return Ok(self._role_json(request, role), message="角色已保存，即时生效")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        role_delete(actor=request.user, pk=int(pk))
        return Ok(None, message="角色已删除")

    @extend_schema(request=RoleCopySerializer, responses=RoleSerializer)
    @action(detail=True, methods=["post"], url_path="Copy")
    @idempotent
    def copy(self, request: AuthedRequest, pk: str) -> Response:
        get_role(pk=int(pk))
        role = role_copy(
            actor=request.user, pk=int(pk), name=RoleCopySerializer.parse(request)["Name"]
        )
        return Ok(self._role_json(request, role), message="已复制为新角色")

    @extend_schema(responses=HolderSerializer(many=True))
    @action(detail=True, methods=["get"], url_path="Accounts")
    def accounts(self, request: AuthedRequest, pk: str) -> Response:
        """Return the holders of the role within the caller's data scope."""
        page = self.paginate_queryset(
            list_role_holders(actor=request.user, role=get_role(pk=int(pk)))
        )
        return self.get_paginated_response(HolderSerializer(page, many=True).data)

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


class AccountLimitsBody(BodySerializer):
    """All limits of the account. An empty list removes them, so that those of its roles apply.
    `PaymentKinds` and `AddressScope` narrow what its roles allow.
    """

    Limits = list_of(PurchaseLimitSerializer, max_length=MAX_LIMITS)
    PaymentKinds = serializers.MultipleChoiceField(
        choices=PaymentKind.choices,
        required=False,
        help_text="本账号可用付款方式，空为按角色；不填为不变",
    )
    AddressScope = serializers.ChoiceField(
        choices=AddressScopeChoices.choices,
        required=False,
        help_text="本账号可用收货地址；不填为不变",
    )

    @staticmethod
    def form(body: dict[str, Any]) -> AccountTermsForm:
        """Return the body as the form for the service."""
        return AccountTermsForm(
            limits=build_limit_forms(body["Limits"]),
            payment_kinds=tuple(body["PaymentKinds"]) if "PaymentKinds" in body else None,
            address_scope=body.get("AddressScope"),
        )


class AccountLimitsSerializer(serializers.Serializer[Any]):
    """`Limits` belong to the account. `InForce` apply to its orders: a limit of the account
    replaces the limits of its roles for the same period and category. `PaymentKinds` (empty for
    no restriction) and `AddressScope` belong to the account; `PaymentKindsInForce` and
    `AddressScopeInForce` are what it and its roles allow together.
    """

    Limits = PurchaseLimitSerializer(many=True)
    InForce = PurchaseLimitSerializer(many=True)
    PaymentKinds = serializers.ListField(child=serializers.ChoiceField(choices=PaymentKind.choices))
    PaymentKindsInForce = serializers.ListField(
        child=serializers.ChoiceField(choices=PaymentKind.choices)
    )
    AddressScope = serializers.ChoiceField(choices=AddressScopeChoices.choices)
    AddressScopeInForce = serializers.ChoiceField(choices=AddressScopeChoices.choices)


class AccountLimitsViewSet(MallViewSet):
    """采购限额 and the choices at the checkout of a colleague. Only a group admin changes them."""

    access = Access.menu(MenuCode.MANAGEMENT_ACCOUNT)
    action_access = {"change_limits": Access.menu(MenuCode.MANAGEMENT_ACCOUNT).in_person()}
    serializer_class = AccountLimitsSerializer
    lookup_value_regex = DIGITS
    pagination_class = None

    @extend_schema(responses=AccountLimitsSerializer)
    @action(detail=True, methods=["get"], url_path="Limits")
    def limits(self, request: AuthedRequest, pk: str) -> Response:
        return Response(_serialize_limits(get_account(actor=request.user, pk=int(pk))))

    @extend_schema(request=AccountLimitsBody, responses=AccountLimitsSerializer)
    @limits.mapping.put
    def change_limits(self, request: AuthedRequest, pk: str) -> Response:
        get_account(actor=request.user, pk=int(pk))
        form = AccountLimitsBody.form(AccountLimitsBody.parse(request))
        account = account_terms_set(actor=request.user, pk=int(pk), form=form)
        return Ok(_serialize_limits(account), message="采购限额已保存，下一张订单起生效")


def _serialize_limits(account: Account) -> dict[str, Any]:
    return dict(
        AccountLimitsSerializer(
            {
                "Limits": list_limits(account=account),
                "InForce": list_purchase_limits(actor=account),
                "PaymentKinds": account.own_payment_kinds,
                "PaymentKindsInForce": account.payment_kinds,
                "AddressScope": account.own_address_scope,
                "AddressScopeInForce": account.address_scope,
            }
        ).data
    )
