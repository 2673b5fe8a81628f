"""Response serializers of the reports: totals, charts, the rows of each report, and the values
of the filters.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import inline_serializer
from rest_framework import serializers

from apps.catalog.models import Product
from apps.common.api.serializers import AnswerSerializer, MoneyField, PersonSerializer
from apps.orders.enums import OrderStatus
from apps.org.enums import DataScope
from apps.reports.enums import Basis, FactKind, Preset, ReportName
from apps.reports.models import ReportFact
from apps.reports.selectors.cuts import GroupedRow
from apps.reports.selectors.names import FREIGHT, NO_DEPARTMENT
from apps.reports.selectors.question import FREIGHT_CODE
from apps.reports.selectors.reports import Report


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


class _NamedRow:
    context: dict[str, Any]

    @property
    def row_names(self) -> Any:
        return self.context["report"].row_names


class ReportOrderRowSerializer(_NamedRow, ReportMoneyRowSerializer):
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

    def to_representation(self, instance: GroupedRow) -> dict[str, Any]:
        order = self.row_names.orders[instance.key[0]]
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


class ReportDetailRowSerializer(_NamedRow, serializers.Serializer[ReportFact]):
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
        names = [
            self.row_names.categories.get(pk, "")
            for pk in (fact.category_id_l1, fact.category_id_l3)
        ]
        return " / ".join(name for name in names if name)

    def get_Department(self, fact: ReportFact) -> str:
        name: str = self.row_names.get_department_name(fact.department_id)
        return name

    def get_NetAmount(self, fact: ReportFact) -> str:
        return str(fact.amount - fact.tax_amount)


class ReportProductRowSerializer(_NamedRow, ReportComparedRowSerializer):
    """A product. The freight of all orders is one row with ProductCode 0."""

    ProductCode = serializers.CharField(read_only=True)
    Name = serializers.CharField(read_only=True)
    Brand = serializers.CharField(read_only=True)
    Category = serializers.CharField(read_only=True)
    Unit = serializers.CharField(read_only=True)

    def to_representation(self, instance: GroupedRow) -> dict[str, Any]:
        product: Product | None = self.row_names.products.get(instance.key[0])
        figures = ReportComparedRowSerializer(instance).data
        if product is None:
            empty = {"Brand": "", "Category": "", "Unit": ""}
            return {"ProductCode": FREIGHT_CODE, "Name": FREIGHT, **empty, **figures}
        return {
            "ProductCode": product.code,
            "Name": product.name,
            "Brand": product.brand.name,
            "Category": f"{product.l1.name} / {product.category.name}",
            "Unit": product.unit,
            **figures,
        }


class ReportDepartmentRowSerializer(_NamedRow, ReportComparedRowSerializer):
    """A department without its subdepartments, so that the rows sum to the total. Subtotal includes
    the subdepartments.
    """

    EnterpriseId = serializers.CharField(read_only=True)
    Enterprise = serializers.CharField(read_only=True)
    DepartmentId = serializers.CharField(read_only=True, help_text="0 为未归属部门")
    Department = serializers.CharField(read_only=True)
    Subtotal = MoneyField(source="subtotal", help_text="含下级部门的金额")

    def to_representation(self, instance: GroupedRow) -> dict[str, Any]:
        enterprise, department = instance.key
        return {
            "EnterpriseId": str(enterprise),
            "Enterprise": self.row_names.enterprises.get(enterprise, ""),
            "DepartmentId": str(department or 0),
            "Department": self.row_names.get_department_name(department),
            "Subtotal": self.fields["Subtotal"].to_representation(instance.subtotal),
            **ReportComparedRowSerializer(instance).data,
        }


class ReportPurchaserRowSerializer(_NamedRow, ReportComparedRowSerializer):
    """A person with the current department. The amounts include purchases for earlier
    departments.
    """

    RequesterId = serializers.CharField(read_only=True)
    Name = serializers.CharField(read_only=True)
    UserName = serializers.CharField(read_only=True)
    Enterprise = serializers.CharField(read_only=True)
    Department = serializers.CharField(read_only=True)

    def to_representation(self, instance: GroupedRow) -> dict[str, Any]:
        person = self.row_names.people[instance.key[0]]
        return {
            "RequesterId": str(person.pk),
            "Name": person.nickname,
            "UserName": person.username,
            "Enterprise": person.enterprise.name if person.enterprise else "",
            "Department": self.row_names.get_department_name(person.department_id),
            **ReportComparedRowSerializer(instance).data,
        }


class ReportBrandRowSerializer(_NamedRow, ReportComparedRowSerializer):
    """A brand at the time of the order. The freight of all orders is one row without BrandId."""

    BrandId = serializers.CharField(read_only=True, allow_null=True, help_text="运费为 null")
    Brand = serializers.CharField(read_only=True)

    def to_representation(self, instance: GroupedRow) -> dict[str, Any]:
        key = instance.key[0]
        return {
            "BrandId": None if key is None else str(key),
            "Brand": self.row_names.get_brand_name(key),
            **ReportComparedRowSerializer(instance).data,
        }


class ReportSavingsRowSerializer(_NamedRow, ReportComparedRowSerializer):
    """A first-level category. Saved = Market − Amount; freight saves nothing."""

    CategoryId = serializers.CharField(read_only=True, help_text="0 为运费")
    Category = serializers.CharField(read_only=True)
    Market = MoneyField(source="market", help_text="按下单时市场价计算的金额")
    Saved = MoneyField(source="saved", help_text="节约金额，即市场价金额减实付金额")
    SavedPercent = PercentField(source="saved_percent", help_text="节约率，百分数")
    Agreed = MoneyField(source="agreed", help_text="协议内商品金额")
    OffAgreement = MoneyField(source="off_agreement", help_text="协议外商品金额")
    AgreedPercent = PercentField(source="agreed_percent", help_text="协议内占商品金额，百分数")

    def to_representation(self, instance: GroupedRow) -> dict[str, Any]:
        key = instance.key[0]
        fields: Any = self.fields
        money = {
            title: fields[title].to_representation(getattr(instance, fields[title].source))
            for title in ("Market", "Saved", "Agreed", "OffAgreement")
        }
        shares = {
            "SavedPercent": instance.saved_percent,
            "AgreedPercent": instance.agreed_percent,
        }
        return {
            "CategoryId": str(key or 0),
            "Category": self.row_names.get_category_name(key),
            **money,
            **{title: None if value is None else str(value) for title, value in shares.items()},
            **ReportComparedRowSerializer(instance).data,
        }


class ReportBudgetRowSerializer(_NamedRow, ReportComparedRowSerializer):
    """A budget with its purchases in the period of the report. The figures of the budget include
    the budgets below; they are null without a budget, and for budgets that the caller does not see
    on 预算余额.
    """

    BudgetId = serializers.CharField(read_only=True, help_text="0 为未使用预算")
    Budget = serializers.CharField(read_only=True)
    Owner = serializers.CharField(read_only=True, help_text="归属")
    PeriodText = serializers.CharField(read_only=True)
    ParentName = serializers.CharField(read_only=True, help_text="上级预算")
    EarmarkText = serializers.CharField(
        read_only=True, help_text="专项预算的限定范围；普通预算为空"
    )
    Budgeted = MoneyField(allow_null=True, read_only=True, help_text="预算额度")
    Reserved = MoneyField(allow_null=True, read_only=True, help_text="已预占，含审批中的订单")
    Consumed = MoneyField(allow_null=True, read_only=True, help_text="已使用")
    Available = MoneyField(allow_null=True, read_only=True, help_text="可用")
    AtEnd = MoneyField(
        allow_null=True, read_only=True, help_text="预计期末使用；期初 7 天内为 null"
    )
    Overrun = MoneyField(
        allow_null=True, read_only=True, help_text="预计超出额度的金额；仅有往期采购的预算为 null"
    )
    UsedPercent = PercentField(read_only=True, help_text="使用率：已使用与已预占占额度的百分数")

    def to_representation(self, instance: GroupedRow) -> dict[str, Any]:
        key = instance.key[0]
        actual = self.row_names.actuals.get(key or 0)
        budget, forecast = (actual.budget, actual.forecast) if actual else (None, None)
        money = {
            "Budgeted": budget and budget.amount,
            "Reserved": budget and budget.reserved,
            "Consumed": budget and budget.consumed,
            "Available": budget and budget.available,
            "AtEnd": forecast and forecast.at_end,
            "Overrun": actual and actual.overrun,
            "UsedPercent": actual and actual.used_percent,
        }
        return {
            "BudgetId": str(key or 0),
            "Budget": self.row_names.get_budget_name(key),
            "Owner": budget.owner_name if budget else "",
            "PeriodText": actual.period_name if actual else "",
            "ParentName": actual.parent_name if actual else "",
            "EarmarkText": budget.earmark_text if budget else "",
            **{title: None if value is None else str(value) for title, value in money.items()},
            **ReportComparedRowSerializer(instance).data,
        }


class ReportBudgetTotalsSerializer(serializers.Serializer[Any]):
    """The sums of the topmost budgets of all rows: parent and child are not added, and earmarked
    budgets only if there are no others.
    """

    Count = serializers.IntegerField(source="count")
    Budgeted = MoneyField(source="amount", max_digits=20)
    Reserved = MoneyField(source="reserved", max_digits=20)
    Consumed = MoneyField(source="consumed", max_digits=20)
    Available = MoneyField(source="available", max_digits=20)
    AtEnd = MoneyField(source="at_end", max_digits=20)
    Overrun = MoneyField(source="overrun", max_digits=20)
    Overrunning = serializers.IntegerField(
        source="overrunning", help_text="预计超出额度的预算数，含各级"
    )


class ReportBuyerSerializer(serializers.Serializer[Any]):
    """The purchases off agreement of one person."""

    Person = PersonSerializer(source="person")
    Amount = MoneyField(source="amount")
    Percent = PercentField(source="percent", help_text="占本人商品金额，百分数")


class ReportPriceMoveSerializer(serializers.Serializer[Any]):
    """The first and the last unit price of a product in the period."""

    ProductCode = serializers.CharField(source="product.code")
    Name = serializers.CharField(source="product.name")
    First = MoneyField(source="first")
    FirstDay = serializers.DateField(source="first_day")
    Last = MoneyField(source="last")
    LastDay = serializers.DateField(source="last_day")
    Change = PercentField(source="percent")


class ReportSavingsSerializer(serializers.Serializer[Any]):
    """The figures above the rows of the savings report. The tail are the products outside the ones
    that make 80% of the amount of goods.
    """

    Market = MoneyField(source="market")
    Saved = MoneyField(source="saved")
    SavedPercent = PercentField(source="saved_percent")
    Agreed = MoneyField(source="agreed")
    OffAgreement = MoneyField(source="off_agreement")
    AgreedPercent = PercentField(source="agreed_percent")
    Products = serializers.IntegerField(source="products")
    TailProducts = serializers.IntegerField(source="tail_products")
    TailAmount = MoneyField(source="tail_amount")
    Buyers = ReportBuyerSerializer(source="buyers", many=True)
    PriceMoves = ReportPriceMoveSerializer(source="moves", many=True)


class ReportChangeSerializer(serializers.Serializer[Any]):
    """Amount of the comparison period, and the growth against it in percent."""

    From = serializers.DateField(source="window.since")
    To = serializers.DateField(source="window.until")
    Amount = MoneyField(source="amount")
    Change = PercentField(source="percent")


class ReportTrendPointSerializer(serializers.Serializer[Any]):
    """One day or month of the trend. LastYear is the same day or month one year earlier."""

    From = serializers.DateField(source="window.since")
    To = serializers.DateField(source="window.until")
    Amount = MoneyField(source="amount")
    LastYear = MoneyField(source="year_before")


class ReportSliceSerializer(serializers.Serializer[Any]):
    """A part of the total. Key is the filter value that selects this part."""

    Key = serializers.CharField(source="key")
    Name = serializers.CharField(source="name")
    Amount = MoneyField(source="amount")


class ReportChartsSerializer(serializers.Serializer[Any]):
    Share = ReportSliceSerializer(source="share", many=True)
    Top = ReportSliceSerializer(source="top", many=True)


class ReportTotalsSerializer(serializers.Serializer[Any]):
    """Totals of all rows, not only of the page."""

    Amount = MoneyField(source="summary.totals.amount")
    TaxAmount = MoneyField(source="summary.totals.tax")
    NetAmount = MoneyField(source="summary.totals.net")
    Quantity = serializers.IntegerField(source="summary.totals.quantity")
    Orders = serializers.IntegerField(source="orders")


class ReportHeadSerializer(AnswerSerializer):
    """A report without its rows. Charts is null if the request did not include charts."""

    Basis = serializers.ChoiceField(Basis.choices, source="question.basis")
    Period = serializers.ChoiceField(Preset.choices, source="question.preset")
    From = serializers.DateField(source="windows.window.since")
    To = serializers.DateField(source="windows.window.until")
    Totals = ReportTotalsSerializer(source="*")
    Previous = ReportChangeSerializer(source="summary.previous")
    LastYear = ReportChangeSerializer(source="summary.year_before")
    Trend = ReportTrendPointSerializer(source="summary.trend", many=True)
    Charts = ReportChartsSerializer(source="charts", allow_null=True)
    Savings = ReportSavingsSerializer(
        source="savings", allow_null=True, help_text="仅节约与合规报表"
    )
    Budgets = ReportBudgetTotalsSerializer(
        source="budgets", allow_null=True, help_text="仅预算执行报表；上下级预算只计上级"
    )


ROWS: dict[str, type[serializers.Serializer[Any]]] = {
    ReportName.ORDER: ReportOrderRowSerializer,
    ReportName.ORDER_DETAIL: ReportDetailRowSerializer,
    ReportName.PRODUCT: ReportProductRowSerializer,
    ReportName.DEPARTMENT: ReportDepartmentRowSerializer,
    ReportName.PURCHASER: ReportPurchaserRowSerializer,
    ReportName.BRAND: ReportBrandRowSerializer,
    ReportName.SAVINGS: ReportSavingsRowSerializer,
    ReportName.BUDGET: ReportBudgetRowSerializer,
}


def build_page_schema(name: str) -> Any:
    """Return the response schema of a report's page."""
    page_fields = {key: serializers.IntegerField() for key in ("Total", "PageIndex", "PageSize")}
    return inline_serializer(
        f"Report{name}Page",
        {**ReportHeadSerializer().get_fields(), "Items": ROWS[name](many=True), **page_fields},
    )


