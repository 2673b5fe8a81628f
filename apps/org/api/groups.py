"""/api/Group, the management endpoints of /api/Enterprise (集团管理), and the group in the page
header, with their request and response bodies.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.api.access import Access
from apps.common.api.exceptions import serialize_stale
from apps.common.api.files import only_upload
from apps.common.api.renderers import Ok
from apps.common.api.serializers import (
    BodySerializer,
    MoneyField,
    QuerySerializer,
    SeenAtField,
    WholeField,
    build_labelled_text_field,
)
from apps.common.api.views import AuthedRequest, MallViewSet, find_account
from apps.org.api.serializers import EnterpriseSerializer, GroupSetSerializer
from apps.org.enums import BudgetChoice, DataScope, InvoiceKind, OverBudget, PaymentKind
from apps.org.errors import GroupNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Group
from apps.org.selectors.enterprises import (
    get_enterprise,
    get_own_group,
    list_managed_enterprises,
    list_visible_enterprises,
)
from apps.org.services.group import (
    enterprise_create,
    enterprise_delete,
    enterprise_update,
    group_logo_set,
    group_update,
    refuse_group_change,
)

# The platform's maximum lifetime of a sign-in: 30 days.
MAX_SESSION_HOURS = 720
# Twenty working days.
MAX_WORKING_HOURS = 180
MANAGERS = Access.menu(MenuCode.MANAGEMENT_GROUP)


def _build_working_hours_field(source: str) -> serializers.IntegerField:
    messages: dict[str, Any] = {
        "max_value": "最长 180 工作小时（20 个工作日）",
        "min_value": "请输入 0 或以上的整数",
        "invalid": "请输入整数小时",
    }
    return WholeField(
        source=source, min_value=0, max_value=MAX_WORKING_HOURS, error_messages=messages
    )


class SettingsSerializer(serializers.Serializer[Any]):
    """Settings that apply to all accounts of the group."""

    OverBudget = serializers.ChoiceField(source="over_budget", choices=OverBudget.choices)
    BudgetChoice = serializers.ChoiceField(
        source="budget_choice", choices=BudgetChoice.choices, help_text="订单的预算如何确定"
    )
    PaymentKinds = serializers.ListField(
        source="payments", child=serializers.ChoiceField(choices=PaymentKind.choices)
    )
    InvoiceKinds = serializers.ListField(
        source="invoices", child=serializers.ChoiceField(choices=InvoiceKind.choices)
    )
    ApprovalRemindHours = serializers.IntegerField(source="approval_remind_hours")
    ApprovalEscalateHours = serializers.IntegerField(source="approval_escalate_hours")
    AllowsWeChatWork = serializers.BooleanField(source="allows_wechat_work")
    SessionHours = serializers.IntegerField(source="session_hours", allow_null=True)
    HasSingleSession = serializers.BooleanField(source="has_single_session")
    RequiresSecondFactor = serializers.BooleanField(source="requires_second_factor")


class GroupSerializer(serializers.Serializer[Any]):
    """The caller's group. Only the platform changes its code and its state."""

    Id = serializers.CharField(source="pk")
    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    ShortName = serializers.CharField(source="short_name")
    Industry = serializers.CharField(source="industry")
    Logo = serializers.CharField(source="logo")
    Settings = SettingsSerializer(source="*")
    CanEdit = serializers.SerializerMethodField()
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    def get_CanEdit(self, group: Any) -> bool:
        return bool(self.context["can_edit"])


