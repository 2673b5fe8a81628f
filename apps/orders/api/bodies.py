"""Request bodies and query parameters of orders, with the deliveries of a checkout that is split
over addresses and departments.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.common.api.serializers import (
    BodySerializer,
    IdField,
    MoneyField,
    PeriodFields,
    PicturesField,
    QuantityField,
    QuerySerializer,
    build_labelled_text_field,
    build_text_field,
    list_of,
)
from apps.dimensions.enums import DimensionKind
from apps.orders.claims import Claim
from apps.orders.enums import ClaimKind, DeliveryWish, InvoiceKind, OrderStatus, PaymentKind
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.selectors.checkout import CheckoutForm, SeenLine
from apps.orders.selectors.customer_terms import get_default_payment_kind, list_invoice_kinds
from apps.orders.selectors.deliveries import DeliveryForm
from apps.orders.selectors.orders import TO_REVIEW, UNPAID, OrderFilter
from apps.org.models import Account

MAX_LINES = 200
MAX_DELIVERIES = 50
MAX_ROWS = 1000
MAX_PARTS = 20
# Each line may have its own choice of each of the three kinds.
MAX_ALLOCATIONS = 3 * (MAX_LINES + 1)


class DeliveryLineSerializer(BodySerializer):
    CartItemId = IdField()
    Quantity = QuantityField()
    CustomerPrice = MoneyField(required=False, allow_null=True, min_value=0)


class SplitDeliverySerializer(BodySerializer):
    AddressId = IdField(error_messages={"required": "请选择收货地址"})
    DepartmentId = IdField(required=False, allow_null=True, help_text="不填为下单人的部门")
    CostCenter = serializers.CharField(
        max_length=60,
        required=False,
        allow_blank=True,
        default="",
        error_messages={"max_length": "最多 60 个字"},
    )
    Lines = list_of(
        DeliveryLineSerializer,
        allow_empty=False,
        max_length=MAX_LINES,
        error_messages={
            "empty": "每个地址至少分配一种商品",
            "max_length": f"每个地址最多 {MAX_LINES} 种商品",
        },
    )

    def validate_Lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse a cart line that appears twice for one address."""
        if len({line["CartItemId"] for line in lines}) < len(lines):
            raise serializers.ValidationError("同一商品在同一地址只能填写一次，请合并数量")
        return lines


def build_deliveries_field() -> serializers.BaseSerializer[Any]:
    """Return the optional field of deliveries."""
    return list_of(
        SplitDeliverySerializer,
        required=False,
        allow_empty=False,
        max_length=MAX_DELIVERIES,
        error_messages={"max_length": f"一次最多送往 {MAX_DELIVERIES} 个地址，请分批提交"},
        help_text=(
            "多地址收货：每个地址成一张订单，全部成功或全部不提交；填写时不填 AddressId 和 Lines"
        ),
    )


