"""调整数量: what an approver took out of a subject, for everybody to see."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.approvals.models.flow import Approval
from apps.common.models import TenantModel
from apps.common.money import MoneyField


class ApprovalAmendment(TenantModel):
    """One change of quantities, downwards; kept in words, since a dropped line is there no more.

    `lines` is [{"LineId", "Code", "Name", "Unit", "Before", "After"}], `figures` [{"Name", "Before", "After"}] in 元.
    """

    approval = models.ForeignKey(Approval, on_delete=models.CASCADE, related_name="amendments", verbose_name="审批")
    version = models.PositiveIntegerField("版本")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="调整人")
    acting_for = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", verbose_name="代理"
    )
    reason = models.CharField("调整原因", max_length=300)
    lines = models.JSONField("数量变化", default=list)
    figures = models.JSONField("金额变化", default=list)
    amount_before = MoneyField("调整前金额")
    amount_after = MoneyField("调整后金额")
    at = models.DateTimeField("调整时间")

    class Meta(TenantModel.Meta):
        verbose_name = "审批调整"
        verbose_name_plural = "审批调整"
        ordering = ["version"]
        constraints = [
            models.UniqueConstraint(fields=["group", "approval", "version"], name="approvalamendment_version_uniq"),
            models.CheckConstraint(condition=Q(amount_after__lte=F("amount_before")), name="approvalamendment_never_dearer"),
        ]

    def __str__(self) -> str:
        return f"{self.approval_id} {self.amount_before} → {self.amount_after}"
