"""The split of an order's amounts over accounting dimensions."""

from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel
from apps.common.money import MoneyField
from apps.dimensions.enums import DimensionKind


class OrderAllocation(TenantModel):
    """A part of a line's amount for one dimension. The parts of a line and kind always sum to
    the amount of the line. `line` null: a part of the freight, which follows the goods.

    Code and name are those of the submit. `percent` is set if the buyer split by percent.
    """

    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="allocations", verbose_name="订单"
    )
    line = models.ForeignKey(
        "orders.OrderLine",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="allocations",
        verbose_name="订单行",
    )
    kind = models.CharField("类别", max_length=12, choices=DimensionKind.choices)
    no = models.PositiveSmallIntegerField("序号")
    dimension = models.ForeignKey(
        "dimensions.Dimension", on_delete=models.PROTECT, related_name="+", verbose_name="核算项"
    )
    code = models.CharField("编码", max_length=40)
    name = models.CharField("名称", max_length=80)
    percent = models.DecimalField("比例", max_digits=5, decimal_places=2, null=True, blank=True)
    amount = MoneyField("金额（含税）")

    class Meta(TenantModel.Meta):
        verbose_name = "核算分摊"
        verbose_name_plural = "核算分摊"
        ordering = ["order", "line", "kind", "no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "order", "line", "kind", "no"],
                name="orderallocation_no_uniq",
            ),
            models.CheckConstraint(condition=Q(amount__gte=0), name="orderallocation_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.amount}"
