"""What the facts of an order on a day of a basis add up to: most of what a report shows asks for nothing finer."""

from django.db import models

from apps.reports.models.columns import OrderColumns


class ReportOrderDay(OrderColumns):
    """Written with the facts it sums, in their transaction; `facts` is how many those are, and they may sum to nothing."""

    facts = models.IntegerField("事实数")

    class Meta(OrderColumns.Meta):
        abstract = False
        verbose_name = "订单日汇总"
        verbose_name_plural = "订单日汇总"
        ordering = ["-day", "-order_id"]
        constraints = [models.UniqueConstraint(fields=["group", "order", "basis", "day"], name="reportorderday_once")]
        indexes = [
            models.Index(fields=["group", "basis", "-day"], name="reportorderday_day_idx"),
            models.Index(fields=["group", "department", "basis", "-day"], name="reportorderday_department_idx"),
            models.Index(fields=["group", "requester", "basis", "-day"], name="reportorderday_requester_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.order_id} {self.day} {self.basis}"
