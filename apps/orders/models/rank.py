"""The published ranking of the industry. It contains places but no amounts."""

from django.db import models

from apps.orders.enums import RankMeasure, RankPeriod


class RankPublication(models.Model):
    """The publication for the whole months before `month` (a first day of a month). It is
    written once and never recomputed.
    """

    month = models.DateField("发布月份", unique=True)
    published_at = models.DateTimeField("发布时间", auto_now_add=True)

    class Meta:
        verbose_name = "行业榜单"
        verbose_name_plural = "行业榜单"
        ordering = ["-month"]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}"


class RankEntry(models.Model):
    """The published place of a product in a period and in the previous period. Null if it was
    not published.
    """

    publication = models.ForeignKey(
        RankPublication,
        on_delete=models.CASCADE,
        related_name="entries",
        db_index=False,
        verbose_name="榜单",
    )
    period = models.CharField("期间", max_length=8, choices=RankPeriod.choices)
    measure = models.CharField("口径", max_length=6, choices=RankMeasure.choices)
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.CASCADE, related_name="+", verbose_name="商品"
    )
    place = models.PositiveIntegerField("名次", null=True)
    place_before = models.PositiveIntegerField("上期名次", null=True)

    class Meta:
        verbose_name = "行业榜单商品"
        verbose_name_plural = "行业榜单商品"
        constraints = [
            models.UniqueConstraint(
                fields=["publication", "period", "measure", "product"],
                name="rankentry_product_uniq",
            ),
            models.CheckConstraint(
                condition=models.Q(place__isnull=False) | models.Q(place_before__isnull=False),
                name="rankentry_has_a_place",
            ),
        ]
        indexes = [
            models.Index(
                fields=["publication", "period", "measure", "place"], name="rankentry_place_idx"
            )
        ]

    def __str__(self) -> str:
        return f"{self.product_id} {self.period} {self.place}"
