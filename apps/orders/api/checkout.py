"""Response of the checkout preview."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.approvals.selectors.plan import PlannedStep
from apps.budgets.enums import BudgetState
from apps.cart.selectors.cart import CartLine
from apps.catalog.selectors.pictures import get_image_url
from apps.common.api.serializers import (
    AnswerSerializer,
    LineProblemSerializer,
    MoneyField,
    RecordedPersonSerializer,
)
from apps.orders.selectors.checkout import Checkout
from apps.orders.selectors.deliveries import Delivery
from apps.orders.snapshots import build_address_snapshot, build_invoice_snapshot
from apps.org.enums import CreditPolicy

if TYPE_CHECKING:
    from apps.org.models import Address


class AmountsSerializer(serializers.Serializer[Any]):
    Goods = MoneyField(source="goods", max_digits=20)
    Freight = MoneyField(source="freight")
    Tax = MoneyField(source="tax", max_digits=20)
    Total = MoneyField(source="total", max_digits=20)


class PreviewLineSerializer(serializers.Serializer[CartLine]):
    CartItemId = serializers.CharField(source="item_id")
    ProductCode = serializers.CharField(source="offer.product.code")
    CustomerProductName = serializers.CharField(source="offer.name")
    CustomerCode = serializers.CharField(source="offer.customer_code")
    ImageUrl = serializers.SerializerMethodField()
    Brand = serializers.CharField(source="offer.product.brand.name")
    Unit = serializers.CharField(source="offer.product.unit")
    Quantity = serializers.IntegerField(source="quantity")
    MinQuantity = serializers.IntegerField(source="offer.product.min_quantity")
    StepQuantity = serializers.IntegerField(source="offer.product.step_quantity")
    Stock = serializers.IntegerField(source="offer.available")
    CustomerPrice = MoneyField(source="price", allow_null=True)
    Amount = MoneyField(source="amount", allow_null=True, max_digits=20)

    def get_ImageUrl(self, line: CartLine) -> str:
        """Return the URL of the main picture."""
        return get_image_url(line.offer.product)


class PreviewLeftOutSerializer(PreviewLineSerializer):
    Problem = LineProblemSerializer(source="problem")


class SkippedSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="account.pk")
    Name = serializers.CharField(source="account.name_with_full_name")
    Why = serializers.CharField(source="why")


class ChainStepSerializer(serializers.Serializer[PlannedStep]):
    Step = serializers.IntegerField(source="no")
    RuleName = serializers.CharField(source="rule_name")
    Mode = serializers.CharField(source="mode")
    Approvers = RecordedPersonSerializer(source="approvers", many=True)
    Skipped = SkippedSerializer(source="skipped", many=True)
    IsForStaff = serializers.BooleanField(source="is_for_staff")
    Note = serializers.CharField(source="note")


class PlanSerializer(serializers.Serializer[Any]):
    Needed = serializers.BooleanField(source="is_needed")
    Reasons = serializers.ListField(source="reasons", child=serializers.CharField())
    Chain = ChainStepSerializer(source="steps", many=True)


class PreviewBudgetSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="pk")
    Name = serializers.CharField(source="name")
    Policy = serializers.CharField(source="policy")
    Available = MoneyField(source="available", max_digits=20)


class BudgetLevelSerializer(PreviewBudgetSerializer):
    """A budget above the one of the order. What the order takes counts there as well."""

    After = MoneyField(source="after", max_digits=20)
    IsOver = serializers.BooleanField(source="is_over")


class EarmarkChargeSerializer(BudgetLevelSerializer):
    """An earmarked budget (专项预算) that lines of the order use, or a budget above one."""

    Taken = MoneyField(source="charged_amount", max_digits=20, help_text="本单计入的金额")
    EarmarkText = serializers.CharField(source="earmark", help_text="限定范围，如：类目“办公用纸”")
    UsedName = serializers.CharField(
        source="used_name", help_text="本行是上级预算时，商品直接计入的专项预算；否则为空"
    )


class ChargedBudgetSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField(source="own.pk")
    Name = serializers.CharField(source="own.name")
    Policy = serializers.CharField(source="own.policy")
    Available = MoneyField(source="own.available", max_digits=20)
    After = MoneyField(source="own.after", max_digits=20)
    IsOver = serializers.BooleanField(source="own.is_over")
    State = serializers.ChoiceField(
        choices=BudgetState.choices,
        source="own.state",
        help_text="下单后的状态：用到 80%、100% 时提醒",
    )
    Parents = BudgetLevelSerializer(
        source="parents", many=True, help_text="上级预算，由近及远；本单同时计入"
    )


class PreviewCreditSerializer(serializers.Serializer[Any]):
    """月结信用额度 before and after the order. `Policy` applies if the order exceeds it."""

    Limit = MoneyField(source="credit.limit", max_digits=20)
    Used = MoneyField(source="credit.used", max_digits=20)
    Available = MoneyField(source="credit.available", max_digits=20)
    After = MoneyField(source="after", max_digits=20)
    IsOver = serializers.BooleanField(source="is_over")
    Policy = serializers.ChoiceField(choices=CreditPolicy.choices, source="credit.policy")
    Days = serializers.IntegerField(source="credit.days", help_text="账期天数")


class PreviewProblemSerializer(serializers.Serializer[Any]):
    CartItemId = serializers.CharField(source="cart_item_id", allow_null=True)
    Code = serializers.CharField(source="code")
    Message = serializers.CharField(source="message")
    Field = serializers.CharField(source="field")
    SuggestedQuantity = serializers.IntegerField(source="quantity", allow_null=True)
    IsRefusal = serializers.BooleanField(
        source="is_refusal", help_text="超出预算或月结额度，审批也不能放行；此时 Approval 为空"
    )


class AddressSnapshotSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField()
    Receiver = serializers.CharField()
    Mobile = serializers.CharField()
    Province = serializers.CharField()
    City = serializers.CharField()
    District = serializers.CharField()
    Street = serializers.CharField()
    PostalCode = serializers.CharField()


class InvoiceSnapshotSerializer(serializers.Serializer[Any]):
    Id = serializers.CharField()
    Title = serializers.CharField()
    TaxNumber = serializers.CharField()
    Address = serializers.CharField()
    Phone = serializers.CharField()
    Bank = serializers.CharField()
    BankAccount = serializers.CharField()


class PreviewDeliveryLineSerializer(AnswerSerializer):
    CartItemId = serializers.CharField(source="cart_line.item_id")
    Quantity = serializers.IntegerField(source="quantity")
    Amount = MoneyField(source="amount", max_digits=20)


class PreviewDeliverySerializer(AnswerSerializer):
    """One order of a submit to several addresses, in the order of the request."""

    Address = serializers.SerializerMethodField()
    DepartmentId = serializers.CharField(
        source="department.pk", default=None, allow_null=True, help_text="空为下单人的部门"
    )
    CostCenter = serializers.CharField(source="cost_center")
    Amounts = AmountsSerializer(source="amounts")
    PromisedDays = serializers.IntegerField(source="promised_days")
    Lines = PreviewDeliveryLineSerializer(source="lines", many=True)

    @extend_schema_field(AddressSnapshotSerializer)
    def get_Address(self, delivery: Delivery) -> dict[str, str]:
        """Return the delivery address."""
        return build_address_snapshot(cast("Address", delivery.address))


class PreviewSerializer(serializers.Serializer[Checkout]):
    Lines = PreviewLineSerializer(source="lines", many=True)
    LeftOut = PreviewLeftOutSerializer(
        source="left_out",
        many=True,
        help_text="已勾选（或报价单中）但暂不能购买，未计入本单；指定 Lines 时为空",
    )
    Amounts = AmountsSerializer(source="amounts")
    Approval = PlanSerializer(source="plan")
    Budget = ChargedBudgetSerializer(source="budget_charge", allow_null=True)
    Budgets = PreviewBudgetSerializer(source="budgets", many=True)
    Earmarks = EarmarkChargeSerializer(
        source="earmarks.levels", many=True, help_text="本单商品另外计入的专项预算；没有时为空"
    )
    Credit = PreviewCreditSerializer(source="credit", allow_null=True, help_text="付款方式为月结时")
    Address = serializers.SerializerMethodField()
    LastAddressId = serializers.CharField(
        source="last_address_id", allow_null=True, help_text="上一张订单的收货地址"
    )
    InvoiceTitle = serializers.SerializerMethodField()
    InvoiceTitles = serializers.SerializerMethodField()
    PaymentKind = serializers.CharField(source="subject.payment_kind")
    PaymentKinds = serializers.ListField(
        source="payment_kinds", child=serializers.CharField(), help_text="贵司允许的付款方式"
    )
    InvoiceKind = serializers.CharField(source="invoice_kind")
    InvoiceKinds = serializers.ListField(
        source="invoice_kinds", child=serializers.CharField(), help_text="贵司允许的发票种类"
    )
    PromisedDays = serializers.IntegerField(source="promised_days")
    Deliveries = PreviewDeliverySerializer(
        source="split", many=True, help_text="多地址收货时每个地址一项，否则为空"
    )
    Problems = PreviewProblemSerializer(source="problems", many=True)

    @extend_schema_field(AddressSnapshotSerializer(allow_null=True))
    def get_Address(self, checkout: Checkout) -> dict[str, str] | None:
        """Return the delivery address."""
        return build_address_snapshot(checkout.address) if checkout.address else None

    @extend_schema_field(InvoiceSnapshotSerializer(allow_null=True))
    def get_InvoiceTitle(self, checkout: Checkout) -> dict[str, str] | None:
        """Return the invoice title of the order."""
        return build_invoice_snapshot(checkout.title) if checkout.title else None

    @extend_schema_field(InvoiceSnapshotSerializer(many=True))
    def get_InvoiceTitles(self, checkout: Checkout) -> list[dict[str, str]]:
        """Return the invoice titles to choose from."""
        return [build_invoice_snapshot(title) for title in checkout.titles]
