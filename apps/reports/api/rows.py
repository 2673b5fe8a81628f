"""Row serializers of the five reports. Each takes the `Report` as `report` in its context, to
look up the names of the keys.
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.catalog.models import Product
from apps.common.api.serializers import MoneyField, PersonSerializer
from apps.orders.enums import OrderStatus
from apps.reports.enums import FactKind
from apps.reports.models import ReportFact
from apps.reports.selectors.cuts import CutRow
from apps.reports.selectors.names import FREIGHT, NO_DEPARTMENT
from apps.reports.selectors.question import FREIGHT_CODE


class PercentField(serializers.DecimalField):
    """Percent with one decimal. Null if there is nothing to compare with."""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_digits=14, decimal_places=1, allow_null=True, **more)


class ReportMoneyRowSerializer(serializers.Serializer[Any]):
    """The last columns of every row: amount (元, 含税), tax, amount without tax, pieces."""

    Quantity = serializers.IntegerField(source="quantity")
    Amount = MoneyField(source="amount")
    TaxAmount = MoneyField(source="tax")
    NetAmount = MoneyField(source="net")


class ReportComparedRowSerializer(ReportMoneyRowSerializer):
    """A row with its number of orders, the amount of the previous period (环比) and the amount
    one year earlier (同比).
    """

    Orders = serializers.IntegerField(source="orders")
    Previous = MoneyField(
        source="previous",
        help_text="环比的上期金额，其起止日期为报表的 Previous.From 和 Previous.To",
    )
    PreviousChange = PercentField(
        source="percent_of_previous", help_text="环比，百分数；上期无金额时为 null"
    )
    LastYear = MoneyField(
        source="year_before",
        help_text="同比的上年同期金额，其起止日期为报表的 LastYear.From 和 LastYear.To",
    )
    Change = PercentField(source="percent", help_text="同比，百分数；上年同期无金额时为 null")


class _Named:
    context: dict[str, Any]

    @property
    def named(self) -> Any:
        return self.context["report"].named


class ReportOrderRowSerializer(_Named, ReportMoneyRowSerializer):
    """An order with the sum of its facts in the period."""

    OrderNo = serializers.CharField(read_only=True)
    SubmittedAt = serializers.DateTimeField(read_only=True)
    Status = serializers.ChoiceField(OrderStatus.choices, read_only=True)
    StatusText = serializers.CharField(read_only=True)
    PaymentText = serializers.CharField(read_only=True)
    Enterprise = serializers.CharField(read_only=True)
    Department = serializers.CharField(read_only=True)
    Requester = PersonSerializer(read_only=True)
    PurchaseOrderNo = serializers.CharField(read_only=True)
    CostCenter = serializers.CharField(read_only=True)

    def to_representation(self, instance: CutRow) -> dict[str, Any]:
        order = self.named.orders[instance.key[0]]
        money = ReportMoneyRowSerializer(instance).data
        return {
            "OrderNo": order.order_no,
            "SubmittedAt": serializers.DateTimeField().to_representation(order.submitted_at),
            "Status": order.status,
            "StatusText": order.get_status_display(),
            "PaymentText": order.get_payment_kind_display(),
            "Enterprise": order.enterprise.name,
            "Department": order.department.name if order.department else NO_DEPARTMENT,
            "Requester": PersonSerializer(order.requester).data,
            "PurchaseOrderNo": order.purchase_order_no,
            "CostCenter": order.cost_center,
            **money,
        }


class ReportDetailRowSerializer(_Named, serializers.Serializer[ReportFact]):
    """A fact: the event of an order line, its time and its amounts."""

    Id = serializers.CharField(source="pk")

    At = serializers.DateTimeField(source="at")
    Kind = serializers.ChoiceField(FactKind.choices, source="kind")
    KindText = serializers.CharField(source="get_kind_display")
    OrderNo = serializers.CharField(source="order.order_no")
    StatusText = serializers.CharField(source="get_order_status_display")
    PaymentText = serializers.CharField(source="get_payment_kind_display")
    ProductCode = serializers.CharField(source="order_line.product_code", default="")
    Name = serializers.SerializerMethodField()
    CustomerCode = serializers.CharField(source="order_line.customer_code", default="")
    Brand = serializers.CharField(source="order_line.brand", default="")
    Category = serializers.SerializerMethodField()
    Unit = serializers.CharField(source="order_line.unit", default="")
    UnitPrice = MoneyField(source="order_line.unit_price_incl_tax", allow_null=True, default=None)
    Enterprise = serializers.CharField(source="enterprise.name")
    Department = serializers.SerializerMethodField()
    Requester = PersonSerializer(source="requester")
    Budget = serializers.CharField(source="budget.name", default="")
    PurchaseOrderNo = serializers.CharField(source="purchase_order_no")
    CostCenter = serializers.CharField(source="cost_center")
    Quantity = serializers.IntegerField(source="quantity")
    Amount = MoneyField(source="amount")
    TaxAmount = MoneyField(source="tax_amount")
    NetAmount = serializers.SerializerMethodField()

    def get_Name(self, fact: ReportFact) -> str:
        line = fact.order_line
        return FREIGHT if line is None else line.customer_name or line.name

    def get_Category(self, fact: ReportFact) -> str:
        found = [
            self.named.categories.get(pk, "") for pk in (fact.category_id_l1, fact.category_id_l3)
        ]
        return " / ".join(name for name in found if name)

    def get_Department(self, fact: ReportFact) -> str:
        return self.named.paths.get(fact.department_id, "") if fact.department_id else NO_DEPARTMENT

    def get_NetAmount(self, fact: ReportFact) -> str:
        return str(fact.amount - fact.tax_amount)


class ReportProductRowSerializer(_Named, ReportComparedRowSerializer):
    """A product. The freight of all orders is one row with ProductCode 0."""

    ProductCode = serializers.CharField(read_only=True)
    Name = serializers.CharField(read_only=True)
    Brand = serializers.CharField(read_only=True)
    Category = serializers.CharField(read_only=True)
    Unit = serializers.CharField(read_only=True)

    def to_representation(self, instance: CutRow) -> dict[str, Any]:
        product: Product | None = self.named.products.get(instance.key[0])
        said = (
            ("", "", "")
            if product is None
            else (product.brand.name, f"{product.l1.name} / {product.category.name}", product.unit)
        )
        return {
            "ProductCode": FREIGHT_CODE if product is None else product.code,
            "Name": FREIGHT if product is None else product.name,
            **dict(zip(("Brand", "Category", "Unit"), said, strict=True)),
            **ReportComparedRowSerializer(instance).data,
        }


class ReportDepartmentRowSerializer(_Named, ReportComparedRowSerializer):
    """A department without its subdepartments, so that the rows sum to the total."""

    EnterpriseId = serializers.CharField(read_only=True)
    Enterprise = serializers.CharField(read_only=True)
    DepartmentId = serializers.CharField(read_only=True, help_text="0 为未归属部门")
    Department = serializers.CharField(read_only=True)

    def to_representation(self, instance: CutRow) -> dict[str, Any]:
        enterprise, department = instance.key
        return {
            "EnterpriseId": str(enterprise),
            "Enterprise": self.named.enterprises.get(enterprise, ""),
            "DepartmentId": str(department or 0),
            "Department": self.named.paths.get(department, "") if department else NO_DEPARTMENT,
            **ReportComparedRowSerializer(instance).data,
        }


class ReportPurchaserRowSerializer(_Named, ReportComparedRowSerializer):
    """A person with the current department. The amounts include purchases for earlier
    departments.
    """

    RequesterId = serializers.CharField(read_only=True)
    Name = serializers.CharField(read_only=True)
    UserName = serializers.CharField(read_only=True)
    Enterprise = serializers.CharField(read_only=True)
    Department = serializers.CharField(read_only=True)

    def to_representation(self, instance: CutRow) -> dict[str, Any]:
        person = self.named.people[instance.key[0]]
        return {
            "RequesterId": str(person.pk),
            "Name": person.nickname,
            "UserName": person.username,
            "Enterprise": person.enterprise.name if person.enterprise else "",
            "Department": self.named.paths.get(person.department_id, "")
            if person.department_id
            else NO_DEPARTMENT,
            **ReportComparedRowSerializer(instance).data,
        }
