"""专票资质 of an invoice title: the papers that staff review before special invoices are
allowed.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.common.models import TenantModel, TimeStampedModel
from apps.invoices.enums import QualificationStatus


class SpecialQualification(TenantModel, TimeStampedModel):
    """One submission of the papers that allow 专票 for an invoice title. Staff approve or refuse
    it. A title has at most one pending submission, and a change of the reviewed fields ends an
    approval.
    """

    title = models.ForeignKey(
        "org.InvoiceTitle",
        on_delete=models.PROTECT,
        related_name="qualifications",
        verbose_name="抬头",
    )
    status = models.CharField(
        "状态",
        max_length=8,
        choices=QualificationStatus.choices,
        default=QualificationStatus.PENDING,
    )
    # The reviewed fields. A change of them ends the approval.
    title_snapshot = models.JSONField("抬头内容", default=dict)
    files = models.ManyToManyField("common.StoredFile", related_name="+", verbose_name="证明文件")
    note = models.CharField("说明", max_length=300, blank=True)
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="提交人"
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name="审核人",
    )
    decided_at = models.DateTimeField("审核时间", null=True, blank=True)
    reason = models.CharField("未通过原因", max_length=300, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "专票资质"
        verbose_name_plural = "专票资质"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["title"],
                condition=Q(status="pending"),
                name="specialqualification_one_pending",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} {self.get_status_display()}"
