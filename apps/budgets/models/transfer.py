"""A transfer between two budgets: asked for by one person, decided by a second."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.budgets.enums import TransferStatus
from apps.budgets.models.budget import Budget
from apps.common.models import TenantModel, TimeStampedModel
from apps.common.money import MoneyField


class BudgetTransfer(TenantModel, TimeStampedModel):
    """While it waits, the source's `held` has its amount. No `decided_by`: nobody else had the right, or the period ended first."""

    source = models.ForeignKey(Budget, on_delete=models.PROTECT, related_name="+", verbose_name="调出预算")
    target = models.ForeignKey(Budget, on_delete=models.PROTECT, related_name="+", verbose_name="调入预算")
    amount = MoneyField("金额")
    reason = models.CharField("调拨原因", max_length=100)
    status = models.CharField("状态", max_length=10, choices=TransferStatus.choices, default=TransferStatus.WAITING)
    requester = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name="申请人")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", verbose_name="审批人"
    )
    decided_at = models.DateTimeField("审批时间", null=True, blank=True)
    decision_note = models.CharField("审批意见", max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = "预算调拨"
        verbose_name_plural = "预算调拨"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="budgettransfer_of_something"),
            models.CheckConstraint(condition=~Q(source=F("target")), name="budgettransfer_between_two"),
            models.CheckConstraint(condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("requester")), name="budgettransfer_not_himself"),
            models.CheckConstraint(
                condition=Q(status=TransferStatus.WAITING, decided_at__isnull=True, decided_by__isnull=True)
                | (~Q(status=TransferStatus.WAITING) & Q(decided_at__isnull=False)),
                name="budgettransfer_decided_with_time",
            ),
        ]
        indexes = [
            models.Index(fields=["group", "source"], name="budgettransfer_waiting_idx", condition=Q(status=TransferStatus.WAITING)),
        ]

    def __str__(self) -> str:
        return f"{self.get_status_display()} {self.amount}"
