"""Requests and responses of recurring orders."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.approvals.models import Approval
from apps.approvals.selectors.standing import get_last_standing_day
from apps.cart.selectors.cart import CartLine
from apps.catalog.selectors.pictures import build_media_url, get_image_url
from apps.common.api.serializers import (
    AnswerSerializer,
    BodySerializer,
    DayField,
    IdField,
    LineProblemSerializer,
    MoneyField,
    PersonSerializer,
    QuantityField,
    QuerySerializer,
    SeenAtField,
    TimelineRowSerializer,
    WholeField,
    build_text_field,
    list_of,
)
from apps.orders.enums import DeliveryWish, InvoiceKind, PaymentKind
from apps.org.models import Address
from apps.recurring.enums import (
    ApprovalMode,
    BlockReason,
    RecurringAction,
    RecurringEventKind,
    RecurringStatus,
    Rhythm,
    RunOutcome,
)
from apps.recurring.errors import ProductRepeated
from apps.recurring.models import MAX_REMARK, RecurringLine, RecurringOrder, RecurringRun
from apps.recurring.selectors.drafts import Draft, RecurringForm
from apps.recurring.selectors.next_run import NextRun
from apps.recurring.selectors.recurring_orders import get_recurring_actions
from apps.recurring.texts import schedule_text

MAX_LINES = 200
MAX_REMIND_DAYS = 10
# Due dates that the detail page shows.
UPCOMING = 3


class RecurringQuery(QuerySerializer):
    Status = serializers.ChoiceField(
        choices=RecurringStatus.choices, required=False, allow_blank=True, default=""
    )


class RecurringDraftQuery(QuerySerializer):
    OrderNo = serializers.CharField(max_length=24, required=False, allow_blank=True, default="")
    QuickListId = IdField(required=False)
    RecurringNo = serializers.CharField(max_length=24, required=False, allow_blank=True, default="")


class RecurringDetailQuery(QuerySerializer):
    DropLineIds = serializers.ListField(
        child=IdField(),
        required=False,
        max_length=MAX_LINES,
        default=list,
        help_text="试算时移除的商品行，不保存",
    )


class RecurringWishSerializer(BodySerializer):
    ProductCode = serializers.CharField(max_length=18)
    Quantity = QuantityField()


class RecurringBody(BodySerializer):
    Name = build_text_field(40, missing_message="请填写名称")
    Rhythm = serializers.ChoiceField(choices=Rhythm.choices)
    Number = WholeField(
        min_value=1, max_value=250, help_text="间隔的工作日数、星期几（1 为周一）或几号"
    )
    StartsOn = DayField(
        required=False, allow_null=True, help_text="从这一天起；修改时不填保持原下单日期"
    )
    EndsOn = DayField(required=False, allow_null=True)
    RemindDays = WholeField(
        max_value=MAX_REMIND_DAYS,
        required=False,
        default=1,
        help_text="提前几个工作日提醒，0 为不提醒",
    )
    AmountCeiling = MoneyField(
        required=False,
        allow_null=True,
        min_value=Decimal("0.01"),
        help_text="每次订单含运费的金额上限，超出时停止并询问",
    )
    ApprovalMode = serializers.ChoiceField(
        choices=ApprovalMode.choices,
        default=ApprovalMode.EACH,
        help_text="once 须填写 AmountCeiling；修改后重新审批一次",
    )
    RisePercent = MoneyField(
        max_digits=5,
        required=False,
        allow_null=True,
        min_value=0,
        max_value=Decimal(100),
        help_text="单价较上次确认的涨幅超过此百分比时停止并询问；不填不限",
    )
    AddressId = IdField(error_messages={"required": "请选择收货地址", "null": "请选择收货地址"})
    InvoiceTitleId = IdField(
        error_messages={"required": "请选择开票抬头", "null": "请选择开票抬头"}
    )
    BudgetId = IdField(required=False, allow_null=True)
    DeliveryWish = serializers.ChoiceField(choices=DeliveryWish.choices, default=DeliveryWish.ANY)
    InvoiceKind = serializers.ChoiceField(choices=InvoiceKind.choices)
    PaymentKind = serializers.ChoiceField(choices=PaymentKind.choices)
    CostCenter = build_text_field(60)
    PurchaseOrderNo = build_text_field(60)
    Remark = build_text_field(MAX_REMARK)
    Lines = list_of(
        RecurringWishSerializer,
        allow_empty=False,
        max_length=MAX_LINES,
        error_messages={
            "required": "请至少选择一种商品",
            "empty": "请至少选择一种商品",
            "max_length": f"最多 {MAX_LINES} 种商品",
        },
    )

    def validate_Lines(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse a product that appears twice."""
        if len({line["ProductCode"] for line in lines}) < len(lines):
            raise serializers.ValidationError(ProductRepeated.message)
        return lines

    @staticmethod
    def build_form(body: dict[str, Any]) -> RecurringForm:
        """Return the parsed body as the form that the services take."""
        return RecurringForm(
            name=body["Name"].strip(),
            quantities={line["ProductCode"]: line["Quantity"] for line in body["Lines"]},
            rhythm=body["Rhythm"],
            number=body["Number"],
            starts_on=body.get("StartsOn"),
            ends_on=body.get("EndsOn"),
            remind_days=body["RemindDays"],
            amount_ceiling=body.get("AmountCeiling"),
            approval_mode=body["ApprovalMode"],
            rise_percent=body.get("RisePercent"),
            address_id=body["AddressId"],
            invoice_title_id=body["InvoiceTitleId"],
            budget_id=body.get("BudgetId"),
            delivery_wish=body["DeliveryWish"],
            invoice_kind=body["InvoiceKind"],
            payment_kind=body["PaymentKind"],
            cost_center=body["CostCenter"].strip(),
            purchase_order_no=body["PurchaseOrderNo"].strip(),
            remark=body["Remark"].strip(),
        )


