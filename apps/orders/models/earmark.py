"""The parts of order lines that earmarked budgets count."""

from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantModel
from apps.common.money import ZERO, MoneyField


class EarmarkedAmount(TenantModel):
    """The part of a line's amount that an earmarked budget (专项预算) counts, in 元. `consumed` is
    the part of the received pieces, `refunded` that of the returned ones.

    Every move of the line moves this row and its reservation by the same amounts. The row of an
    order that ended unshipped has the amount 0.
    """

    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="earmarked", verbose_name="订单"
    )
    line = models.ForeignKey(
        "orders.OrderLine",
        on_delete=models.PROTECT,
        related_name="earmarked",
        verbose_name="订单行",
    )
    reservation = models.ForeignKey(
        "budgets.BudgetReservation",
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="预算预占",
    )
    amount = MoneyField("计入金额（含税）")
    consumed = MoneyField("已使用", default=ZERO)
    refunded = MoneyField("已退回", default=ZERO)

    class Meta(TenantModel.Meta):
        verbose_name = "专项预算计入"
        verbose_name_plural = "专项预算计入"
        ordering = ["order", "line", "reservation"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "line", "reservation"], name="earmarkedamount_once"
            ),
            models.CheckConstraint(
                condition=Q(amount__gte=F("consumed"))
                & Q(consumed__gte=F("refunded"))
                & Q(refunded__gte=0),
                name="earmarkedamount_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reservation} {self.amount}"
