"""Changes of prices: each price move (价格变动), the batches of mass changes (批量调价), and the
alarms (价格预警) that staff check.
"""

from __future__ import annotations

from decimal import Decimal

from django.db import models
from django.db.models import Q

from apps.common.money import MoneyField
from apps.pricing.enums import AlarmKind, PriceRuleKind


class PriceMove(models.Model):
    """A change of an agreed price, or of the market price if `item` is None. The first price of
    a row and its removal are not moves.
    """

    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="+", verbose_name="商品"
    )
    item = models.ForeignKey(
        "pricing.PriceListItem",
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="价目",
    )
    before = MoneyField("变动前")
    after = MoneyField("变动后")
    at = models.DateTimeField("变动时间")

    class Meta:
        verbose_name = "价格变动"
        verbose_name_plural = "价格变动"
        ordering = ["id"]
        indexes = [models.Index(fields=["at"], name="pricemove_at_idx")]

    def __str__(self) -> str:
        return f"{self.product_id} {self.before} → {self.after}"


class PriceBatch(models.Model):
    """One change of many prices of a price list by a rule, as it was previewed. `figure` is in
    percent or in 元, depending on `kind`. It is undone at most once; `rows_left` counts the prices
    that had changed since and were not restored.
    """

    price_list = models.ForeignKey(
        "pricing.PriceList", on_delete=models.CASCADE, related_name="batches", verbose_name="价目表"
    )
    kind = models.CharField("规则", max_length=7, choices=PriceRuleKind.choices)
    figure = models.DecimalField("数值", max_digits=10, decimal_places=2)
    step = models.DecimalField("取整到（元）", max_digits=4, decimal_places=2)
    chosen = models.CharField("范围", max_length=200, blank=True)
    rows_changed = models.PositiveIntegerField("调整价目数")
    made_by = models.ForeignKey(
        "org.Account", null=True, on_delete=models.SET_NULL, related_name="+", verbose_name="调价人"
    )
    made_at = models.DateTimeField("调价时间", auto_now_add=True)
    undone_by = models.ForeignKey(
        "org.Account", null=True, on_delete=models.SET_NULL, related_name="+", verbose_name="撤销人"
    )
    undone_at = models.DateTimeField("撤销时间", null=True)
    rows_left = models.PositiveIntegerField("撤销时未恢复", default=0)

    class Meta:
        verbose_name = "批量调价"
        verbose_name_plural = "批量调价"
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"批次 {self.pk}"

    @property
    def rule_text(self) -> str:
        """Return the rule as Chinese text."""
        return format_rule(self.kind, self.figure)


class PriceBatchRow(models.Model):
    """A changed price. `is_left`: the undo of the batch skipped this row, because its price had
    been changed since.
    """

    batch = models.ForeignKey(
        PriceBatch,
        on_delete=models.CASCADE,
        related_name="rows",
        verbose_name="批次",
        db_index=False,
    )
    item = models.ForeignKey(
        "pricing.PriceListItem",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name="价目",
    )
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="+", verbose_name="商品"
    )
    before = MoneyField("调整前")
    after = MoneyField("调整后")
    # The prices of the tiers. None without this tier.
    tier1_price_before = MoneyField("阶梯1调整前", null=True)
    tier1_price_after = MoneyField("阶梯1调整后", null=True)
    tier2_price_before = MoneyField("阶梯2调整前", null=True)
    tier2_price_after = MoneyField("阶梯2调整后", null=True)
    tier3_price_before = MoneyField("阶梯3调整前", null=True)
    tier3_price_after = MoneyField("阶梯3调整后", null=True)
    is_left = models.BooleanField("撤销时未恢复", default=False)

    class Meta:
        verbose_name = "调价明细"
        verbose_name_plural = "调价明细"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "product"], name="pricebatchrow_batch_product_uniq"
            )
        ]
        # The planner has no statistics on a batch that was just written. With an index on the
        # batch alone, each lookup of a row would scan the whole batch.
        indexes = [models.Index(fields=["batch", "item"], name="pricebatchrow_batch_item_idx")]

    def __str__(self) -> str:
        return f"{self.product_id} {self.before} → {self.after}"


def format_rule(kind: str, figure: Decimal) -> str:
    """Return a rule as Chinese text: 现价 +5%, 现价 -0.50 元, 市场价的 90%."""
    plain = f"{figure.normalize():f}"
    if kind == PriceRuleKind.MARKET:
        return f"市场价的 {plain}%"
    signed = plain if figure < 0 else f"+{plain}"
    return f"现价 {signed}%" if kind == PriceRuleKind.PERCENT else f"现价 {signed} 元"


class PriceAlarm(models.Model):
    """One fact: an agreed price above a market price, or a large price change within 30 days.

    `item` is the row of the price list. If it is None, the market price of `product` changed. For
    kind ABOVE a fact is unique by row, price and market price. A closed alarm is not raised again
    when both prices return to these values.
    """

    kind = models.CharField(
        "种类",
        max_length=5,
        choices=AlarmKind.choices,
        default=AlarmKind.ABOVE,
        db_default=AlarmKind.ABOVE,
    )
    item = models.ForeignKey(
        "pricing.PriceListItem",
        null=True,
        on_delete=models.CASCADE,
        related_name="alarms",
        verbose_name="价目",
    )
    product = models.ForeignKey(
        "catalog.Product",
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name="商品",
    )
    price = MoneyField("当前价（含税）")
    price_before = MoneyField("变动前价（含税）", null=True)
    market_price = MoneyField("市场价（含税）")
    # The newest price move that the alarm includes.
    move = models.OneToOneField(
        "pricing.PriceMove",
        null=True,
        on_delete=models.SET_NULL,
        related_name="alarm",
        verbose_name="变动",
    )
    found_at = models.DateTimeField("发现时间", auto_now_add=True)
    seen_by = models.ForeignKey(
        "org.Account", null=True, on_delete=models.SET_NULL, related_name="+", verbose_name="确认人"
    )
    seen_at = models.DateTimeField("确认时间", null=True)
    note = models.CharField("说明", max_length=200, blank=True)

    class Meta:
        verbose_name = "价格预警"
        verbose_name_plural = "价格预警"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "price", "market_price"],
                name="pricealarm_fact_uniq",
                condition=Q(kind=AlarmKind.ABOVE),
            ),
            models.CheckConstraint(
                condition=Q(item__isnull=True) ^ Q(product__isnull=True),
                name="pricealarm_item_or_product",
            ),
            models.CheckConstraint(
                condition=Q(kind=AlarmKind.ABOVE, item__isnull=False, price_before__isnull=True)
                | Q(kind=AlarmKind.MOVED, price_before__isnull=False),
                name="pricealarm_fields_of_kind",
            ),
        ]
        indexes = [
            models.Index(
                fields=["found_at"], name="pricealarm_open_idx", condition=Q(seen_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"预警 {self.pk}"
