"""The stock ledger: one row with its reason for each change of a product's stock or
reservation.
"""

from django.db import models


class StockMovement(models.Model):
    class Kind(models.TextChoices):
        RECEIVE = "receive", "入库"
        ADJUST = "adjust", "盘点"
        RESERVE = "reserve", "预占"
        RELEASE = "release", "释放"
        SHIP = "ship", "出库"
        RETURN = "return", "退货入库"

    product = models.ForeignKey(
        "catalog.Product", on_delete=models.PROTECT, related_name="+", verbose_name="商品"
    )
    kind = models.CharField("类型", max_length=8, choices=Kind.choices)
    quantity = models.IntegerField("数量")
    reference = models.CharField("单据", max_length=40, blank=True)
    at = models.DateTimeField("时间", auto_now_add=True)

    class Meta:
        verbose_name = "库存流水"
        verbose_name_plural = "库存流水"
        indexes = [
            models.Index(fields=["product", "at"], name="stockmovement_product_idx"),
            models.Index(fields=["reference"], name="stockmovement_ref_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.quantity}"
