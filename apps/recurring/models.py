"""定期采购: an order that repeats on working days, its lines, and what became of each due date."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q
from django_fsm import FSMField, transition

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField
from apps.orders.enums import DeliveryWish, InvoiceKind, PaymentKind
from apps.recurring.enums import (
    ApprovalMode,
    BlockReason,
    RecurringStatus,
    Rhythm,
    RunOutcome,
)

S = RecurringStatus
# The states in which a recurring order still has a next due date.
OPEN = (S.ACTIVE, S.BLOCKED, S.PAUSED)
MAX_REMARK = 260


class RecurringOrder(TenantModel, TimeStampedModel):
    """`next_due` is the next due date; while the order is blocked, the date that waits for a
    decision.
    """

    recurring_no = models.CharField("定期采购编号", max_length=24, unique=True)
    name = models.CharField("名称", max_length=40)
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="创建人"
    )
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    department = models.ForeignKey(
        "org.Department", null=True, on_delete=models.PROTECT, related_name="+", verbose_name="部门"
    )
    status = FSMField(
        "状态",
        max_length=10,
        choices=RecurringStatus.choices,
        default=RecurringStatus.ACTIVE,
        protected=True,
    )
    block_reason = models.CharField(
        "待处理原因", max_length=12, choices=BlockReason.choices, blank=True
    )

    rhythm = models.CharField("周期", max_length=12, choices=Rhythm.choices)
    number = models.PositiveSmallIntegerField("周期数")
    next_due = models.DateField("下次下单日期")
    ends_on = models.DateField("结束日期", null=True, blank=True)
    remind_days = models.PositiveSmallIntegerField("提前提醒（工作日）", default=1)
    # The due date for which the reminder was sent.
    reminded_due = models.DateField("已提醒的下单日期", null=True, blank=True, editable=False)
    amount_ceiling = MoneyField("单次金额上限（含税）", null=True, blank=True)
    approval_mode = models.CharField(
        "审批方式",
        max_length=4,
        choices=ApprovalMode.choices,
        default=ApprovalMode.EACH,
        db_default=ApprovalMode.EACH,
    )
    # The set-up or the last change. With ApprovalMode.ONCE, only an approval begun later counts.
    terms_since = models.DateTimeField("内容确定时间", null=True, blank=True, editable=False)
    rise_percent = models.DecimalField(
        "允许涨价（%）", max_digits=5, decimal_places=2, null=True, blank=True
    )

    # Empty after the row was deleted: the next run then stops and asks.
    address = models.ForeignKey(
        "org.Address",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="收货地址",
    )
    invoice_title = models.ForeignKey(
        "org.InvoiceTitle",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="开票抬头",
    )
    # Empty: the nearest budget, as in a checkout without a choice.
    budget = models.ForeignKey(
        "budgets.Budget",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="预算",
    )
    delivery_wish = models.CharField(
        "送货时间", max_length=8, choices=DeliveryWish.choices, default=DeliveryWish.ANY
    )
    invoice_kind = models.CharField("发票种类", max_length=14, choices=InvoiceKind.choices)
    payment_kind = models.CharField("付款方式", max_length=10, choices=PaymentKind.choices)
    cost_center = models.CharField("成本中心", max_length=60, blank=True)
    purchase_order_no = models.CharField("采购单号", max_length=60, blank=True)
    remark = models.CharField("备注", max_length=MAX_REMARK, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "定期采购"
        verbose_name_plural = "定期采购"
        ordering = ["next_due", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(number__gte=1), name="recurringorder_number_counts"),
            models.CheckConstraint(
                condition=~Q(approval_mode="once") | Q(amount_ceiling__isnull=False),
                name="recurringorder_once_has_ceiling",
            ),
        ]
        indexes = [
            models.Index(fields=["group", "requester"], name="recurringorder_requester_idx"),
            models.Index(
                fields=["group", "enterprise", "department"], name="recurringorder_place_idx"
            ),
            models.Index(
                fields=["next_due"], condition=Q(status="active"), name="recurringorder_due_idx"
            ),
        ]

    def __str__(self) -> str:
        return self.recurring_no

    @property
    def order_remark(self) -> str:
        """The remark of its orders, which names the recurring order."""
        return f"{self.remark} 定期采购 {self.recurring_no}".strip()

    @transition(field=status, source=[S.ACTIVE, S.BLOCKED], target=S.PAUSED)
    def pause(self) -> None:
        """No order is placed until a person resumes it."""
        self.block_reason = ""

    @transition(field=status, source=S.PAUSED, target=S.ACTIVE)
    def resume(self) -> None:
        """Orders are placed again."""

    @transition(field=status, source=[S.ACTIVE, S.BLOCKED], target=S.BLOCKED)
    def block(self, *, reason: str) -> None:
        """The due date waits for a decision of the owner."""
        self.block_reason = reason

    @transition(field=status, source=[S.ACTIVE, S.BLOCKED], target=S.ACTIVE)
    def proceed(self) -> None:
        """The due date is settled: ordered or skipped."""
        self.block_reason = ""

    @transition(field=status, source=list(OPEN), target=S.ENDED)
    def end(self) -> None:
        """No further order."""
        self.block_reason = ""


class RecurringLine(TenantModel):
    """A product of a recurring order. `agreed_price` is the price in 元, 含税, that the owner last
    agreed to; rises are measured from it.
    """

    recurring_order = models.ForeignKey(
        RecurringOrder,
        on_delete=models.CASCADE,
        related_name="lines",
        verbose_name="定期采购",
        db_index=False,
    )
    no = models.PositiveSmallIntegerField("行号")
    product = models.ForeignKey(
        "catalog.Product",
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="商品",
        db_index=False,
    )
    quantity = models.PositiveIntegerField("数量")
    agreed_price = MoneyField("确认单价（含税）")

    class Meta(TenantModel.Meta):
        verbose_name = "定期采购商品"
        verbose_name_plural = "定期采购商品"
        ordering = ["recurring_order", "no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "recurring_order", "product"], name="recurringline_product_uniq"
            ),
            models.CheckConstraint(condition=Q(quantity__gte=1), name="recurringline_some"),
        ]

    def __str__(self) -> str:
        return f"{self.product_id} × {self.quantity}"

    def compute_limit_price(self, percent: Decimal) -> Decimal:
        """Return the highest price in 元 that a rise of `percent` allows. Not rounded."""
        limit: Decimal = self.agreed_price * (1 + percent / 100)
        return limit


class RecurringRun(TenantModel):
    """One due date. The unique key allows one row and therefore one order for each date."""

    recurring_order = models.ForeignKey(
        RecurringOrder,
        on_delete=models.CASCADE,
        related_name="runs",
        verbose_name="定期采购",
        db_index=False,
    )
    due_on = models.DateField("下单日期")
    outcome = models.CharField("结果", max_length=8, choices=RunOutcome.choices)
    reason = models.CharField("原因", max_length=12, choices=BlockReason.choices, blank=True)
    note = models.CharField("说明", max_length=500, blank=True)
    order = models.ForeignKey(
        "orders.Order",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="订单",
    )
    at = models.DateTimeField("时间")

    class Meta(TenantModel.Meta):
        verbose_name = "定期采购执行"
        verbose_name_plural = "定期采购执行"
        ordering = ["-due_on", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "recurring_order", "due_on"], name="recurringrun_due_uniq"
            ),
            models.CheckConstraint(
                condition=Q(outcome="ordered", order__isnull=False)
                | (~Q(outcome="ordered") & Q(order__isnull=True)),
                name="recurringrun_ordered_has_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.recurring_order_id} {self.due_on}"
