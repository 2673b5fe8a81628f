"""红字发票信息确认单: the part of an invoice to take back, and the party that has to confirm it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField
from apps.invoices.enums import RedReason, RedStatus


class RedLetter(TenantModel, TimeStampedModel):
    red_no = models.CharField("确认单号", max_length=24, unique=True)
    invoice = models.ForeignKey(
        "invoices.Invoice",
        on_delete=models.PROTECT,
        related_name="red_letters",
        verbose_name="蓝字发票",
    )
    red_invoice = models.OneToOneField(
        "invoices.Invoice",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="red_letter",
        verbose_name="红字发票",
    )
    status = models.CharField("状态", max_length=13, choices=RedStatus.choices)
    reason = models.CharField("红冲原因", max_length=2, choices=RedReason.choices)
    note = models.CharField("说明", max_length=300, blank=True)
    answer = models.CharField("否认原因", max_length=300, blank=True)
    # Opened for a return. The refund waits for it.
    is_for_return = models.BooleanField("因售后退货", default=False)
    amount_incl_tax = MoneyField("红冲金额")
    tax_amount = MoneyField("红冲税额")
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="发起人",
    )
    opened_at = models.DateTimeField("发起时间")
    expires_at = models.DateTimeField("确认期限")
    confirmed_at = models.DateTimeField("确认时间", null=True, blank=True)
    ended_at = models.DateTimeField("结束时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "红冲确认单"
        verbose_name_plural = "红冲确认单"
        ordering = ["-id"]
        indexes = [
            models.Index(
                fields=["expires_at"],
                condition=Q(status__in=["awaits_seller", "awaits_buyer"]),
                name="redletter_expiry_idx",
            ),
        ]

    def __str__(self) -> str:
        return self.red_no


class RedLine(TenantModel):
    letter = models.ForeignKey(
        RedLetter, on_delete=models.CASCADE, related_name="lines", verbose_name="确认单"
    )
    line = models.ForeignKey(
        "invoices.InvoiceLine",
        on_delete=models.PROTECT,
        related_name="red_lines",
        verbose_name="发票明细",
    )
    quantity = models.PositiveIntegerField("数量")
    amount_incl_tax = MoneyField("价税合计")
    tax_amount = MoneyField("税额")

    class Meta(TenantModel.Meta):
        verbose_name = "红冲明细"
        verbose_name_plural = "红冲明细"
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(quantity__gt=0), name="redline_quantity_positive")
        ]

    def __str__(self) -> str:
        return f"{self.line_id} × {self.quantity}"
