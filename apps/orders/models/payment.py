"""付款 of an order: recorded by staff, or told by the online gateway."""

from django.db import models

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField
from apps.orders.enums import PaymentKind, PaymentStatus


class Payment(TenantModel, TimeStampedModel):
    order = models.ForeignKey("orders.Order", on_delete=models.PROTECT, related_name="payments", verbose_name="订单")
    payment_no = models.CharField("支付单号", max_length=32, unique=True)
    kind = models.CharField("付款方式", max_length=10, choices=PaymentKind.choices)
    amount = MoneyField("金额")
    status = models.CharField("状态", max_length=10, choices=PaymentStatus.choices, default=PaymentStatus.PENDING)
    gateway = models.CharField("支付渠道", max_length=20, blank=True)
    gateway_reference = models.CharField("渠道流水号", max_length=64, blank=True)
    paid_at = models.DateTimeField("支付时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "付款"
        verbose_name_plural = "付款"
        ordering = ["id"]
        indexes = [models.Index(fields=["group", "order"], name="payment_order_idx")]
        constraints = [
            models.UniqueConstraint(
                fields=["gateway", "gateway_reference"], condition=~models.Q(gateway_reference=""), name="payment_gateway_reference_uniq"
            )
        ]

    def __str__(self) -> str:
        return self.payment_no