class RecurringChangeBody(RecurringBody):
    UpdatedAt = SeenAtField(required=False, allow_null=True)


class RecurringReasonBody(BodySerializer):
    Reason = build_text_field(200)


class RecurringContinueBody(BodySerializer):
    SeenAmount = MoneyField(min_value=0, help_text="确认时看到的订单金额，与当前不一致时拒绝")
    DropLineIds = serializers.ListField(
        child=IdField(), required=False, max_length=MAX_LINES, default=list
    )


class RecurringRowSerializer(serializers.Serializer[RecurringOrder]):
    """A recurring order of the list. `context["actor"]` is the reader."""

    RecurringNo = serializers.CharField(source="recurring_no")
    Name = serializers.CharField(source="name")
    Status = serializers.ChoiceField(choices=RecurringStatus.choices, source="status")
    StatusText = serializers.CharField(source="get_status_display")
    BlockReason = serializers.ChoiceField(
        choices=BlockReason.choices, source="block_reason", allow_blank=True
    )
    BlockReasonText = serializers.CharField(source="get_block_reason_display")
    ScheduleText = serializers.SerializerMethodField()
    NextDue = serializers.DateField(source="next_due", help_text="下次下单日期；已结束的无意义")
    EndsOn = serializers.DateField(source="ends_on", allow_null=True)
    Requester = PersonSerializer(source="requester")
    Department = serializers.CharField(source="department.name", default="")
    LineCount = serializers.IntegerField(source="line_count")
    AgreedAmount = MoneyField(
        source="agreed_amount", max_digits=20, help_text="按确认单价计的商品金额"
    )
    AllowedActions = serializers.SerializerMethodField()

    def get_ScheduleText(self, row: RecurringOrder) -> str:
        """Return the rhythm, as “每周四”."""
        return schedule_text(row)

    @extend_schema_field(
        serializers.ListField(child=serializers.ChoiceField(choices=RecurringAction.choices))
    )
    def get_AllowedActions(self, row: RecurringOrder) -> list[str]:
        """Return the codes of the actions that the caller may take now."""
        return get_recurring_actions(actor=self.context["actor"], row=row)


