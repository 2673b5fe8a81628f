"""开票申请, 发票 and 红字发票信息确认单.

An application has the received goods to invoice and how they are split. Its invoices are planned
with it and get a number when issued. Each invoice line links to its order. 处理状态 is what a
customer has done with an issued invoice; only the customer sets it. A red request names the part of
an invoice to take back, and the party that has to confirm it.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import ZERO, MoneyField
from apps.invoices.enums import (
    ApplicationStatus,
    DeliveryWay,
    InvoiceGrouping,
    InvoiceKind,
    InvoiceMarkKind,
    InvoiceStatus,
    RedReason,
    RedStatus,
)


class InvoiceApplication(TenantModel, TimeStampedModel):
    """A customer's request to invoice received goods of one enterprise. It plans its invoices by
    `grouping`, tax rate and `amount_limit`; the staff approve or reject it as a whole. Amounts are
    in 元 with two decimals: `amount_incl_tax` contains `tax_amount`.
    """

    application_no = models.CharField("申请单号", max_length=24, unique=True)
    applicant = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="申请人"
    )
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    department = models.ForeignKey(
        "org.Department",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="申请部门",
    )
    status = models.CharField(
        "状态", max_length=10, choices=ApplicationStatus.choices, default=ApplicationStatus.PENDING
    )
    kind = models.CharField("发票种类", max_length=14, choices=InvoiceKind.choices)
    # Empty: the title chosen at the checkout of each order.
    title = models.ForeignKey(
        "org.InvoiceTitle",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="抬头",
    )
    grouping = models.CharField(
        "合并方式", max_length=8, choices=InvoiceGrouping.choices, default=InvoiceGrouping.MERGED
    )
    is_split_by_rate = models.BooleanField("按税率拆分", default=False)
    amount_limit = MoneyField("单张限额（含税）", null=True, blank=True)
    delivery = models.CharField("交付方式", max_length=5, choices=DeliveryWay.choices)
    email = models.EmailField("收票邮箱", blank=True)
    address_snapshot = models.JSONField("收票地址", default=dict, blank=True)
    remark = models.CharField("发票备注", max_length=200, blank=True)
    amount_incl_tax = MoneyField("价税合计", default=ZERO)
    tax_amount = MoneyField("税额", default=ZERO)
    line_count = models.PositiveIntegerField("明细行数", default=0)
    invoice_count = models.PositiveIntegerField("发票张数", default=0)
    reason = models.CharField("驳回或撤回原因", max_length=300, blank=True)
    submitted_at = models.DateTimeField("提交时间")
    decided_at = models.DateTimeField("审核时间", null=True, blank=True)
    finished_at = models.DateTimeField("完成时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "开票申请"
        verbose_name_plural = "开票申请"
        ordering = ["-submitted_at", "-id"]
        indexes = [
            models.Index(
                fields=["group", "enterprise", "-submitted_at"], name="invoiceapplication_place_idx"
            ),
            models.Index(fields=["status", "submitted_at"], name="invoiceapplication_staff_idx"),
        ]

    def __str__(self) -> str:
        return self.application_no


class Invoice(TenantModel, TimeStampedModel):
    """A blue or red invoice of an enterprise. It is planned by its application and gets its number
    when the gateway issues it. Amounts are in 元 with two decimals: `amount_incl_tax` is
    `net_amount` plus `tax_amount`.

    A red invoice has an `original`, and its amounts and quantities are negative. `red_amount` of a
    blue invoice is the positive sum that its red invoices have taken back.
    """

    # The mall's number and the gateway's idempotency key: a repeated request issues once.
    request_no = models.CharField("开票流水号", max_length=24, unique=True)
    application = models.ForeignKey(
        "invoices.InvoiceApplication",
        on_delete=models.PROTECT,
        related_name="invoices",
        verbose_name="申请",
    )
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    original = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="red_invoices",
        verbose_name="对应蓝字发票",
    )
    kind = models.CharField("发票种类", max_length=14, choices=InvoiceKind.choices)
    status = models.CharField(
        "状态", max_length=10, choices=InvoiceStatus.choices, default=InvoiceStatus.PLANNED
    )
    title_snapshot = models.JSONField("购买方", default=dict)
    seller_snapshot = models.JSONField("销售方", default=dict)
    amount_incl_tax = MoneyField("价税合计")
    net_amount = MoneyField("不含税金额")
    tax_amount = MoneyField("税额")
    red_amount = MoneyField("已红冲金额", default=ZERO)
    remark = models.CharField("备注", max_length=300, blank=True)
    invoice_code = models.CharField("发票代码", max_length=12, blank=True)
    invoice_no = models.CharField("发票号码", max_length=20, blank=True)
    issued_at = models.DateTimeField("开票时间", null=True, blank=True)
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="开票人",
    )
    gateway = models.CharField("开票渠道", max_length=20, blank=True)
    attempts = models.PositiveSmallIntegerField("请求次数", default=0)
    requested_at = models.DateTimeField("请求时间", null=True, blank=True)
    failure = models.CharField("失败原因", max_length=300, blank=True)
    # The gateway may have issued it: it did not answer, or the mall could not record its number.
    is_unsure = models.BooleanField("开票结果待核实", default=False, db_default=False)
    emailed_at = models.DateTimeField("邮件发送时间", null=True, blank=True)
    carrier = models.CharField("承运商", max_length=40, blank=True)
    tracking_no = models.CharField("运单号", max_length=60, blank=True)
    sent_at = models.DateTimeField("寄出时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "发票"
        verbose_name_plural = "发票"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["invoice_code", "invoice_no"],
                condition=~Q(invoice_no=""),
                name="invoice_number_uniq",
            ),
            models.CheckConstraint(
                condition=Q(amount_incl_tax=F("net_amount") + F("tax_amount")),
                name="invoice_adds_up",
            ),
            models.CheckConstraint(
                condition=Q(original__isnull=True, amount_incl_tax__gt=0)
                | Q(original__isnull=False, amount_incl_tax__lt=0),
                name="invoice_red_is_negative",
            ),
            models.CheckConstraint(
                condition=Q(red_amount__gte=0)
                & (Q(original__isnull=False) | Q(red_amount__lte=F("amount_incl_tax"))),
                name="invoice_red_within_amount",
            ),
        ]
        indexes = [
            models.Index(fields=["group", "enterprise", "-issued_at"], name="invoice_place_idx"),
            models.Index(fields=["status", "requested_at"], name="invoice_staff_idx"),
        ]

    def __str__(self) -> str:
        return self.invoice_no or self.request_no

    @property
    def is_red(self) -> bool:
        """Whether it takes back another invoice."""
        return self.original_id is not None


class InvoiceLine(TenantModel):
    """`order_line` is empty for freight. `original` is set on the lines of a red invoice."""

    invoice = models.ForeignKey(
        Invoice, on_delete=models.PROTECT, related_name="lines", verbose_name="发票"
    )
    no = models.PositiveIntegerField("行号")
    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="invoice_lines", verbose_name="订单"
    )
    order_line = models.ForeignKey(
        "orders.OrderLine",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="invoice_lines",
        verbose_name="订单行",
    )
    original = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="对应蓝字明细",
    )
    name = models.CharField("名称", max_length=120)
    model_code = models.CharField("规格型号", max_length=60, blank=True)
    unit = models.CharField("单位", max_length=10, blank=True)
    tax_code = models.CharField("税收分类编码", max_length=19)
    quantity = models.IntegerField("数量")
    # Pieces in open or issued red requests. Always 0 on a red invoice.
    red_quantity = models.PositiveIntegerField("红冲数量", default=0)
    unit_price_incl_tax = MoneyField("单价（含税）")
    amount_incl_tax = MoneyField("价税合计")
    net_amount = MoneyField("不含税金额")
    tax_rate = models.DecimalField("税率", max_digits=4, decimal_places=2)
    tax_amount = MoneyField("税额")

    class Meta(TenantModel.Meta):
        verbose_name = "发票明细"
        verbose_name_plural = "发票明细"
        ordering = ["invoice", "no"]
        constraints = [
            models.UniqueConstraint(fields=["group", "invoice", "no"], name="invoiceline_no_uniq"),
            models.CheckConstraint(
                condition=Q(amount_incl_tax=F("net_amount") + F("tax_amount")),
                name="invoiceline_adds_up",
            ),
            models.CheckConstraint(
                condition=Q(original__isnull=True, quantity__gt=0, red_quantity__lte=F("quantity"))
                | Q(original__isnull=False, quantity__lt=0, red_quantity=0),
                name="invoiceline_red_within_quantity",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} × {self.quantity}"

    @property
    def net_price(self) -> str:
        """The unit price before tax in 元, rounded to six decimal places, as invoices print it."""
        return (
            f"{self.net_amount / self.quantity:.6f}".rstrip("0").rstrip(".")
            if self.quantity
            else ""
        )


class InvoicedFreight(TenantModel):
    """The freight of this order is applied for or invoiced. Without a row it can be invoiced.
    The unique order prevents a second invoice.
    """

    order = models.OneToOneField(
        "orders.Order",
        on_delete=models.PROTECT,
        related_name="invoiced_freight",
        verbose_name="订单",
    )
    is_issued = models.BooleanField("已开票", default=False)

    class Meta(TenantModel.Meta):
        verbose_name = "运费开票"
        verbose_name_plural = "运费开票"

    def __str__(self) -> str:
        return str(self.order_id)


class InvoiceMark(TenantModel):
    """One mark of an invoice. An invoice has at most one mark of each kind."""

    invoice = models.ForeignKey(
        "invoices.Invoice",
        on_delete=models.PROTECT,
        related_name="marks",
        verbose_name="发票",
        db_index=False,
    )
    kind = models.CharField("处理状态", max_length=10, choices=InvoiceMarkKind.choices)
    note = models.CharField("说明", max_length=200, blank=True)
    marked_at = models.DateTimeField("登记时间")
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="登记人"
    )

    class Meta(TenantModel.Meta):
        verbose_name = "发票处理状态"
        verbose_name_plural = "发票处理状态"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "invoice", "kind"], name="invoicemark_kind_uniq"
            ),
            models.CheckConstraint(
                condition=~Q(kind=InvoiceMarkKind.PROBLEM) | ~Q(note=""),
                name="invoicemark_problem_has_note",
            ),
        ]
        indexes = [models.Index(fields=["group", "kind"], name="invoicemark_kind_idx")]

    def __str__(self) -> str:
        return f"{self.invoice_id} {self.kind}"


class RedLetter(TenantModel, TimeStampedModel):
    """红字信息确认单: takes back a part or all of a blue invoice after the other party has
    confirmed it, before `expires_at`. `red_invoice` is set when the red invoice is issued. The
    amounts are positive, in 元; those of the red invoice are negative.
    """

    red_no = models.CharField("确认单号", max_length=24, unique=True)
    invoice = models.ForeignKey(
        "invoices.Invoice",
        on_delete=models.PROTECT,
        related_name="red_letters",
        verbose_name="蓝字发票",
    )
    red_invoice = models.OneToOneField(
        "invoices.Invoice",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="red_letter",
        verbose_name="红字发票",
    )
    status = models.CharField("状态", max_length=13, choices=RedStatus.choices)
    reason = models.CharField("红冲原因", max_length=2, choices=RedReason.choices)
    note = models.CharField("说明", max_length=300, blank=True)
    answer = models.CharField("否认原因", max_length=300, blank=True)
    # Opened for a return. The refund waits for it.
    is_for_return = models.BooleanField("因售后退货", default=False)
    amount_incl_tax = MoneyField("红冲金额")
    tax_amount = MoneyField("红冲税额")
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="发起人",
    )
    opened_at = models.DateTimeField("发起时间")
    expires_at = models.DateTimeField("确认期限")
    confirmed_at = models.DateTimeField("确认时间", null=True, blank=True)
    ended_at = models.DateTimeField("结束时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "红冲确认单"
        verbose_name_plural = "红冲确认单"
        ordering = ["-id"]
        indexes = [
            models.Index(
                fields=["expires_at"],
                condition=Q(status__in=["awaits_seller", "awaits_buyer"]),
                name="redletter_expiry_idx",
            ),
        ]

    def __str__(self) -> str:
        return self.red_no


class RedLine(TenantModel):
    letter = models.ForeignKey(
        RedLetter, on_delete=models.CASCADE, related_name="lines", verbose_name="确认单"
    )
    line = models.ForeignKey(
        "invoices.InvoiceLine",
        on_delete=models.PROTECT,
        related_name="red_lines",
        verbose_name="发票明细",
    )
    quantity = models.PositiveIntegerField("数量")
    amount_incl_tax = MoneyField("价税合计")
    tax_amount = MoneyField("税额")

    class Meta(TenantModel.Meta):
        verbose_name = "红冲明细"
        verbose_name_plural = "红冲明细"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gt=0), name="redline_quantity_positive")
        ]

    def __str__(self) -> str:
        return f"{self.line_id} × {self.quantity}"
