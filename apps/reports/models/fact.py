"""The read models of all reports: dated, signed facts of order lines, and their sums per order,
basis and day.
"""

from typing import Any

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel
from apps.common.money import MoneyField
from apps.orders.enums import OrderStatus, PaymentKind
from apps.reports.enums import Basis, FactKind


def reads(to: str, name: str, *, null: bool = False) -> Any:
    """Return a foreign key without a database constraint. Facts can be rebuilt at any time, so
    they never block a write to the referenced row.
    """
    return models.ForeignKey(
        to,
        null=null,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
        verbose_name=name,
    )


class OrderColumns(TenantModel):
    """The order's columns have the same values on all facts of an order, because one service
    writes all facts of an order together.
    """

    basis = models.CharField("口径", max_length=8, choices=Basis.choices)
    # In Asia/Shanghai, so that both databases group the same days into a month.
    day = models.DateField("日期")

    order = reads("orders.Order", "订单")
    enterprise = reads("org.Enterprise", "企业")
    department = reads("org.Department", "部门", null=True)
    requester = reads(settings.AUTH_USER_MODEL, "采购人")
    budget = reads("budgets.Budget", "预算", null=True)
    order_status = models.CharField("订单状态", max_length=20, choices=OrderStatus.choices)
    payment_kind = models.CharField("付款方式", max_length=10, choices=PaymentKind.choices)
    purchase_order_no = models.CharField("采购单号", max_length=60, blank=True)
    cost_center = models.CharField("成本中心", max_length=60, blank=True)

    quantity = models.IntegerField("数量")
    amount = MoneyField("金额（含税）")
    tax_amount = MoneyField("税额")

    class Meta(TenantModel.Meta):
        abstract = True


class ReportFact(OrderColumns):
    """`services/facts.py` writes the facts. A reversal is a negative fact on its own day.
    Freight has no order line and no product.
    """

    kind = models.CharField("类型", max_length=18, choices=FactKind.choices)
    source_id = models.BigIntegerField("来源编号")
    # `day` is the date of this time.
    at = models.DateTimeField("发生时间")

    order_line = reads("orders.OrderLine", "订单行", null=True)
    product = reads("catalog.Product", "商品", null=True)

    # Categories of the order line; 0 if there is none.
    category_id_l1 = models.BigIntegerField("一级类目", default=0)
    category_id_l2 = models.BigIntegerField("二级类目", default=0)
    category_id_l3 = models.BigIntegerField("三级类目", default=0)

    class Meta(OrderColumns.Meta):
        abstract = False
        verbose_name = "报表事实"
        verbose_name_plural = "报表事实"
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["group", "kind", "source_id"], name="reportfact_once")
        ]
        indexes = [
            models.Index(fields=["group", "order"], name="reportfact_order_idx"),
            # Covering index: databases with INCLUDE sum the goods of a period without reading
            # the table.
            models.Index(
                fields=["group", "basis", "-day", "-id"],
                include=["product", "category_id_l1", "amount", "tax_amount", "quantity"],
                name="reportfact_day_goods_idx",
            ),
            models.Index(
                fields=["group", "product", "basis", "-day"], name="reportfact_product_idx"
            ),
            models.Index(
                fields=["group", "department", "basis", "-day"], name="reportfact_department_idx"
            ),
            models.Index(
                fields=["group", "requester", "basis", "-day"], name="reportfact_requester_idx"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.source_id}"


class ReportOrderDay(OrderColumns):
    """The sums change in the same transaction as the facts. `facts` is the number of summed
    facts. The sums may be zero.
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