def refuse_mixed(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body whose deliveries are valid.

    Raises:
        ValidationError: the body has deliveries and also lines or an address, too many lines or
            products, or two prices for one cart line.
    """
    deliveries = body.get("Deliveries")
    if deliveries is None:
        return body
    if body.get("Lines") is not None or body.get("AddressId") is not None:
        raise serializers.ValidationError(
            {"Deliveries": ["多地址收货时，地址和商品行只填写在 Deliveries 中"]}
        )
    rows = [line for row in deliveries for line in row["Lines"]]
    if len(rows) > MAX_ROWS:
        raise serializers.ValidationError(
            {"Deliveries": [f"一次最多拆分 {MAX_ROWS} 行，请分批提交"]}
        )
    if len({line["CartItemId"] for line in rows}) > MAX_LINES:
        raise serializers.ValidationError(
            {"Deliveries": [f"一次最多提交 {MAX_LINES} 种商品，请分批提交"]}
        )
    prices: dict[int, Decimal | None] = {}
    for line in rows:
        if prices.setdefault(line["CartItemId"], line.get("CustomerPrice")) != line.get(
            "CustomerPrice"
        ):
            raise serializers.ValidationError(
                {"Deliveries": ["同一商品在各地址的单价须一致，请刷新后重试"]}
            )
    return body


def read_deliveries(body: dict[str, Any]) -> tuple[DeliveryForm, ...]:
    """Return the deliveries of the body as DeliveryForms."""
    return tuple(
        DeliveryForm(
            address_id=row["AddressId"],
            department_id=row.get("DepartmentId"),
            cost_center=row["CostCenter"].strip(),
            quantities={line["CartItemId"]: line["Quantity"] for line in row["Lines"]},
        )
        for row in body.get("Deliveries") or ()
    )


def read_seen_lines(body: dict[str, Any]) -> tuple[SeenLine, ...] | None:
    """Return the ordered cart lines with the prices that the buyer saw. None means the selected
    lines of the cart.
    """
    rows = body.get("Lines")
    if body.get("Deliveries") is not None:
        rows = [line for row in body["Deliveries"] for line in row["Lines"]]
    if rows is None:
        return None
    price_by_item = {line["CartItemId"]: line.get("CustomerPrice") for line in rows}
    return tuple(SeenLine(pk, price) for pk, price in price_by_item.items())


class PercentField(MoneyField):
    """A percentage with two decimals. It is read like an amount, because parts must sum to 100."""

    default_error_messages = {
        "float": '比例请写成字符串（如 "12.50"）或整数，不支持带小数的 JSON 数字'
    }


class AllocationPartSerializer(BodySerializer):
    DimensionId = IdField(error_messages={"required": "请选择核算项"})
    Percent = PercentField(
        max_digits=5,
        required=False,
        allow_null=True,
        min_value=Decimal("0.01"),
        max_value=Decimal("100.00"),
        help_text="百分比；各部分合计 100",
    )
    Amount = MoneyField(
        required=False,
        allow_null=True,
        min_value=Decimal("0.01"),
        help_text="元；只用于单个商品，各部分合计等于该商品的金额",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("Percent") is not None and attrs.get("Amount") is not None:
            raise serializers.ValidationError({"Amount": ["比例和金额只能填写一项"]})
        return attrs


class AllocationSerializer(BodySerializer):
    Kind = serializers.ChoiceField(choices=DimensionKind.choices)
    CartItemId = IdField(required=False, allow_null=True, help_text="不填为整单")
    Parts = list_of(
        AllocationPartSerializer,
        allow_empty=False,
        max_length=MAX_PARTS,
        error_messages={
            "empty": "请选择核算项",
            "max_length": f"最多分摊给 {MAX_PARTS} 个核算项",
        },
        help_text="只有一项且不填比例和金额时，全部计入该项",
    )

    def validate_Parts(self, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse a dimension that appears twice."""
        if len({part["DimensionId"] for part in parts}) < len(parts):
            raise serializers.ValidationError("同一核算项只能填写一次，请合并")
        return parts


def refuse_repeated_allocations(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the allocations.

    Raises:
        ValidationError: two of them are for the same kind and line.
    """
    keys = {(row["Kind"], row.get("CartItemId")) for row in rows}
    if len(keys) < len(rows):
        raise serializers.ValidationError("同一商品的同一类别只能分摊一次，请刷新后重试")
    return rows


def read_allocations(body: dict[str, Any]) -> tuple[AllocationForm, ...]:
    """Return the allocations of the body."""
    return tuple(
        AllocationForm(
            kind=row["Kind"],
            cart_item_id=row.get("CartItemId"),
            parts=tuple(
                PartForm(part["DimensionId"], part.get("Percent"), part.get("Amount"))
                for part in row["Parts"]
            ),
        )
        for row in body.get("Allocations") or ()
    )


class SeenLineSerializer(BodySerializer):
    CartItemId = IdField()
    CustomerPrice = MoneyField(required=False, allow_null=True, min_value=0)


class CheckoutSerializer(BodySerializer):
    AddressId = IdField(required=False, allow_null=True)
    DeliveryWish = serializers.ChoiceField(choices=DeliveryWish.choices, default=DeliveryWish.ANY)
    InvoiceTitleId = IdField(required=False, allow_null=True)
    InvoiceKind = serializers.ChoiceField(
        choices=InvoiceKind.choices, required=False, help_text="不填为贵司允许的第一种"
    )
    PaymentKind = serializers.ChoiceField(
        choices=PaymentKind.choices, required=False, help_text="不填为贵司允许的第一种"
    )
    BudgetId = IdField(required=False, allow_null=True)
    CostCenter = build_text_field(60)
    PurchaseOrderNo = build_text_field(60)
    Remark = build_text_field(300)
    Lines = list_of(
        SeenLineSerializer, required=False, allow_null=True, allow_empty=False, max_length=MAX_LINES
    )
    QuotationNo = build_labelled_text_field(
        24,
        "报价单号",
        required=False,
        help_text="按报价单下单，不用购物车中的商品；不下单的商品须用 Lines 排除",
    )
    Deliveries = build_deliveries_field()
    Allocations = list_of(
        AllocationSerializer,
        required=False,
        max_length=MAX_ALLOCATIONS,
        help_text="成本中心、项目与会计科目；未填的商品和类别使用部门的默认值",
    )

    def validate_Allocations(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return refuse_repeated_allocations(rows)

    def validate_Lines(self, lines: list[dict[str, Any]] | None) -> list[dict[str, Any]] | None:
        """Refuse a cart line that is null (DRF passes the list's allow_null on to its rows) or
        appears twice.
        """
        if lines and None in lines:
            raise serializers.ValidationError("商品行不能为空，请刷新后重试")
        ids = [line["CartItemId"] for line in lines or ()]
        if len(ids) != len(set(ids)):
            raise serializers.ValidationError("同一商品行重复提交，请刷新后重试")
        return lines

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return refuse_mixed(attrs)

    @staticmethod
    def build_form(body: dict[str, Any], actor: Account) -> CheckoutForm:
        """Return the body as a CheckoutForm."""
        return CheckoutForm(
            address_id=body.get("AddressId"),
            delivery_wish=body["DeliveryWish"],
            invoice_title_id=body.get("InvoiceTitleId"),
            invoice_kind=body.get("InvoiceKind") or list_invoice_kinds(actor)[0],
            payment_kind=body.get("PaymentKind") or get_default_payment_kind(actor),
            budget_id=body.get("BudgetId"),
            cost_center=body["CostCenter"],
            purchase_order_no=body["PurchaseOrderNo"],
            remark=body["Remark"],
            lines=read_seen_lines(body),
            deliveries=read_deliveries(body),
            allocations=read_allocations(body),
            quotation_no=body.get("QuotationNo", ""),
        )


class CancelSerializer(BodySerializer):
    Reason = serializers.CharField(
        max_length=200, error_messages={"required": "请填写取消原因", "blank": "请填写取消原因"}
    )


class WithdrawSerializer(BodySerializer):
    Reason = build_text_field(200)


class ReceiveLineSerializer(BodySerializer):
    Id = IdField()
    Quantity = QuantityField(min_value=0)


class ClaimSerializer(BodySerializer):
    Id = IdField(help_text="订单行")
    Quantity = QuantityField()
    Kind = serializers.ChoiceField(choices=ClaimKind.choices, help_text="short 少件，damaged 破损")
    Note = build_text_field(200)
    FileIds = PicturesField()


class ReceiveSerializer(BodySerializer):
    ShipmentNo = build_text_field(24)
    Claims = list_of(
        ClaimSerializer,
        required=False,
        max_length=MAX_LINES,
        help_text="签收数量中少件或破损的，签收后自动生成售后单",
    )
    Lines = list_of(
        ReceiveLineSerializer,
        required=False,
        allow_empty=False,
        max_length=MAX_LINES,
        help_text="留空为全部在途商品",
    )

    @staticmethod
    def read_quantities(body: dict[str, Any]) -> dict[int, int] | None:
        """Return the quantities by order line pk. None receives everything."""
        lines = body.get("Lines")
        return None if lines is None else {line["Id"]: line["Quantity"] for line in lines}

    @staticmethod
    def build_claims(body: dict[str, Any]) -> list[Claim]:
        """Return the claims of missing or damaged pieces."""
        rows = body.get("Claims") or []
        return [
            Claim(
                order_line_id=row["Id"],
                quantity=row["Quantity"],
                kind=row["Kind"],
                note=row["Note"],
                file_ids=tuple(row["FileIds"]),
            )
            for row in rows
        ]


class OrderFilterSerializer(PeriodFields):
    """The filters of the order list, in the query string or in a body."""

    Keyword = serializers.CharField(max_length=60, required=False, allow_blank=True, default="")
    Status = serializers.ChoiceField(
        choices=[*OrderStatus.choices, (UNPAID, "待支付"), (TO_REVIEW, "待评价")],
        required=False,
        allow_blank=True,
        default="",
    )
    Requester = IdField(required=False)
    Department = IdField(required=False)
    PaymentKind = serializers.ChoiceField(
        choices=PaymentKind.choices, required=False, allow_blank=True, default=""
    )
    PurchaseOrderNo = serializers.CharField(
        max_length=60, required=False, allow_blank=True, default=""
    )

    @staticmethod
    def build_filter(query: dict[str, Any]) -> OrderFilter:
        """Return the parameters as an OrderFilter."""
        return OrderFilter(
            keyword=query["Keyword"].strip(),
            status=query["Status"],
            since=query["From"],
            until=query["To"],
            requester_id=query.get("Requester"),
            department_id=query.get("Department"),
            payment_kind=query["PaymentKind"],
            purchase_order_no=query["PurchaseOrderNo"],
        )


class OrderQuerySerializer(OrderFilterSerializer, QuerySerializer):
    """The query parameters of the order list."""
