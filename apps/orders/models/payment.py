"""付款 of an order with its refunds, and 月结信用 of an enterprise."""

from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import ZERO, MoneyField
from apps.orders.enums import PaymentKind, PaymentStatus
from apps.org.models import Enterprise


class Payment(TenantModel, TimeStampedModel):
    """Money for one order, in 元 with two decimals: an online payment, or a payment that staff have
    recorded. `refunded_amount` is the sum of its refunds and never exceeds `amount`. A gateway's
    reference is stored once, so a repeated callback books nothing.
    """

    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="payments", verbose_name="订单"
    )
    payment_no = models.CharField("支付单号", max_length=32, unique=True)
    kind = models.CharField("付款方式", max_length=10, choices=PaymentKind.choices)
    amount = MoneyField("金额")
    status = models.CharField(
        "状态", max_length=10, choices=PaymentStatus.choices, default=PaymentStatus.PENDING
    )
    gateway = models.CharField("支付渠道", max_length=20, blank=True)
    gateway_reference = models.CharField("渠道流水号", max_length=64, blank=True)
    refunded_amount = MoneyField("已退金额", default=ZERO, db_default=ZERO)
    paid_at = models.DateTimeField("支付时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "付款"
        verbose_name_plural = "付款"
        ordering = ["id"]
        indexes = [models.Index(fields=["group", "order"], name="payment_order_idx")]
        constraints = [
            models.CheckConstraint(
                condition=Q(refunded_amount__gte=0, refunded_amount__lte=F("amount")),
                name="payment_refunded_within",
            ),
            models.UniqueConstraint(
                fields=["gateway", "gateway_reference"],
                condition=~Q(gateway_reference=""),
                name="payment_gateway_reference_uniq",
            ),
        ]

    def __str__(self) -> str:
        return self.payment_no


class PaymentRefund(TenantModel):
    """A full or partial refund of a payment. `reference` names its reason; a reference is used
    once.
    """

    payment = models.ForeignKey(
        Payment, on_delete=models.PROTECT, related_name="refunds", verbose_name="付款"
    )
    reference = models.CharField("退款依据", max_length=64)
    amount = MoneyField("退款金额")
    note = models.CharField("说明", max_length=300, blank=True)
    refunded_at = models.DateTimeField("退款时间")

    class Meta(TenantModel.Meta):
        verbose_name = "退款"
        verbose_name_plural = "退款"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "payment", "reference"], name="paymentrefund_once"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="paymentrefund_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.reference} {self.amount}"


class CreditAccount(Enterprise):
    class Meta:
        proxy = True
        verbose_name = "月结信用"
        verbose_name_plural = "月结信用"
        ordering = ["code"]
