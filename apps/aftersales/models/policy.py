"""售后政策: time limits after receipt for each kind of after-sales, by category. Staff edit them in
the back office.
"""

from django.db import models

from apps.aftersales.enums import ReturnKind


class ReturnPolicy(models.Model):
    """The policy of the product's nearest category applies. A policy without a category is the
    default. 0 days: not offered.
    """

    category = models.ForeignKey(
        "catalog.Category",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="类目",
        help_text="空着表示其他类目",
    )
    kind = models.CharField("方式", max_length=10, choices=ReturnKind.choices)
    days = models.PositiveSmallIntegerField(
        "一般期限（天）", help_text="签收后多少天内可以申请；0 表示不提供"
    )
    quality_days = models.PositiveSmallIntegerField(
        "质量问题期限（天）", help_text="质量问题在签收后多少天内可以申请；0 表示不提供"
    )
    takes_opened = models.BooleanField(
        "拆封后也可",
        default=True,
        help_text="不勾选时，已拆封的商品只有质量问题、破损、少件、发错才受理",
    )
    note = models.CharField("说明", max_length=200, blank=True, help_text="客户申请时会看到")

    class Meta:
        verbose_name = "售后政策"
        verbose_name_plural = "售后政策"
        ordering = ["category__level", "category", "kind"]
        constraints = [
            models.UniqueConstraint(
                fields=["category", "kind"], name="returnpolicy_category_kind_uniq"
            ),
            models.UniqueConstraint(
                fields=["kind"],
                condition=models.Q(category__isnull=True),
                name="returnpolicy_others_kind_uniq",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.category or '其他类目'} {self.get_kind_display()}"