def page_answer(report: Report, *, index: int, size: int) -> dict[str, Any]:
    """Return the response body of a report."""
    items = ROWS[report.name](report.rows, many=True, context={"report": report}).data
    return {
        **ReportHeadSerializer.answer(report),
        "Items": items,
        "Total": report.total,
        "PageIndex": index,
        "PageSize": size,
    }


class ReportChoiceSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")


class ReportPlaceSerializer(ReportChoiceSerializer):
    """A department. ParentId names its parent if the list contains the parent."""

    ParentId = serializers.CharField(source="parent_id", allow_null=True)
    EnterpriseId = serializers.CharField(source="enterprise_id")


class ReportCategorySerializer(ReportChoiceSerializer):
    ParentId = serializers.CharField(source="parent_id", allow_null=True)


class ReportRequesterSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="nickname")
    UserName = serializers.CharField(source="username")


class ReportChoicesSerializer(AnswerSerializer):
    """The values of all filters. Scope is the data scope of the caller in this report."""

    Scope = serializers.ChoiceField(DataScope.choices, source="scope")
    ScopeText = serializers.CharField(source="scope.label")
    Enterprises = ReportChoiceSerializer(source="enterprises", many=True)
    Departments = ReportPlaceSerializer(source="departments", many=True)
    Categories = ReportCategorySerializer(source="categories", many=True)
    Requesters = ReportRequesterSerializer(source="requesters", many=True)
    Budgets = ReportChoiceSerializer(source="budgets", many=True)
    Brands = ReportChoiceSerializer(source="brands", many=True)
