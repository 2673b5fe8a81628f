"""价格预警: a price that staff should check. Each fact is raised once, until staff close it with a
note.
"""

from django.db import models
from django.db.models import Q

from apps.common.money import MoneyField
from apps.pricing.enums import AlarmKind


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