class GroupBodySerializer(BodySerializer):
    """Any field of the profile and the settings. `UpdatedAt` is the value that the client read."""

    UpdatedAt = SeenAtField(required=False)
    Name = build_labelled_text_field(100, "集团名称", source="name")
    ShortName = build_labelled_text_field(30, "简称", source="short_name", allow_blank=True)
    Industry = build_labelled_text_field(40, "行业", source="industry", allow_blank=True)
    OverBudget = serializers.ChoiceField(source="over_budget", choices=OverBudget.choices)
    BudgetChoice = serializers.ChoiceField(
        source="budget_choice", choices=BudgetChoice.choices, help_text="订单的预算如何确定"
    )
    PaymentKinds = serializers.MultipleChoiceField(
        source="payment_kinds",
        choices=PaymentKind.choices,
        allow_empty=False,
        error_messages={"empty": "请至少保留一种付款方式"},
    )
    InvoiceKinds = serializers.MultipleChoiceField(
        source="invoice_kinds",
        choices=InvoiceKind.choices,
        allow_empty=False,
        error_messages={"empty": "请至少保留一种发票种类"},
    )
    ApprovalRemindHours = _build_working_hours_field("approval_remind_hours")
    ApprovalEscalateHours = _build_working_hours_field("approval_escalate_hours")
    AllowsWeChatWork = serializers.BooleanField(source="allows_wechat_work")
    SessionHours = WholeField(
        source="session_hours",
        min_value=1,
        max_value=MAX_SESSION_HOURS,
        allow_null=True,
        error_messages={
            "min_value": "至少 1 小时",
            "max_value": "最长 720 小时（30 天）",
            "invalid": "请输入整数小时",
        },
    )
    HasSingleSession = serializers.BooleanField(source="has_single_session")
    RequiresSecondFactor = serializers.BooleanField(source="requires_second_factor")

    def validate_PaymentKinds(self, kinds: set[str]) -> list[str]:
        """Return the kinds in screen order. All kinds together are stored as "no limit", so
        that kinds added later are included.
        """
        return (
            []
            if len(kinds) == len(PaymentKind)
            else [kind for kind in PaymentKind.values if kind in kinds]
        )

    def validate_InvoiceKinds(self, kinds: set[str]) -> list[str]:
        """The same rule as for payment kinds."""
        return (
            []
            if len(kinds) == len(InvoiceKind)
            else [kind for kind in InvoiceKind.values if kind in kinds]
        )


class EnterpriseQuerySerializer(QuerySerializer):
    Keyword = serializers.CharField(required=False, allow_blank=True, max_length=60, default="")
    IsActive = serializers.BooleanField(required=False, allow_null=True, default=None)


class EnterpriseBodySerializer(BodySerializer):
    """A legal entity. A change may contain any subset of the fields."""

    UpdatedAt = SeenAtField(required=False)
    Code = build_labelled_text_field(30, "企业编码", source="code")
    Name = build_labelled_text_field(100, "企业名称", source="name")
    CreditCode = build_labelled_text_field(18, "统一社会信用代码", source="credit_code")
    Province = build_labelled_text_field(
        30, "省", source="province", required=False, allow_blank=True
    )
    City = build_labelled_text_field(30, "市", source="city", required=False, allow_blank=True)
    District = build_labelled_text_field(
        30, "区县", source="district", required=False, allow_blank=True
    )
    Street = build_labelled_text_field(
        200, "详细地址", source="street", required=False, allow_blank=True
    )
    Phone = build_labelled_text_field(30, "电话", source="phone", required=False, allow_blank=True)
    IsActive = serializers.BooleanField(source="is_active", required=False)

    def validate_CreditCode(self, code: str) -> str:
        return code.replace(" ", "").upper()


class ManagedEnterpriseSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    CreditCode = serializers.CharField(source="credit_code")
    Province = serializers.CharField(source="province")
    City = serializers.CharField(source="city")
    District = serializers.CharField(source="district")
    Street = serializers.CharField(source="street")
    Phone = serializers.CharField(source="phone")
    CreditLimit = MoneyField(source="credit_limit", allow_null=True)
    CreditDays = serializers.IntegerField(source="credit_days")
    IsActive = serializers.BooleanField(source="is_active")
    AccountCount = serializers.IntegerField(source="account_count")
    DepartmentCount = serializers.IntegerField(source="department_count")
    UpdatedAt = serializers.DateTimeField(source="updated_at")


