"""The read model of all reports: a dated, signed fact of an order line, with everything a filter may name beside it."""

from typing import Any

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel
from apps.common.money import MoneyField
from apps.orders.enums import OrderStatus, PaymentKind
from apps.reports.enums import Basis, FactKind


def _of(to: str, name: str, *, null: bool = False) -> Any:
    """Return a relation that holds nothing: facts are made anew from what they name, and never keep a writer of it waiting."""
    return models.ForeignKey(
        to, null=null, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+", verbose_name=name
    )


class ReportFact(TenantModel):
    """Kept by `services/facts_keep.py`. What is taken back is a fact below zero on its own day; freight has no line and no product."""

    basis = models.CharField("口径", max_length=8, choices=Basis.choices)
    kind = models.CharField("类型", max_length=18, choices=FactKind.choices)
    source_id = models.BigIntegerField("来源编号")
    at = models.DateTimeField("发生时间")
    # The day of `at` in Asia/Shanghai: a month is the same month on both databases.
    day = models.DateField("日期")

    order = _of("orders.Order", "订单")
    order_line = _of("orders.OrderLine", "订单行", null=True)
    enterprise = _of("org.Enterprise", "企业")
    department = _of("org.Department", "部门", null=True)
    requester = _of(settings.AUTH_USER_MODEL, "采购人")
    budget = _of("budgets.Budget", "预算", null=True)
    product = _of("catalog.Product", "商品", null=True)

    # As the order line keeps them; 0 where there is none.
    category_id_l1 = models.BigIntegerField("一级类目", default=0)
    category_id_l2 = models.BigIntegerField("二级类目", default=0)
    category_id_l3 = models.BigIntegerField("三级类目", default=0)
    order_status = models.CharField("订单状态", max_length=20, choices=OrderStatus.choices)
    payment_kind = models.CharField("付款方式", max_length=10, choices=PaymentKind.choices)
    purchase_order_no = models.CharField("采购单号", max_length=60, blank=True)
    cost_center = models.CharField("成本中心", max_length=60, blank=True)

    quantity = models.IntegerField("数量")
    amount = MoneyField("金额（含税）")
    tax_amount = MoneyField("税额")

    class Meta(TenantModel.Meta):
        verbose_name = "报表事实"
        verbose_name_plural = "报表事实"
        ordering = ["-at", "-id"]
        constraints = [models.UniqueConstraint(fields=["group", "kind", "source_id"], name="reportfact_once")]
        indexes = [
            models.Index(fields=["group", "order"], name="reportfact_order_idx"),
            models.Index(fields=["group", "basis", "-day", "-id"], name="reportfact_day_idx"),
            models.Index(fields=["group", "product", "basis", "-day"], name="reportfact_product_idx"),
            models.Index(fields=["group", "department", "basis", "-day"], name="reportfact_department_idx"),
            models.Index(fields=["group", "requester", "basis", "-day"], name="reportfact_requester_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.source_id}"
