"""Request and response bodies of the organisation endpoints."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import (
    BodySerializer,
    MoneyField,
    QuerySerializer,
    SeenAtField,
    WholeField,
    build_labelled_text_field,
)
from apps.common.numbers import parse_key
from apps.org.enums import LimitAction, LimitPeriod
from apps.org.models import Address
from apps.org.selectors.addresses import AddressFilters
from apps.org.services.role import LimitForm

OWNER_TYPES = ("account", "department", "enterprise", "group")


class PurchaseLimitSerializer(BodySerializer):
    """A purchase limit: `Amount` for each order, day or month, and the action above it. With
    `CategoryId` it limits the lines of this category and of those below, otherwise whole orders.
    """

    Period = serializers.ChoiceField(choices=LimitPeriod.choices, source="period")
    Amount = MoneyField(
        source="amount",
        min_value=Decimal("0.01"),
        error_messages={"min_value": "限额须大于 0 元；不限请删除该限额"},
    )
    Action = serializers.ChoiceField(choices=LimitAction.choices, source="action")
    CategoryId = serializers.CharField(
        source="category_id", max_length=20, required=False, allow_null=True, default=None
    )
    CategoryName = serializers.CharField(source="category_name", read_only=True)


def build_limit_forms(rows: list[dict[str, Any]]) -> tuple[LimitForm, ...]:
    """Return the validated limits of a body for the service. A malformed category id becomes 0,
    which no category has.
    """
    return tuple(
        LimitForm(
            row["period"],
            row["amount"],
            row["action"],
            category_id=None if row["category_id"] is None else parse_key(row["category_id"]),
        )
        for row in rows
    )


class AddressBodySerializer(BodySerializer):
    """A new address. A change may contain any field except OwnerType and the owner's id."""

    OwnerType = serializers.ChoiceField(choices=OWNER_TYPES, default="account")
    EnterpriseId = serializers.CharField(
        max_length=20, required=False, allow_null=True, default=None
    )
    DepartmentId = serializers.CharField(
        max_length=20, required=False, allow_null=True, default=None
    )
    Label = build_labelled_text_field(20, "标签", source="label", required=False, allow_blank=True)
    Receiver = build_labelled_text_field(40, "收货人", source="receiver")
    Mobile = build_labelled_text_field(20, "手机号码", source="mobile")
    Province = build_labelled_text_field(30, "省份", source="province")
    City = build_labelled_text_field(30, "城市", source="city")
    District = build_labelled_text_field(
        30, "区县", source="district", required=False, allow_blank=True
    )
    Town = build_labelled_text_field(30, "街道", source="town", required=False, allow_blank=True)
    Street = build_labelled_text_field(200, "详细地址", source="street")
    PostalCode = build_labelled_text_field(
        6, "邮政编码", source="postal_code", required=False, allow_blank=True
    )
    IsDefault = serializers.BooleanField(source="is_default", required=False)


class AddressChangeSerializer(AddressBodySerializer):
    UpdatedAt = SeenAtField(required=False, help_text="读取时的 UpdatedAt；他人已修改则回答 stale")
    OwnerType = None  # type: ignore[assignment]
    EnterpriseId = None  # type: ignore[assignment]
    DepartmentId = None  # type: ignore[assignment]


class AddressFilterSerializer(serializers.Serializer[Any]):
    """`Managed`: only addresses that the caller may change. `Usable`: only addresses that an
    order may use. The keyword searches names, numbers and places.
    """

    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    OwnerType = serializers.ChoiceField(
        choices=OWNER_TYPES, required=False, allow_blank=True, default=""
    )
    EnterpriseId = WholeField(required=False, allow_null=True, default=None, min_value=0)
    DepartmentId = WholeField(required=False, allow_null=True, default=None, min_value=0)
    Managed = serializers.BooleanField(required=False, default=False)
    Usable = serializers.BooleanField(
        required=False, default=False, help_text="只列本人下单可用的地址"
    )
    OrderDepartmentId = WholeField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        help_text="与 Usable 同用：另含该部门的地址",
    )

    @staticmethod
    def build_filters(query: dict[str, Any]) -> AddressFilters:
        """Return the query as AddressFilters for the selector."""
        names = (
            "Keyword",
            "OwnerType",
            "EnterpriseId",
            "DepartmentId",
            "Managed",
            "Usable",
            "OrderDepartmentId",
        )
        return AddressFilters(*(query[name] for name in names))


class AddressQuerySerializer(AddressFilterSerializer, QuerySerializer):
    """The query parameters of the list."""


class AddressExportSerializer(AddressFilterSerializer, BodySerializer):
    """The query of the list, as the body of an export."""


class ReceiverSerializer(serializers.Serializer[Any]):
    """The receiver and the address."""

    Receiver = serializers.CharField(source="receiver")
    Mobile = serializers.CharField(source="mobile")
    Province = serializers.CharField(source="province")
    City = serializers.CharField(source="city")
    District = serializers.CharField(source="district")
    Town = serializers.CharField(source="town")
    Street = serializers.CharField(source="street")
    PostalCode = serializers.CharField(source="postal_code")


class AddressSerializer(ReceiverSerializer):
    Id = serializers.CharField(source="pk")
    OwnerType = serializers.CharField(source="owner_type")
    EnterpriseId = serializers.CharField(source="enterprise_id", allow_null=True)
    EnterpriseName = serializers.CharField(source="enterprise.name", default=None, allow_null=True)
    DepartmentId = serializers.CharField(source="department_id", allow_null=True)
    DepartmentName = serializers.CharField(source="department.name", default=None, allow_null=True)
    Label = serializers.CharField(source="label")
    FullText = serializers.CharField(source="full_text")
    IsDefault = serializers.BooleanField(source="is_default")
    UsableBy = serializers.CharField(
        source="usable_by", help_text="谁可以使用：全集团、某企业、某部门及下级，或仅本人"
    )
    CanEdit = serializers.SerializerMethodField()
    UpdatedAt = serializers.DateTimeField(source="updated_at")

    def get_CanEdit(self, address: Address) -> bool:
        """Whether the caller may change the address. `managed` in the context has the ids of
        these addresses.
        """
        return address.pk in self.context["managed"]


class EnterpriseSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    CreditCode = serializers.CharField(source="credit_code")


class DepartmentSerializer(serializers.Serializer[Any]):
    """A row of the tree. `ParentId` null is a root."""

    Id = serializers.CharField(source="pk")
    ParentId = serializers.CharField(source="parent_id", allow_null=True)
    EnterpriseId = serializers.CharField(source="enterprise_id")
    Code = serializers.CharField(source="code")
    Name = serializers.CharField(source="name")
    CostCenter = serializers.CharField(source="cost_center")
    HeadId = serializers.CharField(source="head_id", allow_null=True)
    HeadName = serializers.CharField(source="head.nickname", default=None, allow_null=True)


class MenuEntrySerializer(serializers.Serializer[Any]):
    Code = serializers.CharField()
    Name = serializers.CharField()


class MenuGroupSerializer(MenuEntrySerializer):
    Children = MenuEntrySerializer(many=True)


class GroupSetSerializer(serializers.Serializer[Any]):
    """The customer's name and logo for the page header. Null for a visitor."""

    CustomerLogo = serializers.CharField(allow_null=True)
    GroupName = serializers.CharField(allow_null=True)
    EnterpriseName = serializers.CharField(allow_null=True)
