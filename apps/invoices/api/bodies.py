"""Queries and request bodies of invoices."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.common.api.bodies import PeriodFields
from apps.common.api.serializers import (
    BodySerializer,
    IdField,
    MoneyField,
    QuantityField,
    QuerySerializer,
    list_of,
)
from apps.invoices.api.fields import MonthField, text
from apps.invoices.enums import (
    ApplicationStatus,
    InvoiceGrouping,
    InvoiceKind,
    InvoiceStatus,
    RedReason,
)
from apps.invoices.selectors.applications import ApplicationFilter
from apps.invoices.selectors.available import AvailableFilter
from apps.invoices.selectors.invoices import InvoiceFilter
from apps.invoices.selectors.plan import MAX_LINES, PlanForm, Selection
from apps.invoices.services.application_submit import ApplicationForm
from apps.invoices.services.red_open import RedForm

MAX_FREIGHTS = 2_000


class AvailableFields(serializers.Serializer[Any]):
    Keyword = text(60, help_text="订单号、采购单号、商品名称或编码")
    OrderNo = text(24)
    Month = MonthField(
        required=False,
        allow_blank=True,
        allow_null=True,
        default=None,
        help_text="收货月份，如 2026-11",
    )
    DepartmentId = IdField(required=False, allow_null=True, default=None)

    @staticmethod
    def filter(asked: dict[str, Any]) -> AvailableFilter:
        """Return the filter for the selector."""
        return AvailableFilter(
            asked["Keyword"], asked["OrderNo"], asked["Month"], asked["DepartmentId"]
        )


class AvailableQuerySerializer(AvailableFields, QuerySerializer):
    """Query of the list."""

    EnterpriseId = IdField(
        required=False, allow_null=True, default=None, help_text="不填为本人所在企业"
    )


class AvailableBodySerializer(AvailableFields, BodySerializer):
    """The filter of the list in a body. It selects everything that matches."""


class ChosenLineSerializer(BodySerializer):
    OrderLineId = IdField()
    Quantity = QuantityField()


class PlanBodySerializer(BodySerializer):
    """The quantities, the kind, the title and the splitting rules. With `All`, everything that
    `Filter` matches replaces `Lines` and `FreightOrderNos`.
    """

    EnterpriseId = IdField(
        required=False, allow_null=True, default=None, help_text="不填为本人所在企业"
    )
    Lines = list_of(ChosenLineSerializer, required=False, default=list, max_length=MAX_LINES)
    FreightOrderNos = serializers.ListField(
        child=serializers.CharField(max_length=24),
        required=False,
        default=list,
        max_length=MAX_FREIGHTS,
        help_text="开具运费的订单号",
    )
    All = serializers.BooleanField(
        required=False, default=False, help_text="按 Filter 全选，由服务器取全部可开票数量"
    )
    Filter = AvailableBodySerializer(required=False)
    Kind = serializers.ChoiceField(choices=InvoiceKind.choices)
    TitleId = IdField(
        required=False,
        allow_null=True,
        default=None,
        help_text="不填则按各订单下单时的抬头分别开票",
    )
    Grouping = serializers.ChoiceField(
        choices=InvoiceGrouping.choices, default=InvoiceGrouping.MERGED
    )
    SplitByTaxRate = serializers.BooleanField(required=False, default=False)
    AmountLimit = MoneyField(
        required=False, allow_null=True, default=None, min_value=1, help_text="单张发票价税合计上限"
    )

    @staticmethod
    def plan(body: dict[str, Any]) -> PlanForm:
        """Return the plan form for the selector."""
        quantities: dict[int, int] = {}
        for line in body["Lines"]:
            if line["OrderLineId"] in quantities:
                raise serializers.ValidationError(
                    {"Lines": ["同一订单行只能出现一次，请合并数量后提交"]}
                )
            quantities[line["OrderLineId"]] = line["Quantity"]
        wanted = AvailableFields.filter(body["Filter"]) if "Filter" in body else AvailableFilter()
        selection = Selection(quantities, frozenset(body["FreightOrderNos"]), body["All"], wanted)
        return PlanForm(
            selection,
            body["Kind"],
            body["EnterpriseId"],
            body["TitleId"],
            body["Grouping"],
            body["SplitByTaxRate"],
            body["AmountLimit"],
        )


class ApplicationBodySerializer(PlanBodySerializer):
    """The plan as previewed, and the delivery address of the invoices."""

    Total = MoneyField(help_text="预览显示的价税合计；与当前不符则拒绝")
    Email = serializers.EmailField(
        required=False, allow_blank=True, default="", max_length=254, help_text="数电发票必填"
    )
    AddressId = text(20, help_text="纸质发票必填")
    Remark = text(200, "备注", help_text="打印在发票备注栏")

    @staticmethod
    def form(body: dict[str, Any]) -> ApplicationForm:
        """Return the form for the service."""
        return ApplicationForm(
            PlanBodySerializer.plan(body),
            body["Total"],
            body["Email"],
            body["AddressId"],
            body["Remark"],
        )


class ApplicationQuerySerializer(PeriodFields, QuerySerializer):
    Keyword = text(60, help_text="申请单号、发票号码或订单号")
    Status = serializers.ChoiceField(
        choices=ApplicationStatus.choices, required=False, allow_blank=True, default=""
    )
    Kind = serializers.ChoiceField(
        choices=InvoiceKind.choices, required=False, allow_blank=True, default=""
    )

    @staticmethod
    def filter(asked: dict[str, Any]) -> ApplicationFilter:
        """Return the filter for the selector."""
        return ApplicationFilter(
            asked["Keyword"], asked["Status"], asked["Kind"], asked["From"], asked["To"]
        )


class InvoiceQuerySerializer(PeriodFields, QuerySerializer):
    Keyword = text(60, help_text="发票号码、申请单号或订单号")
    Status = serializers.ChoiceField(
        choices=InvoiceStatus.choices, required=False, allow_blank=True, default=""
    )
    Kind = serializers.ChoiceField(
        choices=InvoiceKind.choices, required=False, allow_blank=True, default=""
    )
    OrderNo = text(24)
    ApplicationNo = text(24)
    IsRed = serializers.BooleanField(required=False, allow_null=True, default=None)

    @staticmethod
    def filter(asked: dict[str, Any]) -> InvoiceFilter:
        """Return the filter for the selector."""
        return InvoiceFilter(
            asked["Keyword"],
            asked["Status"],
            asked["Kind"],
            asked["OrderNo"],
            asked["ApplicationNo"],
            asked["IsRed"],
            asked["From"],
            asked["To"],
        )


class InvoiceReasonSerializer(BodySerializer):
    Reason = text(300, "原因")


class RedLineBodySerializer(BodySerializer):
    InvoiceLineId = IdField()
    Quantity = QuantityField()


class RedBodySerializer(BodySerializer):
    """The reason and the lines. Without lines, the whole rest of the invoice is taken back."""

    Reason = serializers.ChoiceField(choices=RedReason.choices)
    Note = text(300, "说明")
    Lines = list_of(RedLineBodySerializer, required=False, default=None, max_length=MAX_LINES)

    @staticmethod
    def form(body: dict[str, Any]) -> RedForm:
        """Return the form for the service."""
        if body["Lines"] is None:
            return RedForm(body["Reason"], body["Note"])
        quantities: dict[int, int] = {}
        for line in body["Lines"]:
            if line["InvoiceLineId"] in quantities:
                raise serializers.ValidationError(
                    {"Lines": ["同一明细行只能出现一次，请合并数量后提交"]}
                )
            quantities[line["InvoiceLineId"]] = line["Quantity"]
        return RedForm(body["Reason"], body["Note"], quantities)


class RedAnswerSerializer(BodySerializer):
    RedNo = serializers.CharField(max_length=24)
    IsAgreed = serializers.BooleanField()
    Reason = text(300, "否认原因")


class RedWithdrawSerializer(BodySerializer):
    RedNo = serializers.CharField(max_length=24)


class FileQuerySerializer(QuerySerializer):
    Format = serializers.ChoiceField(
        choices=[("pdf", "PDF"), ("xml", "XML")],
        required=False,
        default="pdf",
        help_text="xml 仅数电发票",
    )
