"""Request and response bodies of 账号管理: /api/Account."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import (
    BodySerializer,
    QuerySerializer,
    SeenAtField,
    WholeField,
    build_labelled_text_field,
)
from apps.identity.services.invitation import Channel
from apps.identity.shared_serializers import OwnerProofSerializer
from apps.org.enums import AccountState, AccountType
from apps.org.models import Account
from apps.org.selectors.accounts import NO_ROLE, AccountFilter, get_account_state
from apps.org.selectors.purchasing import list_accounts_beyond_terms
from apps.org.selectors.roles import can_manage_account
from apps.org.services.account import API_NAMES, AccountForm

MAX_ROLES_EACH = 20


class KeyField(WholeField):
    """A row's key, as text or number."""

    def __init__(self, *, message: str, **kwargs: Any) -> None:
        messages: dict[str, Any] = dict.fromkeys(
            ("required", "null", "invalid", "min_value", "max_value"), message
        )
        super().__init__(min_value=1, error_messages=messages, **kwargs)


class AccountFilterSerializer(serializers.Serializer[Any]):
    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    EnterpriseId = WholeField(min_value=1, required=False, allow_null=True, default=None)
    DepartmentId = WholeField(min_value=1, required=False, allow_null=True, default=None)
    RoleId = WholeField(
        min_value=NO_ROLE,
        required=False,
        allow_null=True,
        default=None,
        help_text="0：未分配角色",
    )
    State = serializers.ChoiceField(
        choices=AccountState.choices, required=False, allow_blank=True, default=""
    )
    UserType = serializers.ChoiceField(
        choices=AccountType.choices, required=False, allow_blank=True, default=""
    )

    @staticmethod
    def build_filters(query: dict[str, Any]) -> AccountFilter:
        """Return the query as AccountFilter for the selector."""
        return AccountFilter(
            query["Keyword"].strip(),
            query["EnterpriseId"],
            query["DepartmentId"],
            query["RoleId"],
            query["State"],
            query["UserType"],
        )


class AccountQuerySerializer(AccountFilterSerializer, QuerySerializer):
    """Filters of the list. A department includes all departments below it."""


class AccountExportSerializer(AccountFilterSerializer, BodySerializer):
    """The filters of the list, for the export."""


class AccountBodySerializer(OwnerProofSerializer):
    """A new account. A change may contain any subset of the fields. `Invite` is the channel of
    the invitation: `mail`, `code` or `none`.

    `Anyway`: save even if a colleague has the same mobile or mail. Without it, the answer is the
    error `SameContact`.
    """

    UserName = build_labelled_text_field(60, "账号", source="username")
    NickName = build_labelled_text_field(40, "昵称", source="nickname")
    FullName = build_labelled_text_field(
        40, "姓名", source="full_name", required=False, allow_blank=True
    )
    JobTitle = build_labelled_text_field(
        40, "职务", source="job_title", required=False, allow_blank=True
    )
    Mobile = build_labelled_text_field(
        20, "手机号码", source="mobile", required=False, allow_blank=True
    )
    Email = serializers.EmailField(
        source="email",
        max_length=254,
        required=False,
        allow_blank=True,
        error_messages={"invalid": "请输入正确的邮箱地址"},
    )
    DepartmentId = KeyField(message="请选择部门")
    RoleIds = serializers.ListField(
        child=KeyField(message="请选择角色"), max_length=MAX_ROLES_EACH, required=False
    )
    UserType = serializers.ChoiceField(choices=AccountType.choices, required=False)
    Invite = serializers.ChoiceField(choices=[*Channel, "none"], default="none")
    Anyway = serializers.BooleanField(required=False, default=False)

    @staticmethod
    def build_form(body: dict[str, Any]) -> AccountForm:
        """Return the body as an AccountForm for the service."""
        roles = body.get("RoleIds")
        return AccountForm(
            fields={name: body[name] for name in API_NAMES if name in body},
            department_id=body.get("DepartmentId"),
            role_ids=None if roles is None else tuple(roles),
            kind=body.get("UserType"),
            ignore_warnings=body.get("Anyway", False),
        )


class AccountChangeSerializer(AccountBodySerializer):
    """`UpdatedAt` is the value that the client read. The user name cannot change."""

    UserName = None  # type: ignore[assignment]
    Invite = None  # type: ignore[assignment]
    UpdatedAt = SeenAtField(required=False, allow_null=True)


class ChannelSerializer(OwnerProofSerializer):
    Channel = serializers.ChoiceField(choices=list(Channel), default=Channel.MAIL)


class NamedKeySerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")


class AccountSerializer(serializers.Serializer[Any]):
    """A colleague. `CanManage` is true if the caller (`actor` in the context) has all rights of
    the colleague, and his own terms bind the colleague's orders, so that he may change the account.
    """

    Id = serializers.CharField(source="pk")
    UserName = serializers.CharField(source="username")
    UserType = serializers.ChoiceField(choices=AccountType.choices, source="kind")
    UserTypeText = serializers.CharField(source="get_kind_display")
    NickName = serializers.CharField(source="nickname")
    FullName = serializers.CharField(source="full_name")
    JobTitle = serializers.CharField(source="job_title")
    Mobile = serializers.CharField(source="mobile")
    Email = serializers.CharField(source="email")
    Enterprise = NamedKeySerializer(source="enterprise", allow_null=True)
    Department = NamedKeySerializer(source="department", allow_null=True)
    Roles = NamedKeySerializer(source="roles.all", many=True)
    State = serializers.SerializerMethodField()
    StateText = serializers.SerializerMethodField()
    HasPassword = serializers.BooleanField(source="has_usable_password")
    CanManage = serializers.SerializerMethodField()
    LastLogin = serializers.DateTimeField(source="last_login", allow_null=True)
    CreatedAt = serializers.DateTimeField(source="created_at")
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    def get_State(self, account: Account) -> str:
        return str(get_account_state(account))

    def get_StateText(self, account: Account) -> str:
        return str(get_account_state(account).label)

    def get_CanManage(self, account: Account) -> bool:
        is_within_rights = can_manage_account(
            actor=self.context["actor"], account=account, grantable=self.grantable
        )
        return is_within_rights and account.pk not in self.beyond_terms

    @cached_property
    def grantable(self) -> dict[int, bool]:
        """A cache by role, used while a list is serialized."""
        return {}

    @cached_property
    def beyond_terms(self) -> set[int]:
        """The ids of the serialized accounts whose orders the caller's terms do not bind."""
        accounts: Any = [self.instance] if self.parent is None else self.parent.instance
        return list_accounts_beyond_terms(actor=self.context["actor"], accounts=accounts)


class InvitationSerializer(serializers.Serializer[Any]):
    """Code and Link are present only if the caller hands them over. They cannot be read again
    later.
    """

    Channel = serializers.CharField(source="channel")
    UserName = serializers.CharField(source="account.username")
    Email = serializers.CharField(source="account.email")
    Code = serializers.CharField(source="code")
    Link = serializers.CharField(source="link")
    ExpiresAt = serializers.DateTimeField(source="expires_at")


class OpenedSerializer(AccountSerializer):
    """A new account and its invitation."""

    Invitation = InvitationSerializer(allow_null=True)