class GroupViewSet(MallViewSet):
    """The caller's own group. Other groups are not visible. `mall/group_security.py` asks for
    the owner's proof before a change of the second factor's requirement.
    """

    access = MANAGERS
    action_access = {
        "partial_update": MANAGERS.in_person(),
        "logo": MANAGERS.in_person(),
        "logo_remove": MANAGERS.in_person(),
    }
    serializer_class = GroupSerializer

    def list(self, request: AuthedRequest) -> Response:
        page: Any = self.paginate_queryset(get_own_group(actor=request.user))
        return self.get_paginated_response(
            [_serialize_group(request.user, group) for group in page]
        )

    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        group = get_own_group(actor=request.user).first()
        if group is None or pk != str(group.pk):
            raise GroupNotFound
        return Response(_serialize_group(request.user, group))

    @extend_schema(request=GroupBodySerializer(partial=True))
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        return self.save_changes(request, pk, GroupBodySerializer.parse(request, partial=True))

    def save_changes(self, request: AuthedRequest, pk: str, changes: dict[str, Any]) -> Response:
        """Save the parsed body and return the group."""
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: _serialize_group(request.user, row)):
            group = group_update(actor=request.user, pk=pk, changes=changes, seen_at=seen_at)
        return Ok(_serialize_group(request.user, group), message="集团资料已保存")

    @extend_schema(
        request={
            "multipart/form-data": {
                "type": "object",
                "properties": {"file": {"type": "string", "format": "binary"}},
            }
        },
        responses=GroupSerializer,
    )
    @action(detail=True, methods=["post"], url_path="Logo", parser_classes=[MultiPartParser])
    def logo(self, request: AuthedRequest, pk: str) -> Response:
        """Store the uploaded picture as the group's logo: PNG, JPEG or WebP up to 2MB."""
        refuse_group_change(actor=request.user, pk=pk)
        upload = only_upload(request, missing_message="请选择一张图片")
        return Ok(
            _serialize_group(
                request.user, group_logo_set(actor=request.user, pk=pk, upload=upload)
            ),
            message="集团标识已更换",
        )

    @extend_schema(responses=GroupSerializer)
    @logo.mapping.delete
    def logo_remove(self, request: AuthedRequest, pk: str) -> Response:
        return Ok(
            _serialize_group(request.user, group_logo_set(actor=request.user, pk=pk, upload=None)),
            message="集团标识已移除",
        )


def _serialize_group(actor: Account, group: Group) -> dict[str, Any]:
    can_edit = (
        actor.get_data_scope(MenuCode.MANAGEMENT_GROUP) == DataScope.GROUP
        and actor.impersonator is None
    )
    return dict(GroupSerializer(group, context={"can_edit": can_edit}).data)


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
        parameters=[EnterpriseQuerySerializer], responses=ManagedEnterpriseSerializer(many=True)
    )
    @action(detail=False, methods=["get"], url_path="Managed")
    def managed(self, request: AuthedRequest) -> Response:
        query = EnterpriseQuerySerializer.parse(request)
        rows = list_managed_enterprises(
            actor=request.user, keyword=query["Keyword"].strip(), is_active=query["IsActive"]
        )
        page: Any = self.paginate_queryset(rows)
        return self.get_paginated_response(ManagedEnterpriseSerializer(page, many=True).data)

    @extend_schema(responses=ManagedEnterpriseSerializer)
    def retrieve(self, request: AuthedRequest, pk: str) -> Response:
        return Response(ManagedEnterpriseSerializer(get_enterprise(actor=request.user, pk=pk)).data)

    @extend_schema(request=EnterpriseBodySerializer, responses=ManagedEnterpriseSerializer)
    def create(self, request: AuthedRequest) -> Response:
        fields = EnterpriseBodySerializer.parse(request)
        fields.pop("UpdatedAt", None)
        enterprise = enterprise_create(actor=request.user, fields=fields)
        return Ok(ManagedEnterpriseSerializer(enterprise).data, message="企业已新增")

    @extend_schema(
        request=EnterpriseBodySerializer(partial=True), responses=ManagedEnterpriseSerializer
    )
    def partial_update(self, request: AuthedRequest, pk: str) -> Response:
        changes = EnterpriseBodySerializer.parse(request, partial=True)
        seen_at = changes.pop("UpdatedAt", None)
        with serialize_stale(lambda row: ManagedEnterpriseSerializer(row).data):
            enterprise = enterprise_update(
                actor=request.user, pk=pk, changes=changes, seen_at=seen_at
            )
        return Ok(ManagedEnterpriseSerializer(enterprise).data, message="企业资料已保存")

    @extend_schema(responses=OpenApiTypes.NONE)
    def destroy(self, request: AuthedRequest, pk: str) -> Response:
        enterprise_delete(actor=request.user, pk=pk)
        return Ok(None, message="企业已删除")


class ManageServiceViewSet(MallViewSet):
    """The customer's name and logo for the page header. Empty for a visitor."""

    access = Access.public()
    serializer_class = GroupSetSerializer

    @extend_schema(request=None, responses=GroupSetSerializer)
    @action(detail=False, methods=["post"], url_path="EnterpriseGroupSet")
    def enterprise_group_set(self, request: Request) -> Response:
        account = find_account(request)
        group = account.group if account else None
        enterprise = account.enterprise if account else None
        return Response(
            {
                "CustomerLogo": (group.logo or None) if group else None,
                "GroupName": group.name if group else None,
                "EnterpriseName": enterprise.name if enterprise else None,
            }
        )
