"""价格预警: an agreed price above the market's, told once for each such price until somebody has said why it may be so."""

from django.db import models

from apps.common.money import MoneyField


class PriceAlarm(models.Model):
    """One fact: a row of a price list at this price while the market had that one. Both changed back is the same fact."""

    item = models.ForeignKey("catalog.PriceListItem", on_delete=models.CASCADE, related_name="alarms", verbose_name="价目")
    price = MoneyField("协议价（含税）")
    market_price = MoneyField("市场价（含税）")
    found_at = models.DateTimeField("发现时间", auto_now_add=True)
    seen_by = models.ForeignKey("org.Account", null=True, on_delete=models.SET_NULL, related_name="+", verbose_name="确认人")
    seen_at = models.DateTimeField("确认时间", null=True)
    note = models.CharField("说明", max_length=200, blank=True)

    class Meta:
        verbose_name = "价格预警"
        verbose_name_plural = "价格预警"
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["item", "price", "market_price"], name="pricealarm_fact_uniq")]
        indexes = [models.Index(fields=["found_at"], name="pricealarm_open_idx", condition=models.Q(seen_at__isnull=True))]

    def __str__(self) -> str:
        return f"预警 {self.pk}"
