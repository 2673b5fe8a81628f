"""订单行: a snapshot of the product at the time of the order."""

from collections import Counter
from collections.abc import Iterable

from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantModel
from apps.common.money import MoneyField


class OrderLine(TenantModel):
    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="lines", verbose_name="订单"
    )
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.PROTECT, related_name="+", verbose_name="商品"
    )
    no = models.PositiveSmallIntegerField("行号")
    product_code = models.CharField("商品编码", max_length=18)
    name = models.CharField("名称", max_length=120)
    customer_name = models.CharField("客户品名", max_length=120, blank=True)
    customer_code = models.CharField("客户物料编码", max_length=60, blank=True)
    brand = models.CharField("品牌", max_length=40, blank=True)
    model_code = models.CharField("型号", max_length=60, blank=True)
    unit = models.CharField("单位", max_length=10)
    image = models.CharField("图片", max_length=200, blank=True)
    # The categories at the time of the order. 0 for old lines whose product has left the
    # catalogue.
    category_id_l1 = models.BigIntegerField("一级类目")
    category_id_l2 = models.BigIntegerField("二级类目", default=0, db_default=0)
    category_id_l3 = models.BigIntegerField("三级类目", default=0, db_default=0)
    # The requisition of a colleague for which the line was ordered, or empty.
    requisition_no = models.CharField(
        "采购申请", max_length=24, blank=True, default="", db_default=""
    )
    asked_by = models.CharField("申请人", max_length=60, blank=True, default="", db_default="")
    cost_center = models.CharField("成本中心", max_length=60, blank=True, default="", db_default="")
    # Ordered less cancelled pieces. 0 for a line that was fully cancelled.
    quantity = models.PositiveIntegerField("数量")
    cancelled_quantity = models.PositiveIntegerField("已取消数量", default=0, db_default=0)
    # Pieces in an open cancellation request. They are held back from shipping.
    cancelling_quantity = models.PositiveIntegerField("申请取消中数量", default=0, db_default=0)
    shipped_quantity = models.PositiveIntegerField("已发数量", default=0)
    received_quantity = models.PositiveIntegerField("已收数量", default=0)
    returning_quantity = models.PositiveIntegerField("售后中数量", default=0)
    returned_quantity = models.PositiveIntegerField("已退数量", default=0, db_default=0)
    applied_quantity = models.PositiveIntegerField("开票申请中数量", default=0, db_default=0)
    invoiced_quantity = models.PositiveIntegerField("已开票数量", default=0)
    unit_price_incl_tax = MoneyField("单价（含税）")
    market_price = MoneyField("市场价（含税）")
    amount_incl_tax = MoneyField("金额（含税）")
    tax_rate = models.DecimalField("税率", max_digits=4, decimal_places=2)
    tax_amount = MoneyField("税额")
    tax_code = models.CharField("税收分类编码", max_length=19)

    class Meta(TenantModel.Meta):
        verbose_name = "订单行"
        verbose_name_plural = "订单行"
        ordering = ["order", "no"]
        constraints = [
            models.UniqueConstraint(fields=["group", "order", "no"], name="orderline_no_uniq"),
            models.CheckConstraint(
                condition=(Q(quantity__gte=1) | Q(cancelled_quantity__gte=1))
                & Q(quantity__gte=F("shipped_quantity") + F("cancelling_quantity"))
                & Q(received_quantity__lte=F("shipped_quantity"))
                # Returns never exceed receipts, and returned pieces are on no invoice.
                & Q(received_quantity__gte=F("returning_quantity") + F("returned_quantity"))
                & Q(
                    received_quantity__gte=F("applied_quantity")
                    + F("invoiced_quantity")
                    + F("returned_quantity")
                ),
                name="orderline_quantities_in_order",
            ),
        ]
        indexes = [models.Index(fields=["group", "product", "order"], name="orderline_product_idx")]

    def __str__(self) -> str:
        return f"{self.product_code} × {self.quantity}"

    @property
    def unshipped(self) -> int:
        """Return the pieces that may still be shipped or cancelled."""
        return self.quantity - self.shipped_quantity - self.cancelling_quantity


def pieces_by_product(lines: Iterable[OrderLine]) -> dict[int, int]:
    """Return the pieces by product pk. Several lines may have the same product."""
    pieces: Counter[int] = Counter()
    for line in lines:
        pieces[line.product_id] += line.quantity
    return dict(pieces)
