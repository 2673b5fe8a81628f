"""Request and response bodies of 集团管理."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import BodySerializer, MoneyField, QuerySerializer, SeenAtField
from apps.org.api.serializers import text
from apps.org.enums import InvoiceKind, OverBudget, PaymentKind

# The platform's maximum lifetime of a sign-in: 30 days.
MOST_HOURS = 720
# Twenty working days.
MOST_WORKING_HOURS = 180


def _working_hours(source: str) -> serializers.IntegerField:
    messages: dict[str, Any] = {
        "max_value": "最长 180 工作小时（20 个工作日）",
        "min_value": "请输入 0 或以上的整数",
        "invalid": "请输入整数小时",
    }
    return serializers.IntegerField(
        source=source, min_value=0, max_value=MOST_WORKING_HOURS, error_messages=messages
    )


class SettingsSerializer(serializers.Serializer[Any]):
    """Settings that apply to all accounts of the group."""

    OverBudget = serializers.ChoiceField(source="over_budget", choices=OverBudget.choices)
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
    Name = text("name", 100, "集团名称")
    ShortName = text("short_name", 30, "简称", allow_blank=True)
    Industry = text("industry", 40, "行业", allow_blank=True)
    OverBudget = serializers.ChoiceField(source="over_budget", choices=OverBudget.choices)
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
    ApprovalRemindHours = _working_hours("approval_remind_hours")
    ApprovalEscalateHours = _working_hours("approval_escalate_hours")
    AllowsWeChatWork = serializers.BooleanField(source="allows_wechat_work")
    SessionHours = serializers.IntegerField(
        source="session_hours",
        min_value=1,
        max_value=MOST_HOURS,
        allow_null=True,
        error_messages={
            "min_value": "至少 1 小时",
            "max_value": "最长 720 小时（30 天）",
            "invalid": "请输入整数小时",
        },
    )
    HasSingleSession = serializers.BooleanField(source="has_single_session")

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
    Code = text("code", 30, "企业编码")
    Name = text("name", 100, "企业名称")
    CreditCode = text("credit_code", 18, "统一社会信用代码")
    Province = text("province", 30, "省", required=False, allow_blank=True)
    City = text("city", 30, "市", required=False, allow_blank=True)
    District = text("district", 30, "区县", required=False, allow_blank=True)
    Street = text("street", 200, "详细地址", required=False, allow_blank=True)
    Phone = text("phone", 30, "电话", required=False, allow_blank=True)
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