class RecurringRunSerializer(AnswerSerializer):
    DueOn = serializers.DateField(source="due_on")
    Outcome = serializers.ChoiceField(choices=RunOutcome.choices, source="outcome")
    OutcomeText = serializers.CharField(source="get_outcome_display")
    ReasonText = serializers.CharField(source="get_reason_display")
    Note = serializers.CharField(source="note")
    OrderNo = serializers.SerializerMethodField()
    OrderStatusText = serializers.SerializerMethodField()
    Amount = serializers.SerializerMethodField()
    At = serializers.DateTimeField(source="at")

    def get_OrderNo(self, run: RecurringRun) -> str:
        """Return the number of the order, empty without one."""
        return run.order.order_no if run.order else ""

    def get_OrderStatusText(self, run: RecurringRun) -> str:
        """Return the present state of the order, empty without one."""
        return str(run.order.get_status_display()) if run.order else ""

    @extend_schema_field(MoneyField(allow_null=True))
    def get_Amount(self, run: RecurringRun) -> str | None:
        """Return the present amount of the order, null without one."""
        return str(run.order.total_amount) if run.order else None


class RecurringLineSerializer(serializers.Serializer[RecurringLine]):
    """A line with its price today. `context["next_run"]` is the next order, None if it has
    ended.
    """

    Id = serializers.CharField(source="pk")
    ProductCode = serializers.CharField(source="product.code")
    Name = serializers.SerializerMethodField()
    Brand = serializers.CharField(source="product.brand.name")
    ImageUrl = serializers.SerializerMethodField()
    Unit = serializers.CharField(source="product.unit")
    Quantity = serializers.IntegerField(source="quantity")
    AgreedPrice = MoneyField(source="agreed_price")
    Price = serializers.SerializerMethodField()
    Amount = serializers.SerializerMethodField()
    Problem = serializers.SerializerMethodField()

    def get_Name(self, line: RecurringLine) -> str:
        """Return the customer's name of the product."""
        today = self._get_line_today(line)
        return today.offer.name if today else str(line.product.name)

    def get_ImageUrl(self, line: RecurringLine) -> str:
        """Return the URL of the main picture."""
        return build_media_url(line.product.image)

    @extend_schema_field(MoneyField(allow_null=True))
    def get_Price(self, line: RecurringLine) -> str | None:
        """Return today's price, null if there is none."""
        today = self._get_line_today(line)
        return None if today is None or today.price is None else str(today.price)

    @extend_schema_field(MoneyField(allow_null=True, max_digits=20))
    def get_Amount(self, line: RecurringLine) -> str | None:
        """Return today's amount, null without a price."""
        today = self._get_line_today(line)
        return None if today is None or today.amount is None else str(today.amount)

    @extend_schema_field(LineProblemSerializer(allow_null=True))
    def get_Problem(self, line: RecurringLine) -> Any:
        """Return why the line cannot be bought now."""
        today = self._get_line_today(line)
        return LineProblemSerializer(today.problem).data if today and today.problem else None

    def _get_line_today(self, line: RecurringLine) -> CartLine | None:
        next_run: NextRun | None = self.context["next_run"]
        return next_run.by_line.get(line.pk) if next_run else None


class RecurringBlockerSerializer(serializers.Serializer[Any]):
    Reason = serializers.ChoiceField(choices=BlockReason.choices, source="reason")
    ReasonText = serializers.CharField(source="reason.label")
    Message = serializers.CharField(source="message")
    LineId = serializers.CharField(source="line_id", allow_null=True)
    CanAccept = serializers.BooleanField(
        source="is_own_rule", help_text="仅超出定期采购自身的涨幅或金额上限，确认后可以继续"
    )


class RecurringNextRunSerializer(serializers.Serializer[NextRun]):
    """The next order at today's prices. The amounts are null if it cannot be computed."""

    Goods = MoneyField(
        source="checkout.amounts.goods", max_digits=20, default=None, allow_null=True
    )
    Freight = MoneyField(source="checkout.amounts.freight", default=None, allow_null=True)
    Total = MoneyField(source="total", max_digits=20, allow_null=True)
    NeedsApproval = serializers.BooleanField(source="checkout.plan.is_needed", default=False)
    Approvers = serializers.SerializerMethodField()
    Blockers = RecurringBlockerSerializer(source="blockers", many=True)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_Approvers(self, next_run: NextRun) -> list[str]:
        """Return the names of the approvers by step, several of one step joined by a comma."""
        steps = next_run.checkout.plan.steps if next_run.checkout else []
        return ["、".join(person.nickname for person in step.approvers) for step in steps]


class RecurringEventSerializer(TimelineRowSerializer):
    """An event of the timeline of a recurring order."""

    kinds = dict(RecurringEventKind.choices)
    states = dict(RecurringStatus.choices)


