"""报价单: a list of products whose prices are held for the enterprise until a given day."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField
from apps.quotations.enums import QuotationState, QuotationStatus

S = QuotationStatus


class Quotation(TenantModel, TimeStampedModel):
    """The last day, `valid_to`, is part of the validity. `order_no` is the order that was placed
    from the quotation.
    """

    quotation_no = models.CharField("报价单号", max_length=24, unique=True)
    requester = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="生成人",
        db_index=False,
    )
    enterprise = models.ForeignKey(
        "org.Enterprise",
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="企业",
        db_index=False,
    )
    status = models.CharField("状态", max_length=7, choices=S.choices, default=S.VALID)
    quoted_at = models.DateTimeField("生成时间")
    valid_to = models.DateField("有效期至")
    remark = models.CharField("备注", max_length=300, blank=True)
    goods_amount = MoneyField("商品金额（含税）")
    line_count = models.PositiveSmallIntegerField("商品数")
    order_no = models.CharField("订单号", max_length=24, blank=True)
    void_reason = models.CharField("作废原因", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "报价单"
        verbose_name_plural = "报价单"
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=(Q(status=S.ORDERED) & ~Q(order_no=""))
                | (~Q(status=S.ORDERED) & Q(order_no="")),
                name="quotation_ordered_has_order",
            )
        ]
        indexes = [
            models.Index(fields=["group", "requester", "-id"], name="quotation_requester_idx"),
            models.Index(fields=["group", "enterprise", "-id"], name="quotation_enterprise_idx"),
        ]

    def __str__(self) -> str:
        return self.quotation_no

    @property
    def state(self) -> QuotationState:
        """Return the state as of today in Shanghai."""
        if self.status == S.VALID and self.valid_to < timezone.localdate():
            return QuotationState.EXPIRED
        return QuotationState(self.status)


class QuotationLine(TenantModel):
    """A product with its quantity and its price of a unit (元, 含税) for this quantity. The names
    are those of the day of the quotation. `price_tiers` as in `Offer.build_tiers_snapshot`.
    `agreement` gave the price; it is None for a price of the public catalogue.
    """

    quotation = models.ForeignKey(
        Quotation,
        on_delete=models.CASCADE,
        related_name="lines",
        verbose_name="报价单",
        db_index=False,
    )
    no = models.PositiveSmallIntegerField("行号")
    product = models.ForeignKey(
        "catalog.Product", on_delete=models.PROTECT, related_name="+", verbose_name="商品"
    )
    product_code = models.CharField("商品编码", max_length=18)
    customer_code = models.CharField("物料编码", max_length=60, blank=True)
    name = models.CharField("商品名称", max_length=120)
    brand = models.CharField("品牌", max_length=60, blank=True)
    pack = models.CharField("包装规格", max_length=60, blank=True)
    unit = models.CharField("单位", max_length=10)
    # As `Product.contents`. None if unknown.
    contents = models.PositiveIntegerField("内含数量", null=True, blank=True)
    quantity = models.PositiveIntegerField("数量")
    price = MoneyField("报价（含税）")
    price_tiers = models.JSONField("阶梯价", null=True, blank=True)
    tax_rate = models.DecimalField("税率", max_digits=4, decimal_places=2)
    agreement = models.ForeignKey(
        "pricing.Agreement",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="价格来源协议",
    )

    class Meta(TenantModel.Meta):
        verbose_name = "报价明细"
        verbose_name_plural = "报价明细"
        ordering = ["no"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "quotation", "no"], name="quotationline_no_uniq"
            ),
            models.CheckConstraint(
                condition=Q(quantity__gte=1), name="quotationline_quantity_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.no} {self.name}"

    @property
    def amount(self) -> Decimal:
        """Return price × quantity in 元, 含税."""
        amount: Decimal = self.price * self.quantity
        return amount
