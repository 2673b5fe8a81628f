"""Sums of an order's facts per basis and day. Reports that do not filter or group by product
read these rows.
"""

from django.db import models

from apps.reports.models.columns import OrderColumns


class ReportOrderDay(OrderColumns):
    """Written in the same transaction as the facts. `facts` is the number of summed facts. The
    sums may be zero.
    """

    facts = models.IntegerField("事实数")

    class Meta(OrderColumns.Meta):
        abstract = False
        verbose_name = "订单日汇总"
        verbose_name_plural = "订单日汇总"
        ordering = ["-day", "-order_id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "order", "basis", "day"], name="reportorderday_once"
            )
        ]
        indexes = [
            models.Index(fields=["group", "basis", "-day"], name="reportorderday_day_idx"),
            models.Index(
                fields=["group", "department", "basis", "-day"],
                name="reportorderday_department_idx",
            ),
            models.Index(
                fields=["group", "requester", "basis", "-day"], name="reportorderday_requester_idx"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.order_id} {self.day} {self.basis}"
