"""What a fact and the sum of an order's facts of a day both say: when, of which order, with all of it that a filter may name."""

from typing import Any

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel
from apps.common.money import MoneyField
from apps.orders.enums import OrderStatus, PaymentKind
from apps.reports.enums import Basis


def reads(to: str, name: str, *, null: bool = False) -> Any:
    """Return a relation that holds nothing: facts are made anew from what they name, and never keep a writer of it waiting."""
    return models.ForeignKey(
        to, null=null, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+", verbose_name=name
    )


class OrderColumns(TenantModel):
    """Columns of an order are the same on all its facts: they are written together."""

    basis = models.CharField("口径", max_length=8, choices=Basis.choices)
    # In Asia/Shanghai: a month is the same month on both databases.
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
