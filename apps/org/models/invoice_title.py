"""开票抬头 of an enterprise: the buyer data on orders and invoices."""

from django.db import models

from apps.common.models import TenantModel, TimeStampedModel


class InvoiceTitle(TenantModel, TimeStampedModel):
    enterprise = models.ForeignKey(
        "org.Enterprise",
        on_delete=models.PROTECT,
        related_name="invoice_titles",
        verbose_name="企业",
    )
    title = models.CharField("抬头", max_length=100)
    tax_number = models.CharField("税号", max_length=20)
    address = models.CharField("地址", max_length=200, blank=True)
    phone = models.CharField("电话", max_length=30, blank=True)
    bank = models.CharField("开户行", max_length=100, blank=True)
    bank_account = models.CharField("账号", max_length=40, blank=True)
    is_default = models.BooleanField("默认", default=False)
    is_active = models.BooleanField("启用", default=True)
    has_special_qualification = models.BooleanField("专票资质已审核", default=False)

    class Meta(TenantModel.Meta):
        verbose_name = "开票抬头"
        verbose_name_plural = "开票抬头"
        ordering = ["-is_default", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "enterprise", "title"], name="invoicetitle_title_uniq"
            )
        ]

    def __str__(self) -> str:
        return self.title
