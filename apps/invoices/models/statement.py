"""对账单: the balance of an enterprise, month by month. Each figure is the sum of its lines.
收货核对: a customer's own goods-received sheet, matched with the goods of a statement.
"""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import ZERO, MoneyField, round_yuan
from apps.invoices.enums import MatchResult, StatementKind, StatementStatus


class Statement(TenantModel, TimeStampedModel):
    """The statement of one enterprise and month. Lines are added until it is confirmed; later
    facts go into a later month.
    """

    statement_no = models.CharField("对账单号", max_length=24, unique=True)
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    month = models.DateField("账期（当月首日）")
    status = models.CharField(
        "状态", max_length=10, choices=StatementStatus.choices, default=StatementStatus.RUNNING
    )
    opening = MoneyField("期初应付", default=ZERO)
    deliveries = MoneyField("本期签收", default=ZERO)
    returns = MoneyField("本期退货", default=ZERO)
    invoiced = MoneyField("本期开票", default=ZERO)
    paid = MoneyField("本期付款", default=ZERO)
    closing = MoneyField("期末应付", default=ZERO)
    issued_at = models.DateTimeField("出账时间", null=True, blank=True)
    confirmed_at = models.DateTimeField("确认时间", null=True, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="确认人",
    )

    class Meta(TenantModel.Meta):
        verbose_name = "对账单"
        verbose_name_plural = "对账单"
        ordering = ["-month", "enterprise_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "enterprise", "month"], name="statement_month_uniq"
            ),
            models.CheckConstraint(
                condition=Q(closing=F("opening") + F("deliveries") - F("returns") - F("paid")),
                name="statement_closes",
            ),
        ]
        indexes = [models.Index(fields=["group", "-month"], name="statement_month_idx")]

    def __str__(self) -> str:
        return self.statement_no


class StatementProgress(TenantModel):
    """The time until which an enterprise's facts are in its statements, except for transactions
    that were still open. The writer locks this row.
    """

    enterprise = models.OneToOneField(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    recorded_until = models.DateTimeField("已记入的时间", null=True)

    class Meta(TenantModel.Meta):
        verbose_name = "对账进度"
        verbose_name_plural = "对账进度"

    def __str__(self) -> str:
        return str(self.enterprise_id)


class StatementLine(TenantModel):
    """A dated fact: goods received or returned, an invoice or a payment. It never moves to
    another statement.

    `unit` is the unit of the quantity, "" without one. `list_statement_lines` reads it from the
    order line.
    """

    unit: str

    statement = models.ForeignKey(
        Statement,
        on_delete=models.PROTECT,
        related_name="lines",
        db_index=False,
        verbose_name="对账单",
    )
    kind = models.CharField("类型", max_length=8, choices=StatementKind.choices)
    source_id = models.BigIntegerField("来源编号")
    at = models.DateTimeField("发生时间")
    order = models.ForeignKey(
        "orders.Order", null=True, on_delete=models.PROTECT, related_name="+", verbose_name="订单"
    )
    reference = models.CharField("单据", max_length=64, blank=True)
    text = models.CharField("摘要", max_length=300)
    quantity = models.PositiveIntegerField("数量", null=True)
    # With the sign of its figure: refunds and red invoices are negative.
    amount = MoneyField("金额（含税）")
    tax_amount = MoneyField("税额", default=ZERO)

    class Meta(TenantModel.Meta):
        verbose_name = "对账明细"
        verbose_name_plural = "对账明细"
        ordering = ["at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "kind", "source_id"], name="statementline_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["group", "statement", "kind", "at"], name="statementline_figure_idx"
            )
        ]

    def __str__(self) -> str:
        return f"{self.text} {self.amount}"

    @property
    def unit_price(self) -> Decimal | None:
        """The price of one piece in 元 含税; None for lines without pieces."""
        return round_yuan(self.amount / self.quantity) if self.quantity else None


class StatementRemark(TenantModel):
    """A remark about a statement or one of its lines: a customer's 异议, or a reply of the
    staff.
    """

    statement = models.ForeignKey(
        Statement, on_delete=models.PROTECT, related_name="remarks", verbose_name="对账单"
    )
    line = models.ForeignKey(
        StatementLine,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="remarks",
        verbose_name="对账明细",
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="留言人"
    )
    is_answer = models.BooleanField("客服答复", default=False)
    text = models.CharField("内容", max_length=500)
    # Identifies the difference of a goods-received match that the remark disputes. A later match
    # with the same difference finds the remark by it. Empty for other remarks.
    difference = models.CharField("收货核对差异", max_length=200, blank=True, db_default="")
    at = models.DateTimeField("时间")

    class Meta(TenantModel.Meta):
        verbose_name = "对账留言"
        verbose_name_plural = "对账留言"
        ordering = ["at", "id"]
        indexes = [models.Index(fields=["group", "statement", "at"], name="statementremark_idx")]

    def __str__(self) -> str:
        return self.text[:40]


class GoodsMatch(TenantModel):
    """The latest match of a statement. A new sheet replaces the lines of the previous one."""

    statement = models.OneToOneField(
        "invoices.Statement",
        on_delete=models.PROTECT,
        related_name="goods_match",
        verbose_name="对账单",
    )
    file_name = models.CharField("表格", max_length=120)
    sheet_rows = models.PositiveIntegerField("表格行数")
    has_amounts = models.BooleanField("含金额列")
    matched_at = models.DateTimeField("核对时间")
    matched_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="核对人"
    )

    class Meta(TenantModel.Meta):
        verbose_name = "收货核对"
        verbose_name_plural = "收货核对"

    def __str__(self) -> str:
        return f"{self.statement_id} {self.file_name}"


class GoodsMatchLine(TenantModel):
    """One order and material on both sides, in pieces and 元 含税. None: that side has no such
    line.
    """

    match = models.ForeignKey(
        GoodsMatch,
        on_delete=models.CASCADE,
        related_name="lines",
        verbose_name="收货核对",
        db_index=False,
    )
    no = models.PositiveIntegerField("序号")
    result = models.CharField("结果", max_length=12, choices=MatchResult.choices)
    # The order number or the customer's purchase order number, as the sheet names it.
    order_ref = models.CharField("订单", max_length=60)
    material_code = models.CharField("物料编码", max_length=60)
    name = models.CharField("商品", max_length=200, blank=True)
    our_quantity = models.IntegerField("对账单数量", null=True)
    their_quantity = models.IntegerField("收货单数量", null=True)
    our_amount = MoneyField("对账单金额", null=True)
    their_amount = MoneyField("收货单金额", null=True)
    # The statement's first line of this order and material.
    line = models.ForeignKey(
        "invoices.StatementLine",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="对账明细",
    )
    remark = models.ForeignKey(
        "invoices.StatementRemark",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="异议",
    )

    class Meta(TenantModel.Meta):
        verbose_name = "收货核对明细"
        verbose_name_plural = "收货核对明细"
        ordering = ["match", "no"]
        constraints = [
            models.UniqueConstraint(fields=["group", "match", "no"], name="goodsmatchline_no_uniq")
        ]

    def __str__(self) -> str:
        return f"{self.order_ref} {self.material_code}"
