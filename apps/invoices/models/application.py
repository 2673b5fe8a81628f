"""开票申请: the received goods to invoice, how they are split into invoices, and the delivery
address.
"""

from django.conf import settings
from django.db import models

from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import ZERO, MoneyField
from apps.invoices.enums import ApplicationStatus, DeliveryWay, InvoiceGrouping, InvoiceKind


class InvoiceApplication(TenantModel, TimeStampedModel):
    application_no = models.CharField("申请单号", max_length=24, unique=True)
    applicant = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="申请人"
    )
    enterprise = models.ForeignKey(
        "org.Enterprise", on_delete=models.PROTECT, related_name="+", verbose_name="企业"
    )
    department = models.ForeignKey(
        "org.Department",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="申请部门",
    )
    status = models.CharField(
        "状态", max_length=10, choices=ApplicationStatus.choices, default=ApplicationStatus.PENDING
    )
    kind = models.CharField("发票种类", max_length=14, choices=InvoiceKind.choices)
    # Empty: the title chosen at the checkout of each order.
    title = models.ForeignKey(
        "org.InvoiceTitle",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="抬头",
    )
    grouping = models.CharField(
        "合并方式", max_length=8, choices=InvoiceGrouping.choices, default=InvoiceGrouping.MERGED
    )
    is_split_by_rate = models.BooleanField("按税率拆分", default=False)
    amount_limit = MoneyField("单张限额（含税）", null=True, blank=True)
    delivery = models.CharField("交付方式", max_length=5, choices=DeliveryWay.choices)
    email = models.EmailField("收票邮箱", blank=True)
    address_snapshot = models.JSONField("收票地址", default=dict, blank=True)
    remark = models.CharField("发票备注", max_length=200, blank=True)
    amount_incl_tax = MoneyField("价税合计", default=ZERO)
    tax_amount = MoneyField("税额", default=ZERO)
    line_count = models.PositiveIntegerField("明细行数", default=0)
    invoice_count = models.PositiveIntegerField("发票张数", default=0)
    reason = models.CharField("驳回或撤回原因", max_length=300, blank=True)
    submitted_at = models.DateTimeField("提交时间")
    decided_at = models.DateTimeField("审核时间", null=True, blank=True)
    finished_at = models.DateTimeField("完成时间", null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "开票申请"
        verbose_name_plural = "开票申请"
        ordering = ["-submitted_at", "-id"]
        indexes = [
            models.Index(
                fields=["group", "enterprise", "-submitted_at"], name="invoiceapplication_place_idx"
            ),
            models.Index(fields=["status", "submitted_at"], name="invoiceapplication_staff_idx"),
        ]

    def __str__(self) -> str:
        return self.application_no