class RecurringStandingApprovalSerializer(serializers.Serializer[Approval]):
    """The approval of an earlier order that counts for later ones."""

    ApprovalId = serializers.CharField(source="pk")
    OrderNo = serializers.CharField(source="subject_no")
    ApprovedAt = serializers.DateTimeField(source="decided_at")
    ValidTo = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DateField())
    def get_ValidTo(self, approval: Approval) -> str:
        """Return the last day on which it counts."""
        return get_last_standing_day(approval).isoformat()


class RecurringDetailSerializer(RecurringRowSerializer):
    """A recurring order with its next order, its runs and its timeline. The context has
    `next_run`, `standing`, `upcoming`, `runs`, `lines` and `timeline`.
    """

    AmountCeiling = MoneyField(source="amount_ceiling", allow_null=True)
    ApprovalMode = serializers.ChoiceField(choices=ApprovalMode.choices, source="approval_mode")
    ApprovalModeText = serializers.CharField(source="get_approval_mode_display")
    StandingApproval = serializers.SerializerMethodField()
    RisePercent = MoneyField(source="rise_percent", max_digits=5, allow_null=True)
    RemindDays = serializers.IntegerField(source="remind_days")
    Address = serializers.SerializerMethodField()
    InvoiceTitle = serializers.CharField(source="invoice_title.title", default="")
    InvoiceKindText = serializers.CharField(source="get_invoice_kind_display")
    PaymentKindText = serializers.CharField(source="get_payment_kind_display")
    DeliveryWishText = serializers.CharField(source="get_delivery_wish_display")
    Budget = serializers.CharField(source="budget.name", default="")
    CostCenter = serializers.CharField(source="cost_center")
    PurchaseOrderNo = serializers.CharField(source="purchase_order_no")
    Remark = serializers.CharField(source="remark")
    UpdatedAt = serializers.DateTimeField(source="updated_at")
    Lines = serializers.SerializerMethodField()
    NextRun = serializers.SerializerMethodField()
    UpcomingDates = serializers.SerializerMethodField()
    Runs = serializers.SerializerMethodField()
    Timeline = serializers.SerializerMethodField()

    @extend_schema_field(RecurringStandingApprovalSerializer(allow_null=True))
    def get_StandingApproval(self, row: RecurringOrder) -> Any:
        """Return the approval that counts for the next orders, null if there is none."""
        standing = self.context["standing"]
        if standing is None or standing.approval is None:
            return None
        return RecurringStandingApprovalSerializer(standing.approval).data

    def get_Address(self, row: RecurringOrder) -> str:
        """Return receiver and address, empty if the address was deleted."""
        return _format_address(row.address) if row.address else ""

    @extend_schema_field(RecurringLineSerializer(many=True))
    def get_Lines(self, row: RecurringOrder) -> Any:
        """Return the lines in their order."""
        return RecurringLineSerializer(
            self.context["lines"], many=True, context={"next_run": self.context["next_run"]}
        ).data

    @extend_schema_field(RecurringNextRunSerializer(allow_null=True))
    def get_NextRun(self, row: RecurringOrder) -> Any:
        """Return the next order, null after the end."""
        next_run = self.context["next_run"]
        return RecurringNextRunSerializer(next_run).data if next_run else None

    @extend_schema_field(serializers.ListField(child=serializers.DateField()))
    def get_UpcomingDates(self, row: RecurringOrder) -> list[str]:
        """Return the next due dates."""
        return [day.isoformat() for day in self.context["upcoming"]]

    @extend_schema_field(RecurringRunSerializer(many=True))
    def get_Runs(self, row: RecurringOrder) -> Any:
        """Return the newest due dates that were handled, newest first."""
        return RecurringRunSerializer.serialize_all(self.context["runs"])

    @extend_schema_field(RecurringEventSerializer(many=True))
    def get_Timeline(self, row: RecurringOrder) -> Any:
        """Return the events, oldest first."""
        return RecurringEventSerializer(self.context["timeline"], many=True).data


class RecurringOptionSerializer(serializers.Serializer[Any]):
    """A choice of the form."""

    Code = serializers.CharField()
    Name = serializers.CharField()


