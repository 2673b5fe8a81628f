"""收货核对: a customer's own goods-received sheet, matched with the goods of a statement."""

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel
from apps.common.money import MoneyField
from apps.invoices.enums import MatchResult


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
