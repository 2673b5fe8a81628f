"""银行到账: receipts from the bank, and the orders they are matched to."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import ZERO, MoneyField


class BankReceipt(TimeStampedModel):
    """One line of the supplier's bank statement. The customer is unknown until it is matched,
    so the row belongs to no tenant.
    """

    serial = models.CharField("银行流水号", max_length=40, unique=True)
    received_on = models.DateField("到账日期")
    payer_name = models.CharField("付款方户名", max_length=120)
    payer_account = models.CharField("付款方账号", max_length=40, blank=True)
    amount = MoneyField("到账金额")
    matched_amount = MoneyField("已匹配金额", default=ZERO)
    remark = models.CharField("附言", max_length=200, blank=True)
    # The reason why the receipt is not a customer's payment (interest, a deposit). Empty: it is
    # one.
    set_aside = models.CharField("无需匹配的原因", max_length=200, blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="登记人",
    )

    class Meta:
        verbose_name = "银行到账"
        verbose_name_plural = "银行到账"
        ordering = ["-received_on", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="bankreceipt_positive"),
            models.CheckConstraint(
                condition=Q(matched_amount__gte=0, matched_amount__lte=F("amount")),
                name="bankreceipt_matched_within",
            ),
            models.CheckConstraint(
                condition=Q(set_aside="") | Q(matched_amount=0), name="bankreceipt_set_aside_whole"
            ),
        ]
        indexes = [
            models.Index(fields=["-received_on", "-id"], name="bankreceipt_newest_idx"),
            models.Index(
                fields=["received_on", "id"],
                condition=Q(matched_amount__lt=F("amount"), set_aside=""),
                name="bankreceipt_waiting_idx",
            ),
            models.Index(fields=["payer_account"], name="bankreceipt_payer_idx"),
        ]

    def __str__(self) -> str:
        return self.serial

    @property
    def left(self) -> Decimal:
        """The unmatched amount in 元."""
        left: Decimal = self.amount - self.matched_amount
        return left


class BankMatch(TenantModel):
    """A part of a receipt that pays an order. Undoing the match refunds the payment and
    releases the amount.
    """

    receipt = models.ForeignKey(
        BankReceipt, on_delete=models.PROTECT, related_name="matches", verbose_name="银行到账"
    )
    payment = models.OneToOneField(
        "orders.Payment", on_delete=models.PROTECT, related_name="bank_match", verbose_name="付款"
    )
    statement = models.ForeignKey(
        "invoices.Statement",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="对账单",
    )
    amount = MoneyField("匹配金额")
    matched_at = models.DateTimeField("匹配时间")
    matched_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="匹配人"
    )
    undone_at = models.DateTimeField("撤销时间", null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="撤销人",
    )
    undone_reason = models.CharField("撤销原因", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "到账匹配"
        verbose_name_plural = "到账匹配"
        ordering = ["id"]
        constraints = [models.CheckConstraint(condition=Q(amount__gt=0), name="bankmatch_positive")]

    def __str__(self) -> str:
        return f"{self.receipt_id} → {self.payment_id} {self.amount}"
