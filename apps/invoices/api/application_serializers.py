"""Serializers of applications: queries, bodies, the available goods, the plan and the answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    IdField,
    MoneyField,
    PeriodFields,
    PersonSerializer,
    QuantityField,
    QuerySerializer,
    list_of,
)
from apps.dimensions.enums import DimensionKind
from apps.invoices.api.invoice_serializers import InvoiceEventSerializer, InvoiceRowSerializer
from apps.invoices.api.statement_serializers import DimensionSumSerializer
from apps.invoices.enums import (
    ApplicationStatus,
    InvoiceGrouping,
    InvoiceKind,
)
from apps.invoices.selectors.applications import ApplicationFilter
from apps.invoices.selectors.available import AvailableFilter
from apps.invoices.selectors.plan import MAX_LINES, PlanForm, Selection
from apps.invoices.services.applications import ApplicationForm
from apps.invoices.shared_serializers import MonthField, build_text_field
from apps.orders.models import Order, OrderLine

MAX_FREIGHTS = 2_000


class AvailableFields(serializers.Serializer[Any]):
    Keyword = build_text_field(60, help_text="订单号、采购单号、商品名称或编码")
    OrderNo = build_text_field(24)
    Month = MonthField(
        required=False,
        allow_blank=True,
        allow_null=True,
        default=None,
        help_text="收货月份，如 2026-11",
    )
    DepartmentId = IdField(required=False, allow_null=True, default=None)

    @staticmethod
    def build_filter(query: dict[str, Any]) -> AvailableFilter:
        """Return the filter for the selector."""
        return AvailableFilter(
            keyword=query["Keyword"],
            order_no=query["OrderNo"],
            month=query["Month"],
            department_id=query["DepartmentId"],
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
        filters = (
            AvailableFields.build_filter(body["Filter"]) if "Filter" in body else AvailableFilter()
        )
        selection = Selection(
            quantities=quantities,
            freight_order_nos=frozenset(body["FreightOrderNos"]),
            is_all=body["All"],
            filters=filters,
        )
        return PlanForm(
            selection=selection,
            kind=body["Kind"],
            enterprise_id=body["EnterpriseId"],
            title_id=body["TitleId"],
            grouping=body["Grouping"],
            is_split_by_rate=body["SplitByTaxRate"],
            amount_limit=body["AmountLimit"],
        )


class ApplicationBodySerializer(PlanBodySerializer):
    """The plan as previewed, and the delivery address of the invoices."""

    Total = MoneyField(help_text="预览显示的价税合计；与当前不符则拒绝")
    Email = serializers.EmailField(
        required=False, allow_blank=True, default="", max_length=254, help_text="数电发票必填"
    )
    AddressId = build_text_field(20, help_text="纸质发票必填")
    Remark = build_text_field(200, "备注", help_text="打印在发票备注栏")

    @staticmethod
    def build_form(body: dict[str, Any]) -> ApplicationForm:
        """Return the form for the service."""
        return ApplicationForm(
            plan=PlanBodySerializer.plan(body),
            total=body["Total"],
            email=body["Email"],
            address_id=body["AddressId"],
            remark=body["Remark"],
        )


class ApplicationQuerySerializer(PeriodFields, QuerySerializer):
    Keyword = build_text_field(60, help_text="申请单号、发票号码或订单号")
    Status = serializers.ChoiceField(
        choices=ApplicationStatus.choices, required=False, allow_blank=True, default=""
    )
    Kind = serializers.ChoiceField(
        choices=InvoiceKind.choices, required=False, allow_blank=True, default=""
    )

    @staticmethod
    def build_filter(query: dict[str, Any]) -> ApplicationFilter:
        """Return the filter for the selector."""
        return ApplicationFilter(
            keyword=query["Keyword"],
            status=query["Status"],
            kind=query["Kind"],
            since=query["From"],
            until=query["To"],
        )


class InvoiceReasonSerializer(BodySerializer):
    Reason = build_text_field(300, "原因")


class ApplicationRowSerializer(serializers.Serializer[Any]):
    ApplicationNo = serializers.CharField(source="application_no")
    Status = serializers.ChoiceField(choices=ApplicationStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    Kind = serializers.CharField(source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    Applicant = PersonSerializer(source="applicant")
    Enterprise = serializers.CharField(source="enterprise.name")
    Title = serializers.CharField(source="title.title", default="各订单抬头")
    Amount = MoneyField(source="amount_incl_tax")
    Tax = MoneyField(source="tax_amount")
    LineCount = serializers.IntegerField(source="line_count")
    InvoiceCount = serializers.IntegerField(source="invoice_count")
    SubmittedAt = serializers.DateTimeField(source="submitted_at")
    DecidedAt = serializers.DateTimeField(source="decided_at", allow_null=True)
    FinishedAt = serializers.DateTimeField(source="finished_at", allow_null=True)
    Reason = serializers.CharField(source="reason", help_text="驳回或撤回原因")
    AllowedActions = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_AllowedActions(self, application: Any) -> list[str]:
        """Return the codes of the actions allowed now: `withdraw`."""
        return ["withdraw"] if application.may_withdraw else []


class ApplicationSplitQuerySerializer(QuerySerializer):
    Kind = serializers.ChoiceField(
        choices=DimensionKind.choices, required=False, default=DimensionKind.COST_CENTER
    )


class ApplicationAllocationSerializer(AnswerSerializer):
    """The amount of an application by the dimensions of one kind. The rows sum to the amount."""

    Kind = serializers.ChoiceField(choices=DimensionKind.choices, source="kind")
    KindText = serializers.CharField(source="kind.label")
    Rows = DimensionSumSerializer(source="rows", many=True)


class ApplicationDetailSerializer(ApplicationRowSerializer):
    """One application with its invoices, its sums by dimension and its timeline. The context has
    them: `detail` and `sums`.
    """

    Grouping = serializers.CharField(source="grouping")
    GroupingText = serializers.CharField(source="get_grouping_display")
    SplitByTaxRate = serializers.BooleanField(source="is_split_by_rate")
    AmountLimit = MoneyField(source="amount_limit", allow_null=True)
    Delivery = serializers.CharField(source="delivery")
    DeliveryText = serializers.CharField(source="get_delivery_display")
    Email = serializers.CharField(source="email")
    Address = serializers.DictField(source="address_snapshot", child=serializers.CharField())
    Remark = serializers.CharField(source="remark")
    Invoices = serializers.SerializerMethodField()
    Allocations = serializers.SerializerMethodField(
        help_text="按核算项分摊的价税合计；订单没有的类别不列出"
    )
    Timeline = serializers.SerializerMethodField()

    @extend_schema_field(InvoiceRowSerializer(many=True))
    def get_Invoices(self, application: Any) -> Any:
        """Return its invoices, including red ones."""
        return InvoiceRowSerializer(self.context["detail"].invoices, many=True).data

    @extend_schema_field(ApplicationAllocationSerializer(many=True))
    def get_Allocations(self, application: Any) -> Any:
        """Return the sums of each kind of dimension that its orders have."""
        return ApplicationAllocationSerializer.serialize_all(self.context["sums"])

    @extend_schema_field(InvoiceEventSerializer(many=True))
    def get_Timeline(self, application: Any) -> Any:
        """Return the events, oldest first."""
        return InvoiceEventSerializer(self.context["detail"].timeline, many=True).data


class InvoiceAvailableItemSerializer(AnswerSerializer):
    """A goods line (`Kind` line), or the freight of an order (`Kind` freight, no OrderLineId,
    quantity 1).
    """

    Kind = serializers.ChoiceField(choices=[("line", "商品"), ("freight", "运费")])
    OrderLineId = serializers.CharField(allow_null=True)
    OrderNo = serializers.CharField()
    OrderedAt = serializers.DateTimeField()
    PurchaseOrderNo = serializers.CharField()
    Department = serializers.CharField()
    Requester = PersonSerializer()
    InvoiceTitle = serializers.CharField(help_text="下单时选择的抬头")
    InvoiceKind = serializers.CharField(help_text="下单时选择的发票种类")
    ProductCode = serializers.CharField()
    Name = serializers.CharField(help_text="客户的商品名称，没有时为商城的名称")
    MallName = serializers.CharField(help_text="商城的商品名称，运费为空")
    Brand = serializers.CharField(help_text="运费为空")
    Model = serializers.CharField()
    Unit = serializers.CharField()
    TaxRate = serializers.CharField()
    UnitPrice = MoneyField()
    ReceivedQuantity = serializers.IntegerField()
    ReturnedQuantity = serializers.IntegerField(help_text="已退与售后中")
    AppliedQuantity = serializers.IntegerField()
    InvoicedQuantity = serializers.IntegerField()
    AvailableQuantity = serializers.IntegerField()
    Amount = MoneyField()

    def to_representation(self, row: OrderLine | Order) -> dict[str, Any]:
        """Return the item."""
        return _serialize_freight(row) if isinstance(row, Order) else _serialize_line(row)


def _serialize_order(order: Order) -> dict[str, Any]:
    return {
        "OrderNo": order.order_no,
        "OrderedAt": serializers.DateTimeField().to_representation(order.submitted_at),
        "PurchaseOrderNo": order.purchase_order_no,
        "Department": order.department.name if order.department else "",
        "Requester": {"Id": str(order.requester_id), "Name": order.requester.nickname},
        "InvoiceTitle": order.invoice_snapshot.get("Title", ""),
        "InvoiceKind": order.invoice_kind,
    }


def _serialize_line(line: OrderLine) -> dict[str, Any]:
    open_quantity: int = line.open_quantity  # type: ignore[attr-defined]
    return {
        "Kind": "line",
        "OrderLineId": str(line.pk),
        **_serialize_order(line.order),
        "ProductCode": line.product_code,
        "Name": line.customer_name or line.name,
        "MallName": line.name,
        "Brand": line.brand,
        "Model": line.model_code,
        "Unit": line.unit,
        "TaxRate": str(line.tax_rate),
        "UnitPrice": str(line.unit_price_incl_tax),
        "ReceivedQuantity": line.received_quantity,
        "ReturnedQuantity": line.returned_quantity + line.returning_quantity,
        "AppliedQuantity": line.applied_quantity,
        "InvoicedQuantity": line.invoiced_quantity,
        "AvailableQuantity": open_quantity,
        "Amount": str(line.unit_price_incl_tax * open_quantity),
    }


def _serialize_freight(order: Order) -> dict[str, Any]:
    return {
        "Kind": "freight",
        "OrderLineId": None,
        **_serialize_order(order),
        "ProductCode": "",
        "Name": "运费",
        "MallName": "",
        "Brand": "",
        "Model": "",
        "Unit": "次",
        "TaxRate": "",
        "UnitPrice": str(order.freight_amount),
        "ReceivedQuantity": 1,
        "ReturnedQuantity": 0,
        "AppliedQuantity": 0,
        "InvoicedQuantity": 0,
        "AvailableQuantity": 1,
        "Amount": str(order.freight_amount),
    }


class InvoiceAvailableTotalsSerializer(AnswerSerializer):
    """Totals of all rows that match the filter, on all pages."""

    Lines = serializers.IntegerField(source="lines", help_text="商品行数")
    Freights = serializers.IntegerField(source="freights", help_text="运费笔数")
    Quantity = serializers.IntegerField(source="quantity")
    Amount = MoneyField(source="amount")


class InvoiceNamedSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")


class InvoiceKindSerializer(serializers.Serializer[Any]):
    Code = serializers.CharField()
    Name = serializers.CharField()
    IsSpecial = serializers.BooleanField(help_text="需要抬头的专票资质")
    IsPaper = serializers.BooleanField(help_text="需要收票地址，否则需要邮箱")


class InvoiceOptionsSerializer(serializers.Serializer[Any]):
    """Options of the page 申请开票."""

    Enterprises = InvoiceNamedSerializer(many=True)
    Departments = InvoiceNamedSerializer(many=True)
    Kinds = InvoiceKindSerializer(many=True)
    Email = serializers.CharField()
    AmountLimit = MoneyField(help_text="平台的单张上限")
    MaxLines = serializers.IntegerField()
    CanKeepTitles = serializers.BooleanField(help_text="可以新增、修改抬头")


class InvoicePlannedLineSerializer(AnswerSerializer):
    OrderNo = serializers.CharField(source="item.order_no")
    OrderLineId = serializers.CharField(source="item.order_line_id", allow_null=True)
    Name = serializers.CharField(source="item.name")
    Model = serializers.CharField(source="item.model_code")
    Unit = serializers.CharField(source="item.unit")
    Quantity = serializers.IntegerField(source="quantity")
    UnitPrice = MoneyField(source="item.unit_price")
    Amount = MoneyField(source="amount")
    Net = MoneyField(source="net")
    TaxRate = serializers.CharField(source="item.tax_rate")
    Tax = MoneyField(source="tax")


class PlannedInvoiceSerializer(serializers.Serializer[Any]):
    No = serializers.IntegerField()
    TitleId = serializers.CharField()
    Title = serializers.CharField()
    TaxNumber = serializers.CharField()
    Amount = MoneyField()
    Net = MoneyField()
    Tax = MoneyField()
    Capitals = serializers.CharField()
    LineCount = serializers.IntegerField()
    OrderNos = serializers.ListField(child=serializers.CharField())
    Lines = InvoicePlannedLineSerializer(many=True, help_text="前 200 行")


class InvoicePlanSerializer(serializers.Serializer[Any]):
    """The planned invoices, exact to the cent. The application sends `Total` back."""

    Enterprise = InvoiceNamedSerializer()
    InvoiceCount = serializers.IntegerField()
    LineCount = serializers.IntegerField()
    Net = MoneyField()
    Tax = MoneyField()
    Total = MoneyField()
    AmountLimit = MoneyField()
    Invoices = PlannedInvoiceSerializer(many=True)
