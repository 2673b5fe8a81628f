"""价格变动: the history of price changes. A job deletes moves older than 400 days."""

from __future__ import annotations

from django.db import models

from apps.common.money import MoneyField


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
