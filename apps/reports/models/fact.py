"""The read model of all reports: dated, signed facts of order lines, with every column that a
filter uses.
"""

from django.db import models

from apps.reports.enums import FactKind
from apps.reports.models.columns import OrderColumns, reads


class ReportFact(OrderColumns):
    """`services/facts_keep.py` writes the facts. A reversal is a negative fact on its own day.
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