class RecurringDraftLineSerializer(serializers.Serializer[CartLine]):
    ProductCode = serializers.CharField(source="offer.product.code")
    Name = serializers.CharField(source="offer.name")
    Brand = serializers.CharField(source="offer.product.brand.name")
    ImageUrl = serializers.SerializerMethodField()
    Unit = serializers.CharField(source="offer.product.unit")
    Quantity = serializers.IntegerField(source="quantity")
    MinQuantity = serializers.IntegerField(source="offer.product.min_quantity")
    StepQuantity = serializers.IntegerField(source="offer.product.step_quantity")
    Price = MoneyField(source="price", allow_null=True)
    Problem = LineProblemSerializer(source="problem", allow_null=True)

    def get_ImageUrl(self, line: CartLine) -> str:
        """Return the URL of the main picture."""
        return get_image_url(line.offer.product)


class RecurringDraftSerializer(serializers.Serializer[Draft]):
    """A filled form, with the choices that the person has."""

    Name = serializers.CharField(source="form.name")
    Rhythm = serializers.ChoiceField(choices=Rhythm.choices, source="form.rhythm")
    Number = serializers.IntegerField(source="form.number")
    EndsOn = serializers.DateField(source="form.ends_on", allow_null=True)
    RemindDays = serializers.IntegerField(source="form.remind_days")
    AmountCeiling = MoneyField(source="form.amount_ceiling", allow_null=True)
    ApprovalMode = serializers.ChoiceField(
        choices=ApprovalMode.choices, source="form.approval_mode"
    )
    RisePercent = MoneyField(source="form.rise_percent", max_digits=5, allow_null=True)
    AddressId = serializers.CharField(source="form.address_id", allow_null=True)
    InvoiceTitleId = serializers.CharField(source="form.invoice_title_id", allow_null=True)
    BudgetId = serializers.CharField(source="form.budget_id", allow_null=True)
    DeliveryWish = serializers.ChoiceField(
        choices=DeliveryWish.choices, source="form.delivery_wish"
    )
    InvoiceKind = serializers.ChoiceField(choices=InvoiceKind.choices, source="form.invoice_kind")
    PaymentKind = serializers.ChoiceField(choices=PaymentKind.choices, source="form.payment_kind")
    CostCenter = serializers.CharField(source="form.cost_center")
    PurchaseOrderNo = serializers.CharField(source="form.purchase_order_no")
    Remark = serializers.CharField(source="form.remark")
    Lines = RecurringDraftLineSerializer(source="checkout.lines", many=True)
    Addresses = serializers.SerializerMethodField()
    InvoiceTitles = serializers.SerializerMethodField()
    Budgets = serializers.SerializerMethodField()
    PaymentKinds = serializers.SerializerMethodField()
    InvoiceKinds = serializers.SerializerMethodField()

    @extend_schema_field(RecurringOptionSerializer(many=True))
    def get_Addresses(self, draft: Draft) -> list[dict[str, str]]:
        """Return the usable addresses, the default first."""
        return [_build_option(row.pk, _format_address(row)) for row in draft.addresses]

    @extend_schema_field(RecurringOptionSerializer(many=True))
    def get_InvoiceTitles(self, draft: Draft) -> list[dict[str, str]]:
        """Return the invoice titles of the enterprise."""
        return [_build_option(row.pk, row.title) for row in draft.checkout.titles]

    @extend_schema_field(RecurringOptionSerializer(many=True))
    def get_Budgets(self, draft: Draft) -> list[dict[str, str]]:
        """Return the budgets to choose from, the nearest first."""
        return [_build_option(row.pk, row.name) for row in draft.checkout.budgets]

    @extend_schema_field(RecurringOptionSerializer(many=True))
    def get_PaymentKinds(self, draft: Draft) -> list[dict[str, str]]:
        """Return the kinds of payment to choose from."""
        return [
            _build_option(kind, PaymentKind(kind).label) for kind in draft.checkout.payment_kinds
        ]

    @extend_schema_field(RecurringOptionSerializer(many=True))
    def get_InvoiceKinds(self, draft: Draft) -> list[dict[str, str]]:
        """Return the kinds of invoice to choose from."""
        return [
            _build_option(kind, InvoiceKind(kind).label) for kind in draft.checkout.invoice_kinds
        ]


def _build_option(code: object, name: object) -> dict[str, str]:
    return {"Code": str(code), "Name": str(name)}


def _format_address(address: Address) -> str:
    return f"{address.receiver} {address.full_text}"
