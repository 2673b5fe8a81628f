"""运费表: region × goods amount → freight and extra days. Staff edit it in the admin."""

from django.db import models

from apps.common.money import ZERO, MoneyField


class FreightRegion(models.Model):
    """A row of the freight table. For a province, the row with the greatest `amount_from` not
    above the goods amount applies. An empty province means all other provinces.
    """

    province = models.CharField("省", max_length=30, blank=True)
    amount_from = MoneyField("满额", default=ZERO)
    fee = MoneyField("运费（含税）", default=ZERO)
    extra_days = models.PositiveSmallIntegerField("加时天数", default=0)

    class Meta:
        verbose_name = "运费规则"
        verbose_name_plural = "运费规则"
        ordering = ["province", "amount_from"]
        constraints = [
            models.UniqueConstraint(
                fields=["province", "amount_from"], name="freightregion_province_amount_uniq"
            ),
            models.CheckConstraint(
                condition=models.Q(amount_from__gte=0, fee__gte=0),
                name="freightregion_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.province or '其他地区'} 满 ¥{self.amount_from} 运费 ¥{self.fee}"
