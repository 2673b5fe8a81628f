"""Columns that `ReportFact` and `ReportOrderDay` share: date, basis, amounts and every column
of the order that a filter uses.
"""

from typing import Any

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel
from apps.common.money import MoneyField
from apps.orders.enums import OrderStatus, PaymentKind
from apps.reports.enums import Basis


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
