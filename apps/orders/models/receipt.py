"""签收: the received goods, the time and the person. Statements and invoices use its date."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel
from apps.common.money import MoneyField


class Receipt(TenantModel):
    order = models.ForeignKey(
        "orders.Order", on_delete=models.PROTECT, related_name="receipts", verbose_name="订单"
    )
    # Null if the system received the shipment after 7 days.
    received_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="签收人",
    )
    received_at = models.DateTimeField("签收时间")

    class Meta(TenantModel.Meta):
        verbose_name = "签收单"
        verbose_name_plural = "签收单"
        ordering = ["received_at", "id"]
        indexes = [models.Index(fields=["group", "received_at"], name="receipt_received_idx")]

    def __str__(self) -> str:
        return f"{self.order_id} {self.received_at:%Y-%m-%d}"


class ReceiptLine(TenantModel):
    """Pieces of one order line. When the line is fully received, its receipt lines sum to the
    line's amount and tax exactly.
    """

    receipt = models.ForeignKey(
        Receipt, on_delete=models.PROTECT, related_name="lines", verbose_name="签收单"
    )
    order_line = models.ForeignKey(
        "orders.OrderLine",
        on_delete=models.PROTECT,
        related_name="receipt_lines",
        verbose_name="订单行",
    )
    quantity = models.PositiveIntegerField("签收数量")
    amount_incl_tax = MoneyField("金额（含税）")
    tax_amount = MoneyField("税额")

    class Meta(TenantModel.Meta):
        verbose_name = "签收明细"
        verbose_name_plural = "签收明细"
        constraints = [
            models.UniqueConstraint(
                fields=["group", "receipt", "order_line"], name="receiptline_line_uniq"
            ),
            models.CheckConstraint(
                condition=Q(quantity__gte=1), name="receiptline_quantity_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.order_line_id} × {self.quantity}"
